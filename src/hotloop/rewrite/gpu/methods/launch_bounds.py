"""The head of a kernel says how many threads its blocks have at most, so that the compiler need not save registers for more.

What it changes: ``void k(...)`` becomes ``void __launch_bounds__(256) k(...)`` for blocks of 256 threads.
When it applies: the size of a block is known, and the head does not say it. A launch of larger blocks fails from then on.
What it costs: nothing; without it HIP's compiler allows for 1024 threads.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod

from hotloop.rewrite.form import Keeps, Posed, Rewrite
from hotloop.rewrite.shape import RefusedError

_MOST = 1024


def apply(posed: Posed, value: int | str) -> Posed:
    """Apply it for the blocks of the launch."""
    del value
    if not posed.group:
        raise RefusedError("the size of its blocks is not known")
    if not 0 < (threads := prod(posed.group)) <= _MOST:
        raise RefusedError(f"no GPU has blocks of {threads} threads")
    return replace(posed, promised=threads)


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the line of the kernel's name."""
    return (posed.function.line,)


REWRITE = Rewrite(
    name="launch-bounds",
    text=__doc__,
    package="hotloop.rewrite.gpu.methods",
    technique="lower-registers",
    keeps=Keeps.BITS,
    values=("off", "on"),
    apply=apply,
    lines=lines,
    gain=lambda _posed: (1.0, 1.3),
    order=90,
)
