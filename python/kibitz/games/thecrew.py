"""The Crew's texts that stand for several outcomes in a row, as its rules and the bot protocol write them.

    *:tasks P3 B9       *:task P3, *:task B9
    *:owners 2 0 1      *:owner 2, *:owner 0, *:owner 1

They are read wherever events are; what is written has one outcome an event.
"""

__all__ = ["JOINED"]

JOINED = {"tasks": "task", "owners": "owner"}
