"""Files that are written whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from kibitz.errors import InvalidOption, shown

__all__ = ["as_path", "replacing"]


@contextmanager
def replacing(path: str | Path) -> Iterator[IO[str]]:
    """A file to write that takes the place of `path` when all went well."""
    target = as_path(path).resolve()  # a link stays one
    part = target.with_name(f".{target.name}.{os.urandom(4).hex()}")
    try:
        with part.open("x", encoding="utf-8", newline="\n") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    finally:
        with suppress(OSError):
            part.unlink()  # it is there after a failure only


def as_path(path: object) -> Path:
    """The name of a file.

    Raises:
        InvalidOption: It is none.
    """
    if isinstance(path, str | Path) and str(path) and "\0" not in str(path):
        return Path(path)
    raise InvalidOption(f"path cannot be {shown(path)}; it is the name of a file.", given=path)
