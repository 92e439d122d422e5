"""The API double: it stands where api.anthropic.com stands, and answers from stored exchanges.

Nothing in this room imports another part of the course, so it can be used on its own.
"""
