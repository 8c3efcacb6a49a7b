"""A Kaggle agent: a function of observation and configuration around a bot. It remembers nothing.

The observation has the seat's `view`, a document as `View.to_json` writes it; or `seat`, `start` and `record`, with
`game` and `options` in the configuration. The answer is the text of the move; None while another is to act.
"""

from collections.abc import Callable, Mapping
from typing import Any

from kibitz.bot import Bot, Player, as_player
from kibitz.clock import Clock
from kibitz.errors import InvalidPosition, shown
from kibitz.given import positive
from kibitz.view import View

__all__ = ["agent_of"]

LONGEST = 1_000_000  # seconds
Agent = Callable[[Mapping[str, Any], Mapping[str, Any]], str | None]


def agent_of(bot: Player, *, overhead_ms: float = 100) -> Agent:
    """The agent of a bot.

    A `kibitz.Bot` plays by the environment's clock where the configuration has `actTimeout`: so many seconds for each
    move, `remainingOverageTime` of the observation for all, of each move `overhead_ms` for the environment itself.

    >>> agent = agent_of(lambda view: view.legal()[0])
    >>> agent({"view": {"game": "tic_tac_toe", "seat": 0, "start": {}}}, {})
    'a1'
    """
    player = as_player(bot)

    def agent(observation: Mapping[str, Any], configuration: Mapping[str, Any]) -> str | None:
        view = View.from_json(_document(observation, configuration))
        if view.turn != view.seat:
            return None
        if not isinstance(player, Bot) or configuration.get("actTimeout") is None:
            return player.act(view)
        each = positive("actTimeout", configuration["actTimeout"], most=LONGEST)
        bank = observation.get("remainingOverageTime") or 0
        bank = bank and positive("remainingOverageTime", bank, most=LONGEST)
        return player.act(
            view, clock=Clock(byoyomi_ms=1000 * each, bank_ms=1000 * bank, overhead_ms=overhead_ms)
        )

    return agent


def _document(observation: Any, configuration: Any) -> Mapping[str, Any]:
    if not isinstance(observation, Mapping) or not isinstance(configuration, Mapping):
        raise InvalidPosition(
            f"An observation is a mapping, as is a configuration, not {shown(observation)}."
        )
    found = observation.get("view")
    if found is not None:
        return found  # type: ignore[no-any-return]  # View.from_json says what is wrong with it
    told = {key: configuration[key] for key in ("game", "options") if key in configuration}
    return told | {key: observation[key] for key in ("seat", "start", "record") if key in observation}
