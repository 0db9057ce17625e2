"""Arrays of one word are filled where they lie; all others are copied."""

import numpy as np
import pytest

from hotloop.engine.filling import Filling, repeated
from hotloop.ports import BAND_BYTES
from hotloop.verify.guards import make_banded


class Copied:
    def __init__(self):
        self.whole, self.copies, self.fills = None, 0, 0

    def write(self, banded):
        self.whole, self.copies = np.array(banded), self.copies + 1


class Filled(Copied):
    def fill(self, banded, word):
        self.whole = np.empty_like(banded)
        self.whole[:BAND_BYTES], self.whole[-BAND_BYTES:] = banded[:BAND_BYTES], banded[-BAND_BYTES:]
        self.whole[BAND_BYTES:-BAND_BYTES].view("<u4")[:] = word
        self.fills += 1


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16", "int32", "uint8"])
@pytest.mark.parametrize("poison", range(4))
def test_poison_is_filled(tmp_path, dtype, poison):
    banded = make_banded(shape=(2**20 + 4,), dtype=dtype, poison=poison)
    banded.tofile(file := tmp_path / "out")
    made, filling = Filled(), Filling()
    for _ in range(3):
        filling.write(made, banded, file)
    assert (made.fills, made.copies) == (3, 0)
    np.testing.assert_array_equal(made.whole, banded)


def test_what_changes_is_looked_at_again_and_what_cannot_fill_copies(tmp_path):
    banded = make_banded(shape=(2**20,), dtype="float32")
    banded.tofile(file := tmp_path / "out")
    made, plain, filling = Filled(), Copied(), Filling()
    filling.write(made, banded, file)
    filling.write(plain, banded, file)
    other = make_banded(np.arange(2**20, dtype="f4"))
    other = np.concatenate([other, np.zeros(4, np.uint8)])  # of another size
    other.tofile(file)
    filling.write(made, other, file)
    assert (made.fills, made.copies, plain.copies) == (1, 1, 1)
    np.testing.assert_array_equal(made.whole, other)


def test_a_word_is_four_bytes_and_the_same_everywhere():
    assert repeated(make_banded(shape=(9,), dtype="float64")) is None  # NaN in eight bytes is no word repeated
    assert repeated(make_banded(np.array([1.0, 1.0, 2.0], "f4"))) is None
    assert repeated(make_banded(np.full(6, 2.0, "f4"))) == 0x40000000
    assert repeated(make_banded(shape=(3,), dtype="uint8")) is None
