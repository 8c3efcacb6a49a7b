"""Adapters: the habits of other programs, translated to views, events and moves. No rules of games in them.

Each is a module of its own, imported by name: `from kibitz.adapters import goita`. `docs/adapters.md` describes them.
"""
