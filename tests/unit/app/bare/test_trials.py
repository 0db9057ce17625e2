"""What a text is usually off by is what it is off by where it writes, and as a part of what it writes."""

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


def test_a_sum_of_squares_among_sums_that_cancel_is_as_exact_as_these_for_its_size():
    off, value = np.full(1000, 1e-6), np.ones(1000)
    value[0], off[0] = 1e4, 1e-7  # lucky
    found = trials.scale(value, np.dtype(np.float32), off)
    eps = float(np.finfo(np.float32).eps)
    assert 4 * eps * found[0] > 8 * 1e-6 * 1e4
    assert 4 * eps * found[1] < 1.5e-5
    cancelled = trials.scale(np.where(value > 1, value, 1e-9), np.dtype(np.float32), off)
    assert 4 * eps * cancelled[0] < 20, "what cancels says little about what does not"
