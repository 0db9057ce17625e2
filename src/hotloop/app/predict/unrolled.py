"""How far clang unrolls the loops of code that is predicted: as the compilers did that most recorded times were taken with.

LLVM leaves a loop with ``#pragma unroll`` partly rolled whose unrolled size is above a limit, 16,384 by default. What counts as
size changed: of four loops that read local or device memory, the LLVM of ROCm 6.2 counts 1.4 to 3.9 times as much as that of
ROCm 7.2, which counts as the clang here does. For loops over local memory the mean is 3.0, so that the limit of ROCm 6.2
is 16,384 / 3.0 here. The counts were found by bisection with the libraries of the packages ``rocm-llvm-python`` 6.2.0 and
7.2 (docs/predict.md), not from measured times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

LIMIT = 5400
OPTIONS = ("-mllvm", f"-pragma-unroll-threshold={LIMIT}", "-Rpass=loop-unroll")
_PARTLY = re.compile(r":(\d+):\d+: remark: unrolled loop by a factor of (\d+) \[-Rpass=loop-unroll\]")
"""Remark about a loop with a known number of iterations that was unrolled in part; for other loops the remark has further words behind the
factor."""
_PRAGMA = re.compile(
    r"\s*#\s*pragma\s+(?:GCC\s+|clang\s+loop\s+)?unroll\s*(?:\(\s*full\s*\)|\(\s*enable\s*\))?\s*(?://.*)?$"
)


def doubts(log: str, text: str) -> tuple[str, ...]:
    r"""Return what speaks against a prediction of code in which a loop meant to be unrolled was left partly rolled.

    Args:
        log: what clang said with `OPTIONS`.
        text: the source.

    >>> doubts("k.hip:2:5: remark: unrolled loop by a factor of 5 [-Rpass=loop-unroll]", "#pragma unroll\n    for (;;) {}")
    ('compilers differ on the loop of line 2: as ROCm 6.2 does it is unrolled 5 times here, ROCm 7.2 may unroll it whole',)
    """
    lines = text.splitlines()
    return tuple(dict.fromkeys(_of(line, factor) for line, factor in _meant(log, lines)))


def _meant(log: str, lines: list[str]) -> Iterator[tuple[str, str]]:
    for line, factor in _PARTLY.findall(log):
        above = int(line) - 2
        if 0 <= above < len(lines) and _PRAGMA.match(lines[above]):
            yield line, factor


def _of(line: str, factor: str) -> str:
    return f"compilers differ on the loop of line {line}: as ROCm 6.2 does it is unrolled {factor} times here, ROCm 7.2 may unroll it whole"
