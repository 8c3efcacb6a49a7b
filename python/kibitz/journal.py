"""A match's journal: a text file that every finished game is added to, so that a match broken off goes on."""

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from io import FileIO
from pathlib import Path
from typing import Any, Self

from kibitz.clock import ClockUse
from kibitz.errors import InvalidOption, shown
from kibitz.match_result import GameError, GameResult

__all__ = ["Journal"]


class Journal:
    """A file of JSON lines: which match it is of, then a game a line. Use it in a `with` statement.

    A last line that was cut off, by a full disk or a lost machine, is dropped; its game is played again.

    Args:
        path: The file; made if it is not there.
        of: What makes two matches the same, as plain values.

    Raises:
        InvalidOption: The file cannot be opened, is no journal, or is one of another match.
    """

    def __init__(self, path: str | Path, *, of: Mapping[str, object]) -> None:
        if not isinstance(path, str | Path):
            raise InvalidOption(f"journal cannot be {shown(path)}; it is the path of a file.", given=path)
        self.path = Path(path)
        self.results: list[GameResult] = []
        """The games that were in the file."""
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

    def write(self, results: Iterable[GameResult]) -> None:
        """Adds finished games; they are with the operating system when this returns."""
        self._append("".join(json.dumps(asdict(each)) + "\n" for each in results))

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
            raise InvalidOption(f"{shown(str(self.path))} is no journal of a match.", given=self.path)
        wanted = json.loads(json.dumps(head))
        for name in {**found, **wanted}:
            if found.get(name) != wanted.get(name):
                raise InvalidOption(
                    f"The journal {shown(str(self.path))} is of another match: its {name} is "
                    f"{shown(found.get(name))}, not {shown(wanted.get(name))}. Name another file.",
                    given=self.path,
                )
        self.results = [self._game(number, line) for number, line in enumerate(lines[1:], start=2)]
        self._file.truncate(len(whole))

    def _line(self, number: int, line: bytes) -> dict[str, Any]:
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise InvalidOption(
                f"{shown(str(self.path))} is no journal of a match: line {number} is no JSON object.",
                given=self.path,
            )
        return found

    def _game(self, number: int, line: bytes) -> GameResult:
        found = self._line(number, line)
        try:
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
        except (KeyError, TypeError, ValueError):
            raise InvalidOption(
                f"{shown(str(self.path))}: line {number} is no game of a match.", given=self.path
            ) from None

    def _append(self, text: str) -> None:
        data = memoryview(text.encode())
        while data:
            data = data[os.write(self._file.fileno(), data) :]
