"""Laws of the checker: what is right passes, what is off by more than rounding does not, and the place is the place."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from hotloop.verify.compare import compare
from hotloop.verify.guards import first_change, make_banded, overrun, payload_view
from hotloop.verify.poison import ALL, is_poison
from hotloop.verify.tolerance import Bound

RELAXED = settings(deadline=None, max_examples=60)
"""No deadline: wall time says nothing on a shared machine."""
SHAPES = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=6)
FLOATS = hnp.arrays(np.float32, SHAPES, elements=st.floats(width=32, allow_subnormal=False))
NUMBERS = hnp.arrays(np.float32, hnp.array_shapes(max_dims=3, max_side=6), elements=st.floats(-1e6, 1e6, width=32))
BOUND = Bound(1e-6, 1e-12)


@RELAXED
@given(FLOATS)
def test_every_array_equals_itself(values):
    found = compare("y", values, values.astype(np.float64), BOUND, poison=0)
    assert found.passed, found.reason


@RELAXED
@given(NUMBERS, st.data())
def test_a_planted_error_is_found_where_it_is(values, data):
    index = tuple(data.draw(st.integers(0, n - 1)) for n in values.shape)
    wrong = values.copy()
    wrong[index] = values[index] * 2 + 1 if values[index] != -1 else 7
    found = compare("y", wrong, values.astype(np.float64), BOUND)
    assert found.worst == index
    assert found.wrong == 1
    assert found.worst_ratio > 1


@RELAXED
@given(NUMBERS, st.data())
def test_an_unwritten_element_is_found_where_it_is(values, data):
    poison = data.draw(st.integers(0, 1))
    index = tuple(data.draw(st.integers(0, n - 1)) for n in values.shape)
    banded = make_banded(shape=values.shape, dtype="float32", poison=poison)
    written = np.ones(values.shape, bool)
    written[index] = False
    view = payload_view(banded, "float32", values.shape)
    view[written] = values[written]
    found = compare("y", view, values.astype(np.float64), BOUND, poison=poison)
    assert found.worst == index
    assert "never written" in found.reason


@RELAXED
@given(FLOATS)
def test_banding_changes_nothing(values):
    banded = make_banded(values)
    assert overrun(banded) is None
    assert first_change(values, payload_view(banded, "float32", values.shape)) is None


@RELAXED
@given(FLOATS, st.data())
def test_one_byte_outside_is_always_noticed(values, data):
    banded = make_banded(values)
    spots = [*range(4096), *range(banded.size - 4096, banded.size)]
    banded[data.draw(st.sampled_from(spots))] ^= data.draw(st.integers(1, 255))
    assert overrun(banded) is not None


@RELAXED
@given(SHAPES, st.sampled_from(["float16", "float32", "float64", "int32", "uint8"]), st.integers(0, 3))
def test_fresh_outputs_are_poison_throughout(shape, dtype, poison):
    view = payload_view(make_banded(shape=shape, dtype=dtype, poison=poison), dtype, shape)
    told = is_poison(view, poison)
    assert (
        told.all() if poison % ALL != ALL - 1 else not told.any()
    )  # zero is written by kernels, too: it tells nothing
