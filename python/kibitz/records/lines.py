"""Many records in one file: JSON lines, read and written one at a time."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from kibitz.errors import InvalidOption, InvalidPosition, KibitzError, shown
from kibitz.records.files import as_path, replacing
from kibitz.records.record import Record

__all__ = ["read_records", "write_records"]


def read_records(source: Path | Iterable[str | bytes]) -> Iterator[Record]:
    r"""Records from JSON lines, one after the other: a document a line; empty lines are passed over.

    Args:
        source: The path of a file, or its lines as they come, such as an open file.

    Raises:
        InvalidPosition: A line is no record; it is named by its number.
        OSError: The file cannot be read.

    >>> import kibitz
    >>> record = Record.of(kibitz.load("kami").deal(seed=7))
    >>> list(read_records([record.to_json() + "\n", "\n"])) == [record]
    True
    """
    from kibitz.documents import MAX_BYTES

    if isinstance(source, Path):
        with as_path(source).open("rb") as file:
            yield from read_records(iter(lambda: file.readline(MAX_BYTES + 2), b""))
        return
    if isinstance(source, str | bytes) or not isinstance(source, Iterable):
        raise InvalidPosition(
            f"Records are read from a pathlib.Path or from lines, not from {shown(source)}.", given=source
        )
    for number, line in enumerate(source, start=1):
        try:
            if not isinstance(line, str | bytes):
                raise InvalidPosition(f"A line is a text, not {shown(line)}.", given=line)
            if len(line) > MAX_BYTES + 1:  # one for the end of the line
                raise InvalidPosition(f"It has more than {MAX_BYTES:,} bytes, the most that are read.")
            text = line.decode() if isinstance(line, bytes) else line
            if text.removeprefix("\N{BYTE ORDER MARK}").strip():
                yield Record.load(text)
        except UnicodeDecodeError as error:
            raise InvalidPosition(
                f"Line {number} is not UTF-8: {error.reason} at byte {error.start}.", given=line
            ) from None
        except KibitzError as error:
            raise InvalidPosition(
                f"Line {number}: {error.message}", given=line, allowed=error.allowed, rule=error.rule
            ) from error


def write_records(path: str | Path, records: Iterable[Record]) -> int:
    """Writes records as JSON lines, each as it comes; the file is there, whole, when all are written, else not at all.

    Returns:
        How many.

    Raises:
        InvalidOption: No name of a file, or something that is no record; nothing is written then.
        OSError: It cannot be written.
    """
    written = 0
    with replacing(path) as file:
        for each in records:
            if not isinstance(each, Record):
                raise InvalidOption(f"{shown(each)} is no record; Record.of makes one.", given=each)
            file.write(each.to_json() + "\n")
            written += 1
    return written
