"""For those who write lessons: give a source its one shape, make its release, prove that the course holds together.

    tidy      solutions/ in one shape on disk
    release   solutions/ -> notebooks/, by nbgrader itself
    verify    every rule of the course in one run, each finding with the command that mends it

The flow has one direction, solutions to notebooks; nothing here ever edits a released notebook.
"""
