"""Arrays of an odd number of bytes are copied in two pieces, which together are all of them."""

from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("pyopencl")

from hotloop.drivers import pieces
from hotloop.drivers.opencl import BandedBuffer


@pytest.mark.parametrize(("count", "copied"), [(10_001, [8192, 1809]), (12_352, [12_352]), (99, [99])])
def test_an_odd_number_of_bytes_is_copied_in_two_pieces(count, copied, monkeypatch):
    seen, memory = [], np.zeros(count, np.uint8)

    def copy(_queue, to, source, dst_offset=0, src_offset=0):
        made = source if source is not memory else source[src_offset : src_offset + to.size]
        (to if to is not memory else to[dst_offset : dst_offset + made.size])[:] = made
        seen.append(made.size)

    monkeypatch.setattr(pieces, "cl", SimpleNamespace(enqueue_copy=copy))
    buffer = BandedBuffer.__new__(BandedBuffer)
    buffer._queue, buffer.whole = None, memory
    given, back = np.arange(count).astype(np.uint8), np.zeros(count, np.uint8)
    buffer.write(given)
    assert seen == copied
    buffer.read(back)
    assert np.array_equal(memory, given)
    assert np.array_equal(back, given)
