"""The Triton kernels against float64, computed by Triton's interpreter: numbers count, times do not."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("triton")
CHILD = Path(__file__).with_name("interpreted.py")


@pytest.fixture(scope="module")
def found(interpreted):
    return interpreted(CHILD)


@pytest.mark.parametrize(
    ("name", "least"), [("taps", 10), ("patches", 18), ("strange", 2), ("operator", 4), ("lying", 4)]
)
def test_every_result_is_within_its_bound(found, name, least):
    errors = {case: error for case, error in found.items() if case.startswith(name)}
    assert len(errors) >= least
    assert {case: error for case, error in errors.items() if error > 1} == {}
