"""Compressed offload bundles, as hipcc writes them by default since ROCm 7: a head, then the bundle through zlib or zstd.

Head: the magic ``CCOB``, version and method as 16-bit words, sizes of the file and of what is inside, a hash; version 1 has no size
of the file, version 3 has sizes of 64 bits ("Clang Offload Bundler", LLVM's documentation). One bundle may follow another.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import Final

from hotloop.errors import MissingExtraError
from hotloop.isa.amdgcn.rows import ListingError

MAGIC: Final = b"CCOB"
LARGEST: Final = 1 << 31
"""Bytes of a bundle that are unpacked; libraries with kernels for ten processors have some hundred million."""
_ZLIB, _ZSTD = 0, 1
_HEADS: Final = {1: struct.Struct("<4sHHIQ"), 2: struct.Struct("<4sHHIIQ"), 3: struct.Struct("<4sHHQQQ")}
"""Magic, version, method, size of the file (not in version 1), size inside, hash."""


def unpacked(binary: bytes) -> Iterator[bytes]:
    """Yield the bundles of a section or file that begins with a compressed one.

    Raises:
        ListingError: damaged, of an unknown version or method, or too large; a ValueError.
        MissingExtraError: nothing that unpacks zstd is installed.
    """
    place = 0
    while binary.startswith(MAGIC, place):
        method, whole, inside, start = _head(binary, place)
        yield _bundle(binary[place + start : place + whole], method, inside)
        place = binary.find(MAGIC, place + whole)
        if place < 0:
            return


def _head(binary: bytes, place: int) -> tuple[int, int, int, int]:
    """Return method, size of the compressed bundle with its head, size inside, size of the head."""
    try:
        version = struct.unpack_from("<H", binary, place + len(MAGIC))[0]
        head = _HEADS[version]
        fields = head.unpack_from(binary, place)
    except (struct.error, KeyError):
        raise ListingError("the compressed offload bundle is damaged or newer than version 3") from None
    whole = fields[3] if version > 1 else len(binary) - place
    if not head.size < whole <= len(binary) - place or not 0 < fields[-2] <= LARGEST:
        raise ListingError("the compressed offload bundle is cut off, or says that it is larger than 2 GiB")
    return fields[2], whole, fields[-2], head.size


def _bundle(body: bytes, method: int, inside: int) -> bytes:
    try:
        if method == _ZLIB:
            return zlib.decompressobj().decompress(body, inside)
        if method == _ZSTD:
            return _zstd(body, inside)
    except (zlib.error, OSError, ValueError):
        raise ListingError("the compressed offload bundle is damaged: its content does not unpack") from None
    raise ListingError(f"the compressed offload bundle uses method {method}, which is neither zlib nor zstd")


def _zstd(body: bytes, inside: int) -> bytes:
    try:
        import pyarrow as pa
    except ImportError:
        raise MissingExtraError("A compressed offload bundle", "profile") from None
    return bytes(pa.decompress(body, decompressed_size=inside, codec="zstd", asbytes=True))
