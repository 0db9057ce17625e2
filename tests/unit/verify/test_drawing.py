"""Numbers of large arrays, drawn in blocks."""

import numpy as np
import pytest

from hotloop.verify.drawing import LARGE, generator

DRAWS = {
    "standard_normal": lambda rng, size: rng.standard_normal(size),
    "single": lambda rng, size: rng.standard_normal(size, np.float32),
    "random": lambda rng, size: rng.random(size),
    "normal": lambda rng, size: rng.normal(2.0, 3.0, size),
    "uniform": lambda rng, size: rng.uniform(-1.0, 3.0, size),
    "integers": lambda rng, size: rng.integers(-3, 4, size, np.int8),
    "whole": lambda rng, size: rng.integers(5, size=size),
}
LARGE_SHAPE = (3, LARGE // 2)


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS.keys())
def test_large_arrays_are_the_same_for_a_seed_and_distributed_as_numpys_are(draw):
    rng, plain = generator(7), np.random.default_rng(7)
    made, expected = draw(rng, LARGE_SHAPE), draw(plain, LARGE_SHAPE)
    assert (made.shape, made.dtype) == (expected.shape, expected.dtype)
    assert np.array_equal(made, draw(generator(7), LARGE_SHAPE))
    assert not np.array_equal(made, draw(rng, LARGE_SHAPE)), "the second array of a generator is another one"
    assert not np.array_equal(made, draw(generator(8), LARGE_SHAPE))
    assert np.mean(made) == pytest.approx(np.mean(expected), abs=0.02)
    assert np.std(made) == pytest.approx(np.std(expected), abs=0.02)
    blocks = made.reshape(-1)[: LARGE // 4 * 6].reshape(6, -1).astype(np.float64)
    assert np.abs(np.corrcoef(blocks) - np.eye(6)).max() < 0.02, "blocks have nothing to do with one another"


def test_small_arrays_and_parameters_that_are_arrays_are_numpys_own():
    rng, plain = generator(7), np.random.default_rng(7)
    for draw in DRAWS.values():
        assert np.array_equal(draw(rng, 10), draw(plain, 10))
    means = np.zeros(LARGE)
    assert np.array_equal(rng.normal(means, 1.0, LARGE), plain.normal(means, 1.0, LARGE))
    assert rng.random() == plain.random()
