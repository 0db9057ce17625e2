"""Compares hotloop's XOR swizzle with the linear layouts that Triton itself derives from `SwizzledSharedLayout`.

    python benchmarks/swizzle_proof.py

Needs `pip install triton==3.9.0` (its binding is private and may move); no GPU. Every offset of a 32 x 64 tile is compared
for all power-of-two parameters that fit into the row. The exit code is 1 when any differs.
"""

from __future__ import annotations

import sys
from itertools import product

from hotloop.isa.banks.layout import Layout, Swizzle

ROWS, COLUMNS = 32, 64


def differing(swizzle: Swizzle, bases: list[list[int]]) -> int:
    """Return at how many offsets the two disagree; Triton's bases say which (row, column) each bit of the offset moves."""
    ours = Layout(element_bytes=1, leading=COLUMNS, swizzle=swizzle)
    wrong = 0
    for offset in range(ROWS * COLUMNS):
        row = column = 0
        for bit, (down, across) in enumerate(bases):
            if offset >> bit & 1:
                row, column = row ^ down, column ^ across
        wrong += ours.offset_bytes(row, column) != offset
    return wrong


def main() -> int:
    """Compare every swizzle."""
    from triton._C.libtriton import gluon_ir, ir
    from triton.experimental.gluon import language

    context = ir.context()
    ir.load_dialects(context)
    builder = gluon_ir.GluonOpBuilder(context)
    layouts = wrong = 0
    for vec, per_phase, max_phase in product((1, 2, 4, 8), (1, 2, 4), (1, 2, 4, 8)):
        layout = language.SwizzledSharedLayout(vec, per_phase, max_phase, [1, 0])
        bases = builder.to_linear_layout(layout._to_ir(builder), [ROWS, COLUMNS]).offset_bases  # noqa: SLF001
        layouts += 1
        wrong += differing(Swizzle(vec, per_phase, max_phase), bases)
    print(f"{layouts} swizzles, {layouts * ROWS * COLUMNS} places, {wrong} differ")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
