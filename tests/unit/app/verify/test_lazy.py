"""Notes on what a kernel file cannot see."""

from __future__ import annotations

import numpy as np
import pytest

from hotloop.app.verify.lazy import notes
from hotloop.model.kernel import Empty, Implementation, Kernel
from hotloop.model.problem import Problem, Work
from hotloop.model.program import Program
from hotloop.model.record import Record
from hotloop.model.space import Config, Space


def kernel(shift, *, domain=None):
    def inputs(p, rng):
        x = rng.integers(-(2**31), 2**31, p.n, dtype=np.int32)
        return {"x": x, "y": Empty((p.n,), "int32"), "n": np.int32(p.n), "shift": shift(p, rng)}

    return Kernel(
        family="shift",
        problem=Problem("shift", Record(n=100)),
        inputs=inputs,
        reference=lambda p, i: {"y": i["x"].astype(np.int64) >> int(i["shift"])},
        work=lambda p: Work(1, 1),
        implementations=(Implementation("null", "null", Space(()), Config(), lambda p, c, d: Program("null", "")),),
        awkward=lambda p: (p.replace(n=1), p.replace(n=65)),
        domain=domain or {},
        varied=True,
    )


def about_shift(made):
    return [note for note in notes(made, made.problem, 1) if note.startswith("shift ")]


def test_a_whole_number_that_no_input_changes_is_told():
    (note,) = about_shift(kernel(lambda p, rng: np.int32(3)))
    assert "shift is 3 in every input" in note
    assert "domain=dict(shift='fixed')" in note


@pytest.mark.parametrize(
    "made",
    [
        kernel(lambda p, rng: np.int32(rng.integers(1, 9))),
        kernel(lambda p, rng: np.int32(1 + p.n % 7)),
        kernel(lambda p, rng: np.int32(3), domain={"shift": "fixed"}),
        kernel(lambda p, rng: np.float32(3)),
    ],
    ids=("drawn", "by the size", "the file says so", "a fraction, which the check varies"),
)
def test_numbers_that_change_or_are_named_are_not(made):
    assert about_shift(made) == []
