"""Shared by all tests: hypothesis tries the same examples in every run and watches no clock."""

from hypothesis import settings

settings.register_profile("kibitz", derandomize=True, deadline=None)
settings.load_profile("kibitz")
