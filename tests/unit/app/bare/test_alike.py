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


@pytest.mark.parametrize("shape", [(), (64,), (1, 64), (16, 4), (4, 16), (5, 12)])
def test_whole_numbers_change_their_order_so_that_places_to_store_to_stay_apart(shape):
    kept = np.concatenate([np.arange(60)[::-1], np.full(4, -1)]).astype(np.int32)
    drawn = alike(kept, 64, np.random.default_rng(3), shape)
    assert sorted(drawn) == sorted(kept)
    assert (drawn != kept).any()
    if shape in ((16, 4), (4, 16)):
        assert sorted(map(tuple, drawn.reshape(shape))) == sorted(map(tuple, kept.reshape(shape)))


def test_whole_numbers_of_which_only_the_beginning_was_kept_are_drawn_from_it():
    drawn = alike(np.array([5, 3, 9]), 40, np.random.default_rng(3))
    assert set(drawn) == {3, 5, 9}


@pytest.mark.parametrize("length", [80, 160, 24])
def test_short_vectors_stay_together(length):
    lanes = 8
    kept = np.tile(np.concatenate([[0.0], np.full(6, 1.0), [4096.0]]), 10).astype(np.float32)
    drawn = alike(kept, length, np.random.default_rng(5), lanes=lanes).reshape(-1, lanes)
    assert (drawn[:, 0] == 0).all()
    assert (drawn[:, -1] > 3000).all()
    whole = alike(np.arange(80)[::-1].astype(np.int32), length, np.random.default_rng(5), lanes=lanes)
    assert (np.diff(whole.reshape(-1, lanes)) == -1).all()
