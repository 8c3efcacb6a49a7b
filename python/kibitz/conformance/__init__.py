"""Whether an engine keeps the bot protocol: named steps, each played against it over raw lines.

Behind `kibitz check-engine`. Steps are small functions, by theme; reading any of them says what is demanded. Nothing
here goes through `kibitz.Engine`, so that a fault of that client cannot hide a fault of an engine.
"""

from kibitz.conformance.run import Outcome, Report, check_engine
from kibitz.conformance.steps import STEPS, Step

__all__ = ["STEPS", "Outcome", "Report", "Step", "check_engine"]
