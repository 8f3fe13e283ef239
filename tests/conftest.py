"""Settings of all tests; pytest also finds the package `helpers` through this file's folder."""

from hypothesis import settings

# The same examples on every run, and no deadline: a loaded machine is no bug.
settings.register_profile("deckatlas", derandomize=True, deadline=None)
settings.load_profile("deckatlas")
