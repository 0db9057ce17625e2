import numpy as np
import pytest

from hotloop.ports import BAND_BYTES
from hotloop.verify.guards import (
    banded_bytes,
    canary,
    first_change,
    make_banded,
    make_scratch,
    overrun,
    payload_view,
)
from hotloop.verify.poison import is_poison


@pytest.mark.parametrize("shape", [(), (0,), (7,), (3, 5), (2, 0, 4)])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int8"])
def test_inputs_survive_the_banding(shape, dtype):
    values = np.random.default_rng(0).integers(-9, 9, shape).astype(dtype)
    banded = make_banded(values)
    assert banded.size == banded_bytes(values.nbytes)
    assert np.array_equal(payload_view(banded, dtype, shape), values)
    assert overrun(banded) is None


def test_fortran_order_becomes_c_order():
    values = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    assert np.array_equal(payload_view(make_banded(values), "f8", (2, 3)), values)


def test_outputs_are_poisoned_and_shared_with_the_view():
    banded = make_banded(shape=(4, 4), dtype="float32", poison=1)
    view = payload_view(banded, "float32", (4, 4))
    assert is_poison(view, 1).all()
    view[0, 0] = 1.0
    assert payload_view(banded, "float32", (4, 4))[0, 0] == 1.0


def test_canary_is_nan_for_every_float_and_read_only():
    for dtype in ("float16", "float32", "float64"):
        assert np.isnan(canary().view(dtype)).all()
        assert np.isnan(canary(5).view(dtype)).all()
    with pytest.raises(ValueError, match="read-only"):
        canary()[0] = 0


@pytest.mark.parametrize("phase", range(13))
def test_arithmetic_on_a_band_shows_although_nan_stays_nan(phase):
    """`y[n] += x` beyond the end: the quiet bit of a signalling NaN is set."""
    for dtype, step in (("float32", 2), ("float64", 1)):
        band = canary(phase).copy().view(dtype)
        with np.errstate(all="ignore"):
            band[::step] += np.array(1, dtype)
        changed = band.view(np.uint8) != canary(phase)
        assert changed.reshape(-1, band.itemsize).any(axis=1)[::step].all()


def test_a_copy_from_beyond_one_array_to_beyond_another_shows():
    x, y = make_banded(np.arange(10, dtype="f4")), make_banded(shape=(10,), dtype="float32")
    y[-BAND_BYTES:][:4] = x[-BAND_BYTES:][:4]
    assert overrun(y) == "canary after {} overwritten at +0 B"
    y[-BAND_BYTES:] = x[-BAND_BYTES:]
    assert overrun(y) is not None


def test_damage_is_located_whatever_the_phase():
    for phase in range(13):
        banded = make_banded(np.array([phase], "u1").repeat(16))
        assert overrun(banded) is None
        banded[:2] = 0
        assert overrun(banded) == f"canary before {{}} overwritten at −{BAND_BYTES - 1} B"


@pytest.mark.parametrize(
    ("offset", "text"),
    [
        (BAND_BYTES - 1, "canary before {} overwritten at −1 B"),
        (0, "canary before {} overwritten at −4096 B"),
        (BAND_BYTES + 40, "canary after {} overwritten at +0 B"),
        (BAND_BYTES + 40 + 64, "canary after {} overwritten at +64 B"),
    ],
)
def test_a_single_byte_out_of_bounds_is_located(offset, text):
    banded = make_banded(shape=(10,), dtype="float32")
    banded[offset] ^= 0xFF
    assert overrun(banded) == text


def test_a_zero_written_behind_the_end_is_seen_whatever_its_type():
    for dtype in ("float16", "float32", "float64", "int8"):
        banded = make_banded(shape=(3,), dtype=dtype)
        end = BAND_BYTES + 3 * np.dtype(dtype).itemsize
        banded[end : end + np.dtype(dtype).itemsize] = 0
        assert overrun(banded) is not None


def test_wrong_size_is_the_callers_mistake():
    with pytest.raises(ValueError, match="do not hold"):
        payload_view(make_banded(shape=(4,)), "float32", (5,))


def test_scratch_has_bands():
    assert overrun(make_scratch(101)) is None
    assert make_scratch(101).size == banded_bytes(101)


def test_first_change_sees_bits():
    before = np.array([[1.0, np.nan], [0.0, 3.0]], "f4")
    assert first_change(before, before.copy()) is None
    after = before.copy()
    after[1, 0] = -0.0
    assert first_change(before, after) == (1, 0)
    assert first_change(np.float32([5.0])[0:0], np.float32([])) is None
    assert first_change(np.array(1.0), np.array(2.0)) == ()


def test_first_change_far_into_a_large_array():
    before = np.zeros(3_000_000, "f4")
    after = before.copy()
    after[2_999_999] = 1
    assert first_change(before, after) == (2_999_999,)
