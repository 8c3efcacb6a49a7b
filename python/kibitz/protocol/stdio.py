"""The protocol on standard input and output: one JSON object a line."""

import os
import sys
from collections.abc import Iterator
from typing import BinaryIO

from kibitz.errors import InvalidOption
from kibitz.protocol.host import Host
from kibitz.protocol.messages import LINE_BYTES
from kibitz.protocol.work import Work

__all__ = ["run"]

DRAIN_SECONDS = 1.0  # at the end of input, for answers that are on their way
SWITCH_SECONDS = 0.0005  # a thread that has found its move must not wait for long until it may say so


def run(work: Work | None = None) -> int:
    """Answers lines until the end of input or `quit`; the exit code.

    Standard output carries the protocol only: whatever else is printed in this process goes to standard error.

    Raises:
        InvalidOption: Standard input or output is closed.
    """
    if sys.stdin is None or sys.stdout is None:
        raise InvalidOption("The engine speaks on standard input and output, and one of them is closed.")
    sys.setswitchinterval(SWITCH_SECONDS)
    sys.stdout.flush()
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0)
    aside = os.open(os.devnull, os.O_WRONLY) if sys.stderr is None else sys.stderr.fileno()
    os.dup2(aside, sys.stdout.fileno())
    host = Host(_Writer(out).send, work=work)
    code, ended = 0, True
    try:
        for line in _lines(sys.stdin.buffer):
            host.receive(line)
            if host.closed:
                break
        host.drain(DRAIN_SECONDS)
    except KeyboardInterrupt:
        code = 130
    finally:
        ended = host.close()
    if not ended:
        os._exit(code)  # a review's search that does not look up would keep the process alive
    return code


class _Writer:
    """Whole lines, at once; a reader that has gone is the end of input soon, and no fault."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._gone = False

    def send(self, line: str) -> None:
        data = memoryview(line.encode() + b"\n")
        while data and not self._gone:
            try:
                data = data[self._out.write(data) :]
            except OSError:
                self._gone = True


def _lines(source: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream without their ends.

    Of one that is too long comes as much as shows that it is; the rest is read and thrown away.
    """
    while line := source.readline(LINE_BYTES + 2):
        rest = line
        while len(rest) > LINE_BYTES and not rest.endswith(b"\n"):
            rest = source.readline(LINE_BYTES + 2)
        yield line.rstrip(b"\r\n")
