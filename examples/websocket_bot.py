"""kibitz in a game server of your own, over a WebSocket: four seats of Kami play a round by the clock.

Needs `pip install kibitz[server]` and a running `kibitz serve`; the address may be given, and a token in KIBITZ_TOKEN.
The server here is a `kibitz.Table`, as in stdio_bot.py.
"""

import itertools
import json
import os
import sys
from typing import Any

from websockets.sync.client import connect

import kibitz

url = sys.argv[1] if len(sys.argv) > 1 else "ws://127.0.0.1:8765/v1/ws"
token = os.environ.get("KIBITZ_TOKEN")
numbers = itertools.count(1)

with connect(url, additional_headers={"Authorization": f"Bearer {token}"} if token else None) as socket:

    def ask(method: str, **params: Any) -> Any:
        """Sends one request, one frame, and reads frames until its reply comes."""
        number = next(numbers)
        socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while (message := json.loads(socket.recv())).get("id") != number:
            pass  # `info` and `log` have no id
        return message["result"] if "result" in message else sys.exit(message["error"]["message"])

    ask("hello", protocol="1", client="websocket_bot")
    table = kibitz.load("kami", rounds=1).deal(seed=7)
    clocks = [kibitz.Clock(main_ms=500, byoyomi_ms=100)] * table.game.seats
    for seat in range(table.game.seats):
        place = {"game": "kami", "players": 4, "options": {"rounds": 1}, "seat": seat}
        ask("new", s=f"seat {seat}", **place, start=table.view(seat=seat).start)

    told = 0
    while isinstance(table.turn, int):
        for seat in range(table.game.seats):
            ask("event", s=f"seat {seat}", n=told, moves=table.view(seat=seat).record[told:])
        told, seat = len(table.record), table.turn
        left = {"main_ms": clocks[seat].main_ms, "byoyomi_ms": clocks[seat].byoyomi_ms}
        best = ask("go", s=f"seat {seat}", clock=left, expect=table.legal())  # or a refusal: the rules differ
        clocks[seat] = clocks[seat].after(best["ms"])
        print(f"seat {seat} plays {best['move']}, {clocks[seat]} left")
        table.play(best["move"])

    print("score:", *table.score())
    ask("quit")
