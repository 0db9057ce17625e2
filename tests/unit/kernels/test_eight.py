"""8-bit floats by tables beside what `ml_dtypes` makes of them."""

import numpy as np
import pytest

from hotloop.kernels._eight import narrowed, widened
from hotloop.model.dtype import dtype_of

NAMES = ["float8_e4m3fn", "float8_e4m3fnuz"]


@pytest.mark.parametrize("name", NAMES)
def test_every_number_comes_back(name):
    bits = np.arange(256).astype(np.uint8)
    numbers = bits.view(dtype_of(name))
    wide = widened(numbers.reshape(16, 16))
    assert np.array_equal(wide.ravel(), numbers.astype(np.float64), equal_nan=True)
    back = narrowed(wide.astype(np.float32), name)
    assert back.dtype == dtype_of(name)
    assert back.shape == (16, 16)
    assert np.array_equal(back.astype(np.float32).ravel(), wide.ravel(), equal_nan=True)


@pytest.mark.parametrize("name", NAMES)
def test_drawn_numbers_are_rounded_to_a_neighbour(name):
    drawn = np.random.default_rng(3).standard_normal((257, 1031), np.float32)
    found, wanted = (x.astype(np.float64) for x in (narrowed(drawn, name), drawn.astype(dtype_of(name))))
    assert np.mean(found != wanted) < 1e-2
    assert np.all(np.abs(found - wanted) <= np.maximum(2.0**-3 * np.abs(drawn), 2.0**-9))


def test_others_are_widened_as_they_are():
    assert widened(np.arange(5, dtype=np.int8)).tolist() == [0, 1, 2, 3, 4]
    assert widened(np.ones((3, 4), dtype_of("bfloat16"))[:, ::2]).shape == (3, 2)
