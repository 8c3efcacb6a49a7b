"""Hearts against OpenSpiel's `hearts`, the same cards on both sides, where OpenSpiel is there.

More deals: `PYTHONPATH=tests .venv/bin/python -m reference.against_open_spiel --deals 20`.
"""

import pytest

pytest.importorskip("pyspiel", reason="open_spiel is not installed: pip install 'kibitz[bench]'")

from kibitz import _core
from reference import against_open_spiel_hearts

pytestmark = pytest.mark.peers


def test_options_and_defaults_are_those_of_open_spiel() -> None:
    import pyspiel

    ours = {option["name"]: option["default"] for option in _core.info("hearts")["options"][1:]}
    assert ours == pyspiel.load_game("hearts").get_parameters()


def test_every_combination_of_options_plays_alike() -> None:
    met = against_open_spiel_hearts.rules(1)
    assert met["deals"] == 256 * 3
    assert (
        min(met[name] for name in ("points to the first trick", "a heart led unbroken", "all 26 to one seat"))
        >= 10
    )
