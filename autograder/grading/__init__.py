"""Grading: the player outside the learner's process, and what hands a learner's work to nbgrader."""
