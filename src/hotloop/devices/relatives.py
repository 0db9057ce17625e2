"""Which targets are alike, so that what was tuned on one is a first guess on another."""

from __future__ import annotations

from collections.abc import Iterable

from hotloop.devices.gpu.load import canonical

LINES = (
    ("x86-64", "x86-64-avx2", "x86-64-avx512"),
    ("gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950"),
    ("gfx1010", "gfx1011", "gfx1012", "gfx1030", "gfx1031", "gfx1032", "gfx1100", "gfx1101", "gfx1102", "gfx1103", "gfx1150",
     "gfx1151", "gfx1200", "gfx1201"),
    ("sm_70", "sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90", "sm_100", "sm_103", "sm_120", "sm_121"),
)  # fmt: skip
"""Generations of one line of processors, oldest first; lines have nothing to say to each other: another width of vectors, of
waves, or another kind of local memory. Order: LLVM's "User Guide for AMDGPU Backend", table of processors; CUDA's programming
guide, compute capabilities."""


def nearest(target: str, known: Iterable[str]) -> str:
    """Return the known target of the same line with the fewest generations between, the older of two; empty for none.

    A target counts as its own nearest relative.

    >>> nearest("gfx1012:xnack-", ["gfx942", "gfx1030", "gfx1010"])
    'gfx1030'
    """
    wanted = _place(target)
    if wanted is None:
        return ""
    places = ((_place(other), other) for other in known)
    same = [(abs(place[1] - wanted[1]), place[1], other) for place, other in places if place and place[0] == wanted[0]]
    return min(same)[2] if same else ""


def _place(target: str) -> tuple[int, int] | None:
    """Return the line of a target and its place in it."""
    name = target if target.startswith("x86") else canonical(target)
    return next(((at, line.index(name)) for at, line in enumerate(LINES) if name in line), None)
