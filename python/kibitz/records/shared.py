"""A document as one text that may stand in an address: compressed, base64url, with its version in front."""

import re
from collections.abc import Mapping
from typing import Any

from kibitz.errors import InvalidPosition, shown

__all__ = ["SHARE", "packed", "unpacked"]

SHARE = "kibitz1."
"""How such a text begins: the format and its version."""


def packed(document: Mapping[str, Any]) -> str:
    """The text of a document.

    >>> unpacked(packed({"game": "kami"}))
    b'{"game":"kami"}'
    """
    import json
    from base64 import urlsafe_b64encode
    from zlib import compress

    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return SHARE + urlsafe_b64encode(compress(text.encode(), 9)).decode().rstrip("=")


def unpacked(text: object) -> bytes:
    """The JSON of a document in a shared text.

    Raises:
        InvalidPosition: No such text, damaged, or too long when unpacked; no more than that is ever unpacked.
    """
    import zlib
    from base64 import urlsafe_b64decode

    from kibitz.documents import MAX_BYTES

    if not isinstance(text, str):
        raise InvalidPosition(f"A shared record is a text, not {shown(text)}.", given=text)
    body = text.strip()
    if not body.startswith(SHARE):
        raise InvalidPosition(
            f"{shown(text)} is no shared record of this version; one begins with {SHARE!r}.",
            given=text,
            allowed=(SHARE,),
        )
    body = body[len(SHARE) :]
    if len(body) > 2 * MAX_BYTES:
        raise InvalidPosition(
            f"The shared text has {len(body):,} characters; at most {2 * MAX_BYTES:,} are read."
        )
    if not re.fullmatch(r"[A-Za-z0-9_-]*", body) or len(body) % 4 == 1:
        raise InvalidPosition("The shared text is damaged: it is letters, digits, - and _ in groups of four.")
    unpacker = zlib.decompressobj()
    try:
        found = unpacker.decompress(urlsafe_b64decode(body + "=" * (-len(body) % 4)), MAX_BYTES + 1)
    except zlib.error:
        raise InvalidPosition("The shared text is damaged: it cannot be unpacked.") from None
    if len(found) > MAX_BYTES:
        raise InvalidPosition(f"The shared text has more than {MAX_BYTES:,} bytes when unpacked.")
    if not unpacker.eof or unpacker.unused_data:
        raise InvalidPosition("The shared text is damaged: it was cut off, or something was added.")
    return found
