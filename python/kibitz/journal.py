"""Journals: text files that every finished piece of long work is added to, so that work broken off goes on."""

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from io import FileIO
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar

from kibitz.clock import ClockUse
from kibitz.errors import InvalidOption, shown
from kibitz.match_result import GameError, GameResult

__all__ = ["Journal", "Lines"]

Item = TypeVar("Item")


class Lines(ABC, Generic[Item]):
    """A file of JSON lines: which work it is of, then a result a line. Use it in a `with` statement.

    A last line that was cut off, by a full disk or a lost machine, is dropped; what it told is done again.

    Args:
        path: The file; made if it is not there.
        of: What makes two pieces of work the same, as plain values.

    Raises:
        InvalidOption: The file cannot be opened, is no journal, or is one of other work.
    """

    work: ClassVar[str]  # "a match", as the refusals say it
    other: ClassVar[str]  # "another match"
    item: ClassVar[str]  # "game"

    def __init__(self, path: str | Path, *, of: Mapping[str, object]) -> None:
        if not isinstance(path, str | Path):
            raise InvalidOption(f"journal cannot be {shown(path)}; it is the path of a file.", given=path)
        self.path = Path(path)
        self.results: list[Item] = []
        """The results that were in the file."""
        head = {"kibitz journal": 1, **of}
        try:
            self._file = FileIO(self.path, "a+")
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            raise InvalidOption(
                f"The journal {shown(str(path))} cannot be opened: {why}.", given=path
            ) from None
        try:
            self._read(head)
        except BaseException:
            self._file.close()
            raise

    @abstractmethod
    def plain(self, result: Item) -> dict[str, Any]:
        """A result as plain values."""

    @abstractmethod
    def read(self, found: dict[str, Any]) -> Item:
        """The result that `plain` gave; KeyError, TypeError or ValueError if it is none."""

    def write(self, results: Iterable[Item]) -> None:
        """Adds results; they are with the operating system when this returns."""
        self._append("".join(json.dumps(self.plain(each)) + "\n" for each in results))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def _read(self, head: Mapping[str, object]) -> None:
        self._file.seek(0)
        text = self._file.readall()
        whole = text[: text.rfind(b"\n") + 1]
        lines = whole.splitlines()
        if not lines:
            self._file.truncate(0)
            self._append(json.dumps(head) + "\n")
            return
        found = self._line(1, lines[0])
        if "kibitz journal" not in found:
            raise InvalidOption(f"{shown(str(self.path))} is no journal of {self.work}.", given=self.path)
        wanted = json.loads(json.dumps(head))
        for name in {**found, **wanted}:
            if found.get(name) != wanted.get(name):
                raise InvalidOption(
                    f"The journal {shown(str(self.path))} is of {self.other}: its {name} is "
                    f"{shown(found.get(name))}, not {shown(wanted.get(name))}. Name another file.",
                    given=self.path,
                )
        self.results = [self._item(number, line) for number, line in enumerate(lines[1:], start=2)]
        self._file.truncate(len(whole))

    def _line(self, number: int, line: bytes) -> dict[str, Any]:
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise InvalidOption(
                f"{shown(str(self.path))} is no journal of {self.work}: line {number} is no JSON object.",
                given=self.path,
            )
        return found

    def _item(self, number: int, line: bytes) -> Item:
        found = self._line(number, line)
        try:
            return self.read(found)
        except (KeyError, TypeError, ValueError):
            raise InvalidOption(
                f"{shown(str(self.path))}: line {number} is no {self.item} of {self.work}.", given=self.path
            ) from None

    def _append(self, text: str) -> None:
        data = memoryview(text.encode())
        while data:
            data = data[os.write(self._file.fileno(), data) :]


class Journal(Lines[GameResult]):
    """The journal of a match: a game a line."""

    work = "a match"
    other = "another match"
    item = "game"

    def plain(self, result: GameResult) -> dict[str, Any]:
        """As `dataclasses.asdict` has it."""
        return asdict(result)

    def read(self, found: dict[str, Any]) -> GameResult:
        """The game, its numbers and its error checked by form."""
        error = found["error"]
        return GameResult(
            deal=int(found["deal"]),
            rotation=int(found["rotation"]),
            seats=tuple(map(int, found["seats"])),
            returns=tuple(map(float, found["returns"])),
            score=tuple(map(int, found["score"])),
            plies=int(found["plies"]),
            error=None if error is None else GameError(**error | {"seats": tuple(error["seats"])}),
            clocks=tuple(None if use is None else ClockUse(**use) for use in found.get("clocks", ())),
        )
