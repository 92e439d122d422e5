"""What is right, lesson by lesson, and how a learner is told.

A check never touches a learner's object. It asks a `Player` to call functions, watches the requests that
they send, and reads values that crossed as JSON: so the same check runs inside a notebook and outside the
learner's process.
"""
