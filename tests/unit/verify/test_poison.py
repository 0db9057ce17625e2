import numpy as np
import pytest

from hotloop.verify.poison import fill, fill_scratch, is_poison, pattern

FLOATS = ["float16", "float32", "float64"]


@pytest.mark.parametrize("dtype", FLOATS)
def test_first_pattern_is_nan_second_large_and_finite(dtype):
    assert np.isnan(pattern(dtype, 0).view(dtype)[0])
    large = pattern(dtype, 1).view(dtype)[0]
    assert np.isfinite(large)
    assert large > np.finfo(dtype).max / 1e4


@pytest.mark.parametrize("dtype", [*FLOATS, "int8", "uint16", "int32", "uint64", "bool"])
@pytest.mark.parametrize("poison", [0, 1, 2])
def test_filled_memory_is_recognised_until_written(dtype, poison):
    payload = np.zeros(10 * np.dtype(dtype).itemsize, np.uint8)
    fill(payload, dtype, poison)
    values = payload.view(dtype)
    assert is_poison(values, poison).all()
    assert not is_poison(values, poison + 1).any()
    values[3] = 1
    assert is_poison(values, poison).tolist() == [i != 3 for i in range(10)]


def test_ordinary_nan_is_not_poison():
    assert not is_poison(np.array([np.nan], "f4"), 0).any()


@pytest.mark.parametrize("dtype", FLOATS)
def test_scratch_is_poison_for_every_float(dtype):
    area = np.zeros(65, np.uint8)
    fill_scratch(area, 0)
    assert np.isnan(area[:64].view(dtype)).all()
    fill_scratch(area, 1)
    assert (np.isfinite(area[:64].view(dtype)) & (area[:64].view(dtype) > 1e4)).all()


def test_unusual_item_sizes():
    values = np.zeros(3, "complex128")
    fill(values.view(np.uint8), "complex128", 1)
    assert is_poison(values, 1).all()
