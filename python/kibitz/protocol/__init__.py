"""The bot protocol: how a game server, a bot author or a script talks to the engine. docs/protocol.md tells all.

`messages` has every message as a model, `requests` reads a line, `sessions` is one seat at one table, `thinking` makes
the answer of `go`, `work` bounds what is searched at once, `host` is one connection, `stdio` its lines.
"""
