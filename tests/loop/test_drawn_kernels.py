"""A deterministic sample of `benchmarks/rewrite_hunt.py`: random kernels under rewrites give the bits of their own texts."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from hotloop.errors import MachineError

sys.path.insert(0, str(Path(__file__).parents[1] / "common"))

from against import Bench, forms  # type: ignore[import-not-found]
from drawn import drawn  # type: ignore[import-not-found]
from drawn_groups import EVERY, of_kind  # type: ignore[import-not-found]

SEEDS = (1, 316)
"""Two that found defects: a comparison of a comparison, and statements that are not understood before a loop."""


@pytest.fixture(scope="module")
def bench():
    try:
        made = Bench()
    except MachineError as reason:
        pytest.skip(f"no OpenCL runtime: {reason}")
    yield made
    made.close()


@pytest.mark.parametrize("seed", SEEDS)
def test_drawn_kernels_keep_their_results(bench, seed):
    verdicts = list(bench.judged(drawn(seed), seed, lambda prepared: forms(prepared, seed, 4)))
    assert verdicts
    assert not [(one.changes, one.wrong) for one in verdicts if one.wrong]


@pytest.mark.parametrize("kind", ["bodies", "counts", "group_sum"])
def test_kernels_of_other_kinds_keep_their_results(bench, kind):
    verdicts = list(bench.judged(of_kind(2, kind), 2, lambda prepared: forms(prepared, 2, 2)))
    assert verdicts
    assert not [(one.changes, one.wrong) for one in verdicts if one.wrong]


@pytest.mark.parametrize("kind", EVERY)
def test_a_kernel_of_each_kind_is_the_same_for_a_seed(kind):
    assert of_kind(7, kind).text == of_kind(7, kind).text
    assert "drawn(" in of_kind(7, kind).text
