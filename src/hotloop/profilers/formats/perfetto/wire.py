"""Protocol Buffers' wire format: the fields of a message, without knowing its schema.

Source: *Protocol Buffers, Encoding*: a field is its number and wire type, then a varint, 8 or 4 bytes, or a length and bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

VARINT, EIGHT, BYTES, FOUR = 0, 1, 2, 5
_PACKET: Final = 0x0A
"""First byte of each packet of a trace: field 1, bytes."""
_LONGEST: Final = 10
"""Bytes of a varint of 64 bits."""
_KNOWN: Final = frozenset({6, 8, 10, 11, 12, 13, 33, 35, 36, 41, 43, 44, 45, 46, 58, 59, 60, 79, 87, 89, 90})
"""Fields of ``TracePacket`` that the first packets of a trace have (perfetto, ``trace_packet.proto``)."""
_LOOKED_AT: Final = 3

Value = int | memoryview


class DamagedError(ValueError):
    """Bytes that are no message."""


def fields(message: memoryview) -> Iterator[tuple[int, Value]]:
    """Yield number and value of each field: an integer, or the bytes of a text or of a message within.

    Raises:
        DamagedError: the bytes are no message, or it is cut off.
    """
    place, end = 0, len(message)
    while place < end:
        key, place = _varint(message, place)
        number, kind = key >> 3, key & 7
        if kind == VARINT:
            value, place = _varint(message, place)
            yield number, value
            continue
        size = {EIGHT: 8, FOUR: 4}.get(kind, 0)
        if kind == BYTES:
            size, place = _varint(message, place)
        if kind not in {EIGHT, BYTES, FOUR} or not number or place + size > end:
            raise DamagedError
        inside = message[place : place + size]
        place += size
        yield number, inside if kind == BYTES else int.from_bytes(inside, "little")


def _varint(message: memoryview, place: int) -> tuple[int, int]:
    value = shift = 0
    for byte in message[place : place + _LONGEST]:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, place + shift // 7
    raise DamagedError


def begins(raw: bytes) -> bool:
    r"""Tell whether a file that begins so is a trace: packets that hold known fields only.

    >>> begins(bytes([10, 4, 8 << 3, 1, 10 << 3, 5, 10, 2, 8 << 3, 2])), begins(b"\n\ntext")
    (True, False)
    """
    message, place, packets = memoryview(raw), 0, 0
    while packets < _LOOKED_AT and place + 1 < len(message) and message[place] == _PACKET:
        try:
            size, place = _varint(message, place + 1)
            if place + size > len(message):
                return packets > 0
            numbers = [number for number, _ in fields(message[place : place + size])]
        except DamagedError:
            return False
        if not numbers or not _KNOWN.issuperset(numbers):
            return False
        packets, place = packets + 1, place + size
    return packets > 0 and (packets == _LOOKED_AT or place == len(message))


def text(value: Value) -> str:
    """Return the text of a field of bytes; empty for a number."""
    return bytes(value).decode("utf-8", "replace") if isinstance(value, memoryview) else ""
