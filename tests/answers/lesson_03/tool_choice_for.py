"""Answers for `tool_choice_for(model, wish)`."""
# ruff: noqa

# %% right: if and return


def tool_choice_for(model, wish):
    if wish == "free":
        return {"type": "auto"}
    if wish == "one_at_a_time":
        return {"type": "auto", "disable_parallel_tool_use": True}
    if wish == "none":
        return {"type": "none"}
    if model in ("claude-sonnet-5-5", "claude-opus-5-5", "claude-fable-5-1"):
        return {"type": "auto"}
    return {"type": "any"}


# %% right: a table
NEVER_FORCED = {"claude-sonnet-5-5", "claude-opus-5-5", "claude-fable-5-1"}


def tool_choice_for(model, wish):
    choices = {
        "free": {"type": "auto", "disable_parallel_tool_use": False},
        "one_at_a_time": {"type": "auto", "disable_parallel_tool_use": True},
        "none": {"type": "none"},
        "must_call": {"type": "auto" if model in NEVER_FORCED else "any"},
    }
    return choices[wish]


# %% right: match


def tool_choice_for(model, wish):
    kind, extra = "auto", {}
    match wish, model:
        case "none", _:
            kind = "none"
        case "one_at_a_time", _:
            extra = {"disable_parallel_tool_use": True}
        case "must_call", "claude-sonnet-5-5" | "claude-opus-5-5" | "claude-fable-5-1":
            kind = "auto"
        case "must_call", _:
            kind = "any"
    return {"type": kind, **extra}


# %% wrong: forces every model -> forces_a_call_only_where_that_is_accepted


def tool_choice_for(model, wish):
    choices = {
        "free": {"type": "auto"},
        "one_at_a_time": {"type": "auto", "disable_parallel_tool_use": True},
        "none": {"type": "none"},
        "must_call": {"type": "any"},
    }
    return choices[wish]


# %% wrong: forces no model -> forces_a_call_only_where_that_is_accepted


def tool_choice_for(model, wish):
    choices = {
        "free": {"type": "auto"},
        "one_at_a_time": {"type": "auto", "disable_parallel_tool_use": True},
        "none": {"type": "none"},
        "must_call": {"type": "auto"},
    }
    return choices[wish]


# %% wrong: only names with 5-5 -> forces_a_call_only_where_that_is_accepted


def tool_choice_for(model, wish):
    choices = {
        "free": {"type": "auto"},
        "one_at_a_time": {"type": "auto", "disable_parallel_tool_use": True},
        "none": {"type": "none"},
        "must_call": {"type": "auto" if "5-5" in model else "any"},
    }
    return choices[wish]


# %% wrong: every name with sonnet-5 -> forces_a_call_only_where_that_is_accepted


def tool_choice_for(model, wish):
    refuses = model.startswith("claude-sonnet-5") or model in ("claude-opus-5-5", "claude-fable-5-1")
    choices = {
        "free": {"type": "auto"},
        "one_at_a_time": {"type": "auto", "disable_parallel_tool_use": True},
        "none": {"type": "none"},
        "must_call": {"type": "auto" if refuses else "any"},
    }
    return choices[wish]


# %% wrong: a tool without a name -> forces_a_call_only_where_that_is_accepted


def tool_choice_for(model, wish):
    refuses = model in ("claude-sonnet-5-5", "claude-opus-5-5", "claude-fable-5-1")
    choices = {
        "free": {"type": "auto"},
        "one_at_a_time": {"type": "auto", "disable_parallel_tool_use": True},
        "none": {"type": "none"},
        "must_call": {"type": "auto" if refuses else "tool"},
    }
    return choices[wish]


# %% wrong: none where forcing is refused -> forces_a_call_only_where_that_is_accepted


def tool_choice_for(model, wish):
    refuses = model in ("claude-sonnet-5-5", "claude-opus-5-5", "claude-fable-5-1")
    choices = {
        "free": {"type": "auto"},
        "one_at_a_time": {"type": "auto", "disable_parallel_tool_use": True},
        "none": {"type": "none"},
        "must_call": {"type": "none" if refuses else "any"},
    }
    return choices[wish]


# %% wrong: the switch beside the choice -> turns_each_wish_into_a_choice


def tool_choice_for(model, wish):
    if wish == "one_at_a_time":
        return {"tool_choice": {"type": "auto"}, "disable_parallel_tool_use": True}
    if wish == "none":
        return {"type": "none"}
    refuses = model in ("claude-sonnet-5-5", "claude-opus-5-5", "claude-fable-5-1")
    return {"type": "any"} if wish == "must_call" and not refuses else {"type": "auto"}


# %% wrong: an empty dict for none -> turns_each_wish_into_a_choice


def tool_choice_for(model, wish):
    if wish == "none":
        return {}
    if wish == "one_at_a_time":
        return {"type": "auto", "disable_parallel_tool_use": True}
    refuses = model in ("claude-sonnet-5-5", "claude-opus-5-5", "claude-fable-5-1")
    return {"type": "any"} if wish == "must_call" and not refuses else {"type": "auto"}


# %% wrong: one at a time by any -> turns_each_wish_into_a_choice


def tool_choice_for(model, wish):
    if wish == "none":
        return {"type": "none"}
    if wish == "one_at_a_time":
        return {"type": "any", "disable_parallel_tool_use": True}
    refuses = model in ("claude-sonnet-5-5", "claude-opus-5-5", "claude-fable-5-1")
    return {"type": "any"} if wish == "must_call" and not refuses else {"type": "auto"}


# %% wrong: a word for the dict -> turns_each_wish_into_a_choice


def tool_choice_for(model, wish):
    return {"free": "auto", "one_at_a_time": "auto", "none": "none"}.get(wish, "any")


# %% wrong: the switch is always on -> turns_each_wish_into_a_choice


def tool_choice_for(model, wish):
    if wish == "none":
        return {"type": "none"}
    refuses = model in ("claude-sonnet-5-5", "claude-opus-5-5", "claude-fable-5-1")
    kind = "any" if wish == "must_call" and not refuses else "auto"
    return {"type": kind, "disable_parallel_tool_use": True}


# %% wrong: nothing for free -> turns_each_wish_into_a_choice


def tool_choice_for(model, wish):
    if wish == "one_at_a_time":
        return {"type": "auto", "disable_parallel_tool_use": True}
    if wish == "none":
        return {"type": "none"}
    if wish == "must_call":
        return {"type": "any"}
