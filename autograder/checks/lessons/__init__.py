"""The bodies of the checks, one module a lesson. Where this package is absent, `check.NAME(...)` does nothing."""
