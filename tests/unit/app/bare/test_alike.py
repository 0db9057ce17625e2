"""Inputs of the kind that a program had."""

import ml_dtypes
import numpy as np
import pytest

from hotloop.app.bare.alike import alike


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16, ml_dtypes.bfloat16])
@pytest.mark.parametrize(("kept", "length"), [(7, 40), (300_000, 300_001), (300_000, 10)])
def test_numbers_are_the_kept_ones_changed_by_about_a_tenth(dtype, kept, length):
    values = np.concatenate([[0.0, np.inf], np.linspace(1.0, 2.0, kept - 2)]).astype(dtype)
    drawn = alike(values, length, np.random.default_rng(3))
    assert drawn.dtype == values.dtype
    assert drawn.shape == (length,)
    finite = drawn[np.isfinite(drawn) & (drawn != 0)].astype(np.float64)
    assert 0.8 < finite.min() < finite.max() < 2.4
    again = alike(values, length, np.random.default_rng(4))
    assert np.mean(again == drawn) < 0.5


def test_each_number_gets_a_change_of_its_own_with_a_root_mean_square_of_a_tenth():
    drawn = alike(np.concatenate([[2.0], np.ones(99_999)]), 100_000, np.random.default_rng(3))
    changes = drawn[drawn < 1.5] - 1.0
    assert abs(changes.mean()) < 2e-3
    assert np.sqrt(np.mean(changes**2)) == pytest.approx(0.1, rel=0.02)
    assert np.unique(changes).size > 0.99 * changes.size
