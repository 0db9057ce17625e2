"""Results of 16 bits that are rounded in one direction are told from results that are rounded to nearest."""

from __future__ import annotations

import numpy as np
import pytest

from hotloop.model.dtype import bfloat16
from hotloop.verify.directed import direction

EXACT = np.random.default_rng(5).standard_normal(3000)


def rounded(towards: float | None, dtype: str = "f2"):
    """Return `EXACT` in a type, rounded to nearest (None), or to the neighbour towards a number."""
    near = EXACT.astype(dtype)
    if towards is None:
        return near
    aim = np.full(near.shape, towards, dtype)
    beyond = (near > EXACT) != (towards > EXACT)
    return np.where(beyond, np.nextafter(near, aim), near)


@pytest.mark.parametrize(("towards", "words"), [(0.0, "towards zero"), (np.inf, "up"), (-np.inf, "down"), (None, None)])
def test_the_direction_of_16_bit_results_is_told(towards, words):
    assert direction(rounded(towards), EXACT) == words


def test_results_of_32_bits_equal_values_and_exact_ones_show_no_direction():
    assert direction(rounded(0.0, "f4"), EXACT) is None
    assert direction(np.repeat(rounded(0.0)[:10], 300), np.repeat(EXACT[:10], 300)) is None
    cut = rounded(0.0)
    assert direction(cut, cut.astype("f8")) is None


def test_errors_of_more_than_a_unit_are_none_of_the_last_rounding():
    assert direction(rounded(0.0), EXACT * 1.002) is None


def test_truncation_to_bfloat16_is_a_conversion_that_kernels_use():
    brain = bfloat16()
    kept = (EXACT.astype("f4").view("u4") & np.uint32(0xFFFF0000)).view("f4").astype(brain)
    assert direction(kept, EXACT) is None
    upwards = np.where(kept.astype("f8") < EXACT, np.nextafter(kept, brain.type(np.inf)), kept)
    assert direction(upwards, EXACT) == "up"
