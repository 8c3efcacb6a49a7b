"""kibitz in a game server of your own, over stdin and stdout: four seats of Kami play a round.

The server here is a `kibitz.Table`, which knows the truth; yours knows it in its own way. Every seat is a session of
its own and is told every event as that seat may see it, its own moves too. docs/protocol.md says what else there is.
"""

import itertools
import json
import subprocess
import sys
from typing import Any

import kibitz

engine = subprocess.Popen(
    [sys.executable, "-m", "kibitz", "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
)
numbers = itertools.count(1)


def ask(method: str, **params: Any) -> Any:
    """Sends one request, reads lines until its reply comes; a refusal says what was wrong."""
    assert engine.stdin is not None
    assert engine.stdout is not None
    number = next(numbers)
    print(json.dumps({"id": number, "method": method, "params": params}), file=engine.stdin, flush=True)
    for line in engine.stdout:
        message = json.loads(line)
        if message.get("id") == number:  # the lines of `info` and `log` have no id
            return message["result"] if "result" in message else sys.exit(message["error"]["message"])
    sys.exit("the engine is gone")


ask("hello", protocol="1", client="stdio_bot")
table = kibitz.load("kami", rounds=1).deal(seed=7)
seats = range(table.game.seats)
for seat in seats:
    start = table.view(seat=seat).start  # its hand, and who leads
    ask("new", s=f"seat {seat}", game="kami", players=4, options={"rounds": 1}, seat=seat, start=start)

told = 0
while table.turn is not None:
    for seat in seats:
        ask("event", s=f"seat {seat}", n=told, moves=table.view(seat=seat).record[told:])
    told = len(table.record)
    best = ask("go", s=f"seat {table.turn}", ms=20)
    print(f"seat {table.turn} plays {best['move']} ({best['reason']})")
    table.play(best["move"])

print("score:", *table.score())
ask("quit")
engine.communicate()
