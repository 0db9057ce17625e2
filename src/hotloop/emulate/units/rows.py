"""Writing what a load brings into registers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.emulate import forms

if TYPE_CHECKING:
    from collections.abc import Callable

    from hotloop.emulate.arrays import Array
    from hotloop.emulate.cohort import Cohort, Pending
    from hotloop.emulate.forms import Form


def delivery(rows: tuple[int, ...], shape: Form) -> Callable[[Cohort, Pending], None]:
    """Return what writes a load's values, behind which the active lanes stand, when it is done."""

    def deliver(cohort: Cohort, operation: Pending) -> None:
        *values, active = operation.arrays
        write_rows(cohort, rows, values, active, shape)

    return deliver


def write_rows(c: Cohort, rows: tuple[int, ...], values: list[Array], lanes: Array, shape: Form) -> None:
    """Write loaded values into registers, in the lanes that were active when the load was issued."""
    whole = bool(lanes.all())
    for row, value in zip(rows, values, strict=True):
        bits = value if shape.half is None else forms.merged(c.v[row], value, shape.half)
        if whole:
            c.v[row] = bits
        else:
            np.copyto(c.v[row], bits, where=lanes)
