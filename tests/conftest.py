"""Shared by all tests: hypothesis tries the same examples in every run and watches no clock; Ctrl-C works."""

import signal

from hypothesis import settings

settings.register_profile("kibitz", derandomize=True, deadline=None)
settings.load_profile("kibitz")

# A shell without job control starts background jobs with Ctrl-C ignored, and so they would start their own
# children: tests of Ctrl-C would wait for an interrupt that never comes.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
