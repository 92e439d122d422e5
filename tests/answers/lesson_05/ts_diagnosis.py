"""Answers for `ts_diagnosis`."""
# ruff: noqa


# %% right: a dict
ts_diagnosis = {"A": "cap", "B": "verbatim", "C": "branch"}

# %% right: zipped
ts_diagnosis = dict(zip("ABC", ("cap", "verbatim", "branch")))

# %% right: one by one, and a note
ts_diagnosis = {}
ts_diagnosis["B"] = "verbatim"
ts_diagnosis["C"] = "branch"
ts_diagnosis["A"] = "cap"
ts_diagnosis["note"] = "A was hard"

# %% wrong: the for loop is a branch -> diagnoses_the_first_loop
ts_diagnosis = {"A": "branch", "B": "verbatim", "C": "branch"}

# %% wrong: the filter breaks the pairs -> diagnoses_the_second_loop
ts_diagnosis = {"A": "cap", "B": "pairing", "C": "branch"}

# %% wrong: the filter breaks the history -> diagnoses_the_second_loop
ts_diagnosis = {"A": "cap", "B": "history", "C": "branch"}

# %% wrong: the list of calls breaks the order -> diagnoses_the_third_loop
ts_diagnosis = {"A": "cap", "B": "verbatim", "C": "order"}

# %% wrong: the list of calls breaks the pairs -> diagnoses_the_third_loop
ts_diagnosis = {"A": "cap", "B": "verbatim", "C": "pairing"}

# %% wrong: a name that the table does not have -> diagnoses_the_third_loop
ts_diagnosis = {"A": "cap", "B": "verbatim", "C": "branches"}

# %% wrong: a sentence -> diagnoses_the_first_loop
ts_diagnosis = {"A": "the limit is not reported", "B": "verbatim", "C": "branch"}

# %% wrong: a loop left out -> diagnoses_the_second_loop
ts_diagnosis = {"A": "cap", "C": "branch"}

# %% wrong: a list -> diagnoses_the_first_loop
ts_diagnosis = ["cap", "verbatim", "branch"]

# %% wrong: one still open -> diagnoses_the_third_loop
ts_diagnosis = {"A": "cap", "B": "verbatim", "C": ...}
