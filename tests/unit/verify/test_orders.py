"""Other permutations and trees keep what all that a file drew have in common."""

import numpy as np
import pytest

from hotloop.verify.told.orders import reordered


def others(draw):
    one, again = (draw(np.random.default_rng(seed)).astype("i4") for seed in (1, 2))
    made = (reordered({"p": one}, {"p": again}, {}, np.random.default_rng(seed)) for seed in range(12))
    return [inputs["p"] for inputs in made]


def binary(rng, size=600):
    free, parents = [0], [0, 0]
    for node in range(1, size):
        if node > 1:
            parents.append(free.pop(int(rng.integers(len(free)))))
        free += [node, node]
    return np.array(parents)


def windows(rng):
    return np.concatenate([16 * k + rng.permutation(16) for k in range(16)])


def far(rng):
    made = np.arange(65)
    while (made == np.arange(65)).any() or _cycle(made):
        made = rng.permutation(65)
    return made


def _cycle(made):
    at, steps = int(made[0]), 1
    while at:
        at, steps = int(made[at]), steps + 1
    return steps == made.size


def test_below_each_node_are_no_more_than_were_drawn():
    for made in others(binary):
        assert np.bincount(made[1:]).max() <= 2
        assert (made[1:] < np.arange(1, made.size)).all()


def test_what_stays_in_its_window_does():
    assert all((made // 16 == np.arange(256) // 16).all() for made in others(windows))


def test_where_no_number_stands_in_its_own_place_none_does():
    assert not any((made == np.arange(65)).any() for made in others(far))


@pytest.mark.parametrize("draw", [windows, far, lambda rng: rng.permutation(64)])
def test_they_are_permutations(draw):
    assert all((np.sort(made) == np.arange(made.size)).all() for made in others(draw))
