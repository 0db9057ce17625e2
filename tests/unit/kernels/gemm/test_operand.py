from __future__ import annotations

import numpy as np
import pytest

from hotloop.errors import BadArrayError
from hotloop.kernels.gemm import operand


def grid(rows: int, columns: int, dtype: str = "float32") -> np.ndarray:
    return np.arange(rows * columns, dtype=dtype).reshape(rows, columns)


def rebuilt(found: operand.Stored, shape: tuple[int, int]) -> np.ndarray:
    """Read a stored matrix back element by element, as a kernel does: rows `ld` apart in flat memory."""
    rows, columns = shape[::-1] if found.flipped else shape
    ld = found.ld or columns
    flat = found.memory.reshape(-1)
    read = np.array([[flat[i * ld + j] for j in range(columns)] for i in range(rows)])
    return read.T if found.flipped else read


VIEWS = {
    "row-major": lambda: (grid(5, 7), False, 0),
    "column-major": lambda: (np.asfortranarray(grid(5, 7)), True, 0),
    "transposed": lambda: (grid(5, 7).T, True, 0),
    "columns of a wider one": lambda: (grid(5, 12)[:, 3:10], False, 12),
    "rows and columns inside": lambda: (grid(9, 12)[2:7, 3:10], False, 12),
    "every other row": lambda: (grid(10, 7)[::2], False, 14),
    "inside a column-major one": lambda: (np.asfortranarray(grid(9, 12))[2:7, 3:10], True, 9),
    "a column of a matrix": lambda: (grid(6, 4)[:, 2:3], False, 4),
    "a row of a column-major one": lambda: (np.asfortranarray(grid(6, 4))[2:3, :], True, 6),
    "one element": lambda: (grid(3, 3)[1:2, 1:2], False, 0),
    "offset by one element": lambda: (np.arange(36, dtype="f4")[1:].reshape(5, 7), False, 0),
}


@pytest.mark.parametrize("name", VIEWS)
def test_usable_layouts_are_bound_without_a_copy(name):
    array, flipped, ld = VIEWS[name]()
    found = operand.stored(array)
    assert found is not None
    assert (found.flipped, found.ld) == (flipped, ld)
    assert np.shares_memory(found.memory, array)
    assert found.memory.flags.c_contiguous
    np.testing.assert_array_equal(rebuilt(found, array.shape), array)


UNUSABLE = {
    "every other column": lambda: grid(5, 8)[:, ::2],
    "reversed rows": lambda: grid(5, 7)[::-1],
    "reversed columns": lambda: grid(5, 7)[:, ::-1],
    "broadcast row": lambda: np.broadcast_to(np.arange(7, dtype="f4"), (5, 7)),
    "overlapping windows": lambda: np.lib.stride_tricks.sliding_window_view(np.arange(11, dtype="f4"), 7),
    "off its alignment": lambda: np.frombuffer(bytearray(1 + 35 * 4), np.uint8)[1:].view("f4").reshape(5, 7),
    "rows a fraction of an element apart": lambda: np.ndarray((3, 2), "f4", bytearray(64), 0, (10, 4)),
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_other_layouts_are_copied(name):
    array = UNUSABLE[name]()
    assert operand.stored(array) is None
    found = operand.readable(array)
    assert (found.flipped, found.ld) == (False, 0)
    assert not np.shares_memory(found.memory, array)
    np.testing.assert_array_equal(found.memory, array)


def test_a_gapped_view_binds_nothing_beyond_its_last_element():
    whole = grid(6, 10)
    found = operand.stored(whole[1:4, 2:7])
    assert found.memory.size == 2 * 10 + 5


def test_tight_copies_gaps_away_and_keeps_the_order_of_the_rest():
    assert operand.tight(grid(5, 12)[:, :7]).ld == 0
    assert operand.tight(np.asfortranarray(grid(5, 7))).flipped


def test_the_gaps_of_a_read_only_view_stay_read_only():
    whole = grid(5, 12)
    whole.flags.writeable = False
    assert not operand.stored(whole[:, :7]).memory.flags.writeable


@pytest.mark.parametrize(("shape", "boundary"), [((3, 5), 64), ((1, 1), 64), ((200, 200), 4096), ((0, 4), 64)])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_new_matrices_lie_on_a_boundary(shape, boundary, dtype):
    made = operand.empty(*shape, np.dtype(dtype))
    assert made.shape == shape
    assert made.dtype == dtype
    assert made.flags.c_contiguous
    assert made.flags.writeable
    if made.nbytes > 65536 or boundary == 64:
        assert made.ctypes.data % boundary == 0


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (np.zeros(3, "f4"), "1 dimensions"),
        (np.zeros((2, 2, 2), "f4"), "3 dimensions"),
        (np.zeros((2, 2), "i4"), "dtype int32"),
        (np.zeros((2, 2), "c8"), "dtype complex64"),
        (np.zeros((2, 2), ">f4"), "dtype >f4"),
        (np.ma.masked_array(np.zeros((2, 2)), [[True, False]] * 2), "masked"),
        ([[1.0], [1.0, 2.0]], "no array"),
        ("text", "0 dimensions"),
    ],
)
def test_what_is_no_matrix_is_refused_by_name(value, said):
    with pytest.raises(BadArrayError, match=f"^a .*{said}"):
        operand.matrix("a", value)


def test_lists_of_floats_are_matrices_of_doubles():
    assert operand.matrix("a", [[1.0, 2.0]]).dtype == np.float64
