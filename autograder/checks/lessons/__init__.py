"""The bodies of the checks, one module a lesson."""
