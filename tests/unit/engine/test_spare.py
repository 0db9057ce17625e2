"""Memory is used again only when nothing looks at it."""

import numpy as np

from hotloop.engine.spare import Spare

SIZE = 2**24


def test_an_area_is_used_again_when_it_is_free_and_never_before():
    spare = Spare()
    first = spare.room(SIZE + 5)
    first[:] = 1
    payload = first[3:9].view(np.uint16)
    where = first.ctypes.data
    del first
    second = spare.room(SIZE)
    assert second.ctypes.data != where  # a view of a view still looks at the first one
    second[:] = 2
    assert set(payload.view(np.uint8)) == {1}
    del payload
    third = spare.room(SIZE)
    assert (third.ctypes.data, third.size) == (where, SIZE)


def test_no_more_than_two_are_kept_and_small_ones_are_new():
    spare = Spare()
    held = [spare.room(SIZE) for _ in range(4)]
    assert len({one.ctypes.data for one in held}) == 4
    assert spare.room(10).size == 10
    last = {one.ctypes.data for one in held[2:]}
    del held
    assert spare.room(SIZE).ctypes.data in last
