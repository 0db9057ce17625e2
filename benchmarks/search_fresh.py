"""Four more families of computed tuning spaces, written on 2026-11-30 after a change of the search was fixed, to judge it by.

    python benchmarks/search_fresh.py FOLDER

Made in the same way as those of `search_synthetic.py`, for the same two devices. Once they were looked at they are spaces for development like the
others; whoever wants to judge a change writes new ones.
"""

from __future__ import annotations

import numpy as np
import search_synthetic
from search_synthetic import Card, Columns, Family, residency, seconds, waves


def _reduction_allowed(c: Columns) -> np.ndarray:
    return (
        (c["items"] % c["vector"] == 0)
        & (c["unroll"] <= c["items"] // c["vector"])
        & ((c["way"] != 2) | (c["passes"] == 1))
    )


def _reduction(c: Columns, card: Card) -> np.ndarray:
    numbers = 2.0**27
    threads, groups = c["block"], c["groups"] * card.units
    registers = 14 + c["vector"] * c["unroll"] * 2 + 4 * (c["way"] == 0)
    local = np.where(c["way"] == 1, 4 * threads * c["copies"], 128)
    warps = residency(card, threads, registers, local)
    turns = numbers / (groups * threads * c["items"])
    narrow = 1 + 0.35 / (c["vector"] * np.minimum(c["unroll"], 4)) ** 0.8
    strided = np.where((c["order"] == 1) & (c["items"] > 4), 1 + 0.08 * c["items"], 1.0)
    last = groups * (np.where(c["passes"] == 2, 3.0, 14.0) + 20.0 * (c["way"] == 2)) + 9000.0 * (c["passes"] - 1)
    inside = 1 + np.where(c["way"] == 1, 0.05, 0.02) * np.log2(threads) * threads / 256 / np.maximum(turns, 1)
    time = seconds(card, numbers * 1.5 * inside, 4 * numbers * narrow * strided, warps, c["unroll"] * 1.0, registers)
    return np.where(turns < 1, np.nan, time * waves(card, groups * 1.0, warps * 32 // threads) + 1e-6 * last)


def _transpose_allowed(c: Columns) -> np.ndarray:
    return (
        (c["tile_x"] % c["vector"] == 0)
        & (c["tile_y"] % c["rows"] == 0)
        & (c["tile_x"] // c["vector"] * c["rows"] <= 1024)
    )


def _transpose(c: Columns, card: Card) -> np.ndarray:
    side = 8192.0
    threads = np.maximum(c["tile_x"] // c["vector"] * c["rows"], 1)
    each = c["tile_y"] // c["rows"]
    local = np.where(c["staged"] == 1, 4 * (c["tile_x"] + c["pad"]) * c["tile_y"], 0)
    registers = 16 + 2 * each * c["vector"]
    warps = residency(card, threads, registers, local)
    ways = np.gcd(c["tile_x"] + c["pad"], 32)
    conflict = np.where((c["staged"] == 1) & (c["swizzle"] == 0), 1 + 0.09 * (ways - 1), 1 + 0.03 * c["swizzle"])
    conflict = conflict * np.where((c["swizzle"] == 1) & (c["pad"] > 0), 1.25, 1.0)
    read = 1 + 0.7 / np.minimum(c["tile_x"] / 16.0, 4)
    written = np.where(c["staged"] == 1, 1 + 0.7 / np.minimum(c["tile_y"] / 16.0, 4), 4.0 / np.minimum(each, 8) ** 0.5)
    camped = np.where((c["diagonal"] == 0) & (card.units > 50), 1.15, 1.0)
    time = seconds(
        card,
        2 * side**2 * conflict * (1 + 1.0 / each),
        4 * side**2 * (read + written) * camped,
        warps,
        each * 1.0,
        registers,
    )
    return time * conflict**0.5 * waves(card, (side / c["tile_x"]) * (side / c["tile_y"]), warps * 32 // threads)


def _histogram_allowed(c: Columns) -> np.ndarray:
    return ((c["private"] > 0) | (c["copies"] == 1)) & (c["copies"] * 32 <= c["block"] * 2)


def _histogram(c: Columns, card: Card) -> np.ndarray:
    pixels, bins = 2.0**26, 1024.0
    wide = np.where(c["packed"] == 1, 2, 4)
    local = np.where(c["private"] > 0, c["copies"] * bins * wide, 0).astype(int)
    registers = 18 + 2 * c["vector"] * c["unroll"]
    warps = residency(card, c["block"], registers, local)
    groups = c["groups"] * card.units
    crowd = np.where(c["private"] > 0, c["block"] / (64.0 * c["copies"]), 12.0)
    clash = 1 + 0.6 * crowd**0.7 * np.where(c["private"] == 2, 0.7, 1.0) * np.where(c["packed"] == 1, 1.2, 1.0)
    merge = groups * bins * np.where(c["private"] > 0, 1.0 + 0.4 * c["copies"], 0.0) * 0.08
    narrow = 1 + 0.5 / (c["vector"] * np.minimum(c["unroll"], 4)) ** 0.7
    time = seconds(card, pixels * 9 * clash, pixels * 4 * narrow, warps, c["unroll"] * 1.0, registers)
    return time * waves(card, groups * 1.0, warps * 32 // c["block"]) + 1e-6 * merge


def _matvec_allowed(c: Columns) -> np.ndarray:
    threads = c["bx"] * c["by"]
    return (threads >= 32) & (threads <= 1024) & (c["cols"] % c["vector"] == 0) & ((c["split"] == 1) | (c["rows"] <= 4))


def _matvec(c: Columns, card: Card) -> np.ndarray:
    high, wide = 16384.0, 8192.0
    threads = c["bx"] * c["by"]
    registers = 20 + c["rows"] * (2 + c["vector"]) + c["cols"] + 8 * c["ahead"]
    local = 4 * c["bx"] * c["cols"] * c["keep"] * (1 + c["ahead"]) + 4 * threads * (c["sum"] == 1)
    warps = residency(card, threads, registers, local)
    narrow = 1 + 0.8 / np.minimum(c["bx"] * c["vector"] / 32.0, 8) ** 0.8
    again = np.where(c["keep"] == 1, 0.02, 0.6 / (c["rows"] * c["by"]) ** 0.7)
    sums = 1 + 0.004 * c["bx"] * np.where(c["sum"] == 1, 1.4, 1.0) / c["cols"] ** 0.5 + 0.1 * (c["split"] - 1) ** 0.5
    wait = np.where((c["keep"] == 1) & (c["ahead"] == 0), 1.18, 1.0)
    time = seconds(
        card,
        high * wide * 3 * sums * wait,
        4 * high * wide * (narrow + again),
        warps,
        np.sqrt(c["rows"] * c["cols"] * 1.0),
        registers,
    )
    return time * wait * waves(card, high / (c["rows"] * c["by"]) * c["split"], warps * 32 // threads)


FRESH = {
    "reduction": Family(
        {
            "block": (32, 64, 96, 128, 192, 256, 384, 512, 768, 1024), "items": (1, 2, 4, 8, 16, 32), "vector": (1, 2, 4), "unroll": (1, 2, 4, 8),
            "groups": (1, 2, 3, 4, 6, 8, 16, 32, 64), "way": (0, 1, 2), "passes": (1, 2), "order": (0, 1), "copies": (1, 2),
        },
        _reduction_allowed, _reduction, ("items", "vector", "unroll", "way"),
    ),
    "transpose": Family(
        {
            "tile_x": (8, 16, 32, 48, 64, 96, 128), "tile_y": (8, 16, 32, 48, 64, 96, 128), "rows": (1, 2, 4, 8, 16, 32), "vector": (1, 2, 4),
            "pad": (0, 1, 2, 4), "swizzle": (0, 1), "staged": (0, 1), "diagonal": (0, 1),
        },
        _transpose_allowed, _transpose, ("tile_y", "rows", "vector", "swizzle", "staged"),
    ),
    "histogram": Family(
        {
            "block": (64, 128, 192, 256, 384, 512, 768, 1024), "groups": (1, 2, 3, 4, 6, 8, 12, 16), "copies": (1, 2, 4, 8, 16, 32), "private": (0, 1, 2),
            "vector": (1, 2, 4), "unroll": (1, 2, 4, 8), "packed": (0, 1),
        },
        _histogram_allowed, _histogram, ("copies", "private", "vector", "unroll", "packed"),
    ),
    "matvec": Family(
        {
            "bx": (8, 16, 32, 64, 128, 256), "by": (1, 2, 4, 8, 16, 32), "rows": (1, 2, 3, 4, 6, 8), "cols": (1, 2, 4, 8), "vector": (1, 2, 4),
            "keep": (0, 1), "ahead": (0, 1), "sum": (0, 1), "split": (1, 2, 4, 8),
        },
        _matvec_allowed, _matvec, ("rows", "cols", "vector", "keep", "sum"),
    ),
}  # fmt: skip


if __name__ == "__main__":
    search_synthetic.FAMILIES.clear()
    search_synthetic.FAMILIES.update(FRESH)
    search_synthetic.main()
