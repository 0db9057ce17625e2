"""What the expressions of the tables may call on the bits of integers; the names are those of C functions with the same meaning.

Sources: AMD's RDNA 1 to 4 and CDNA 3 and 4 ISA references, chapters "Vector ALU" and "Instructions".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from hotloop.emulate.arrays import Array


def umulhi(a: Array, b: Array) -> Array:
    """Return the upper half of the unsigned 64-bit product."""
    return (a.astype(np.uint64) * b.astype(np.uint64) >> np.uint64(32)).astype(np.uint32)


def imulhi(a: Array, b: Array) -> Array:
    """Return the upper half of the signed 64-bit product."""
    return (a.astype(np.int64) * b.astype(np.int64) >> 32).astype(np.int32)


def u24(a: Array) -> Array:
    """Return the low 24 bits."""
    return a & np.uint32(0xFFFFFF)


def i24(a: Array) -> Array:
    """Return the low 24 bits, extended by their sign."""
    return (a << 8) >> 8


def bfe_u(a: Array, offset: Array, width: Array) -> Array:
    """Return an unsigned bit field."""
    size = width & 31
    return (a >> (offset & 31)) & ((np.uint32(1) << size) - np.uint32(1))


def bfe_i(a: Array, offset: Array, width: Array) -> Array:
    """Return a bit field extended by its sign; `a` is signed, offset and width are not."""
    size = (width & 31).astype(np.int64)
    moved = (a.astype(np.int64) >> (offset & 31).astype(np.int64)) & ((np.int64(1) << size) - 1)
    sign = np.where(size > 0, np.int64(1) << np.maximum(size - 1, 0), 0)
    return ((moved ^ sign) - sign).astype(np.int32)


def popcount(a: Array) -> Array:
    """Return how many bits are set."""
    return np.bitwise_count(a).astype(np.uint32)


def clz(a: Array) -> Array:
    """Return the leading zero bits of 32; -1 when there is no other bit."""
    exponent = np.frexp(a.astype(np.float64))[1].astype(np.int32)
    return np.where(a == 0, -1, 32 - exponent).astype(np.int32)


def ctz(a: Array) -> Array:
    """Return the trailing zero bits; -1 for zero."""
    lowest = a & (~a + np.uint32(1))
    return np.where(a == 0, -1, np.bitwise_count(lowest - np.uint32(1)).astype(np.int32)).astype(np.int32)


def clz64(a: Array) -> Array:
    """Return the leading zero bits of 64; -1 for zero."""
    high, low = (a >> np.uint64(32)).astype(np.uint32), (a & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    return np.where(high != 0, clz(high), np.where(low != 0, clz(low) + 32, -1)).astype(np.int32)


def ctz64(a: Array) -> Array:
    """Return the trailing zero bits of 64; -1 for zero."""
    high, low = (a >> np.uint64(32)).astype(np.uint32), (a & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    return np.where(low != 0, ctz(low), np.where(high != 0, ctz(high) + 32, -1)).astype(np.int32)


def field_u(a: Array, b: Array) -> Array:
    """Return the bit field whose offset stands in bits 0 to 4 of b and whose width in bits 16 to 22."""
    return field_u64(a.astype(np.uint64), b & np.uint32(0x7F001F)).astype(np.uint32)


def field_i(a: Array, b: Array) -> Array:
    """Return the same, extended by its sign."""
    width = (b >> np.uint32(16) & np.uint32(0x7F)).astype(np.int64)
    moved = (a.astype(np.int64) >> (b & np.uint32(31)).astype(np.int64)) & ((np.int64(1) << np.minimum(width, 62)) - 1)
    sign = np.where(width > 0, np.int64(1) << np.clip(width - 1, 0, 62), 0)
    return ((moved ^ sign) - sign).astype(np.int32)


def field_u64(a: Array, b: Array) -> Array:
    """Return the bit field of 64 bits whose offset stands in bits 0 to 5 of b and whose width in bits 16 to 22."""
    width = (b >> np.uint32(16) & np.uint32(0x7F)).astype(np.uint64)
    mask = np.where(width >= 64, ~np.uint64(0), (np.uint64(1) << np.minimum(width, np.uint64(63))) - np.uint64(1))
    return (a >> (b & np.uint32(63)).astype(np.uint64)) & mask


def field_i64(a: Array, b: Array) -> Array:
    """Return the same, extended by its sign."""
    width = (b >> np.uint32(16) & np.uint32(0x7F)).astype(np.uint64)
    offset = (b & np.uint32(63)).astype(np.int64)
    moved = field_u64((a >> offset).view(np.uint64), b & np.uint32(0x7F0000))
    sign = np.where((width > 0) & (width < 64), np.uint64(1) << (np.clip(width, 1, 64) - np.uint64(1)), np.uint64(0))
    return ((moved ^ sign) - sign).view(np.int64)


def cls(a: Array) -> Array:
    """Return how often the sign bit is repeated from the top; -1 when all bits are alike."""
    bits = a.astype(np.int32)
    return clz((bits ^ (bits >> 31)).astype(np.uint32))


def reverse(a: Array) -> Array:
    """Return the bits in reverse order."""
    shape = np.shape(a)
    octets = np.ascontiguousarray(a).reshape(-1, 1).view(np.uint8)
    bits = np.unpackbits(octets, axis=1, bitorder="little")[:, ::-1]
    return np.packbits(bits, axis=1, bitorder="little").view(a.dtype).reshape(shape)


def _moved(a: Array, b: Array, selector: int) -> Array:
    """Return the same bytes chosen in all lanes, as compilers do it to pack halves: 0 to 3 of b, 4 to 7 of a."""
    a, b = np.broadcast_arrays(a, b)
    octets = [np.ascontiguousarray(word).view(np.uint8).reshape(*word.shape, 4) for word in (b, a)]
    result = np.empty((*a.shape, 4), np.uint8)
    for place in range(4):
        choice = selector >> 8 * place & 7
        result[..., place] = octets[choice >> 2][..., choice & 3]
    return result.view(np.uint32)[..., 0]


def perm(a: Array, b: Array, selector: Array) -> Array:
    """Return bytes chosen from the pair {a, b}: 0 to 3 of b, 4 to 7 of a, 8 to 11 signs, 12 zero, above 255."""
    chosen = int(selector.flat[0]) if np.size(selector) else 0
    if (selector == np.uint32(chosen)).all() and not chosen & 0xF8F8F8F8:
        return _moved(a, b, chosen)
    a, b, selector = np.broadcast_arrays(a, b, selector)
    pair = a.astype(np.uint64) << np.uint64(32) | b.astype(np.uint64)
    result = np.zeros(a.shape, np.uint64)
    for place in range(4):
        choice = (selector >> np.uint32(8 * place)) & np.uint32(0xFF)
        octet = (pair >> (np.minimum(choice, 7).astype(np.uint64) * np.uint64(8))) & np.uint64(0xFF)
        if (choice > 7).any():
            sign = (
                pair >> ((np.clip(choice, 8, 11).astype(np.uint64) - np.uint64(8)) * np.uint64(16) + np.uint64(15))
            ) & np.uint64(1)
            special = np.where(choice < 12, sign * np.uint64(255), np.where(choice == 12, np.uint64(0), np.uint64(255)))
            octet = np.where(choice > 7, special, octet)
        result |= octet << np.uint64(8 * place)
    return result.astype(np.uint32)


def alignbit(a: Array, b: Array, shift: Array) -> Array:
    """Return the low word of {a, b} moved right by bits."""
    pair = a.astype(np.uint64) << np.uint64(32) | b.astype(np.uint64)
    return (pair >> (shift & np.uint32(31)).astype(np.uint64)).astype(np.uint32)


def alignbyte(a: Array, b: Array, shift: Array) -> Array:
    """Return the low word of {a, b} moved right by bytes."""
    return alignbit(a, b, (shift & np.uint32(3)) * np.uint32(8))


def pack(low: Array, high: Array) -> Array:
    """Return two 16-bit values of any type as one word."""
    low, high = np.broadcast_arrays(low, high)
    return bits16(low).astype(np.uint32) | bits16(high).astype(np.uint32) << np.uint32(16)


def bits16(a: Array) -> Array:
    """Return the bits of 16-bit values."""
    return a.view(np.uint16) if a.dtype != np.uint16 else a


def half_of(a: Array) -> Array:
    """Return bits as float16."""
    return a.view(np.float16)


def bitop3(a: Array, b: Array, c: Array, truth: int) -> Array:
    """Return the bitwise function of three words or halves whose truth table is given: bit 4a + 2b + c of it."""
    result = np.zeros(np.broadcast_shapes(np.shape(a), np.shape(b), np.shape(c)), a.dtype)
    for case in range(8):
        if truth >> case & 1:
            result |= (a if case & 4 else ~a) & (b if case & 2 else ~b) & (c if case & 1 else ~c)
    return result


def sad_u8(a: Array, b: Array, c: Array) -> Array:
    """Return c plus the sum of absolute differences of the four bytes."""
    total = c
    for place in (0, 8, 16, 24):
        x, y = a >> np.uint32(place) & np.uint32(255), b >> np.uint32(place) & np.uint32(255)
        total = total + (np.maximum(x, y) - np.minimum(x, y))
    return total


def msad_u8(a: Array, b: Array, c: Array) -> Array:
    """Return c plus the absolute differences of the bytes that are not 0 in b."""
    total = c
    for place in (0, 8, 16, 24):
        x, y = a >> np.uint32(place) & np.uint32(255), b >> np.uint32(place) & np.uint32(255)
        total = total + np.where(y, np.maximum(x, y) - np.minimum(x, y), np.uint32(0))
    return total


def qsad_u8(a: Array, b: Array, c: Array) -> Array:
    """Return four `sad_u8` of 16 bits each: of the words that begin at bytes 0 to 3 of a."""
    return _four(sad_u8, a, b, c)


def mqsad_u8(a: Array, b: Array, c: Array) -> Array:
    """Return four `msad_u8` as `qsad_u8` does."""
    return _four(msad_u8, a, b, c)


def _four(each: Callable[[Array, Array, Array], Array], a: Array, b: Array, c: Array) -> Array:
    total: Array = np.zeros(np.shape(a), np.uint64)
    for n in range(4):
        word = (a >> np.uint64(8 * n)).astype(np.uint32)
        found = each(word, b, (c >> np.uint64(16 * n) & np.uint64(0xFFFF)).astype(np.uint32))
        total = total | (found & np.uint32(0xFFFF)).astype(np.uint64) << np.uint64(16 * n)
    return total


def quadmask(a: Array) -> Array:
    """Return a bit for each four bits: whether one of them is set."""
    a = (a | a >> np.uint64(1) | a >> np.uint64(2) | a >> np.uint64(3)) & np.uint64(0x1111111111111111)
    return sum((a >> np.uint64(3 * n) & np.uint64(1 << n) for n in range(16)), np.zeros_like(a))


def replicate(a: Array) -> Array:
    """Return each bit twice."""
    wide = a.astype(np.uint64)
    return sum(((wide >> np.uint64(n) & np.uint64(1)) * np.uint64(3 << 2 * n) for n in range(32)), np.zeros_like(wide))
