"""What a text is usually off by is what it is off by where it writes."""

import numpy as np

from hotloop.app.bare import trials


def test_elements_that_a_text_leaves_alone_do_not_make_it_look_more_exact():
    off = np.concatenate([np.full(100, 1e-6), np.zeros(9900)])
    value = np.ones(10000)
    before, own = np.zeros(10000, np.float32), np.concatenate([np.ones(100), np.zeros(9900)]).astype(np.float32)
    single = np.dtype(np.float32)
    alone = trials.scale(value[:100], single, off[:100])
    beside = trials.scale(value, single, off, trials.changed(own, before))
    np.testing.assert_allclose(beside[:100], alone)
    assert trials.scale(value, single, off)[0] < 0.5 * alone[0]
    assert trials.changed(own, None) is None
