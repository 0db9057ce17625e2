from __future__ import annotations

import numpy as np

from hotloop.model.space import Parameter, Space
from hotloop.search.features import Features
from hotloop.search.grid import Grid


def _features(*parameters: Parameter) -> tuple[Features, np.ndarray]:
    features = Features(Grid(Space(parameters)))
    longest = max(len(p.values) for p in parameters)
    rows = np.array([[min(i, len(p.values) - 1) for p in parameters] for i in range(longest)], np.int32)
    return features, features.of(rows)


def test_powers_of_two_are_equally_spaced():
    _, seen = _features(Parameter("tile", (1, 2, 4, 8, 16)))
    assert np.allclose(seen[:, 0], [0, 0.25, 0.5, 0.75, 1])


def test_roundness_tells_powers_of_two_from_other_sizes():
    features, seen = _features(Parameter("block", (32, 48, 64, 96, 128)))
    assert list(features.groups) == [0, 1]
    assert seen[0, 1] == seen[2, 1] == seen[4, 1] == 1.0
    assert max(seen[1, 1], seen[3, 1]) < 0.8


def test_alternatives_are_all_equally_far_apart():
    features, seen = _features(Parameter("path", ("x", "y", "z"), ordinal=False))
    gaps = ((seen[:, None] - seen[None]) ** 2).sum(2)
    assert np.allclose(gaps, 1 - np.eye(3))
    assert set(features.groups) == {0}


def test_consecutive_integers_may_be_codes():
    features, _ = _features(Parameter("method", (0, 1, 2, 3)), Parameter("flag", (0, 1)))
    assert list(features.groups) == [0, 1, 1, 1, 1, 2]


def test_constants_and_text_do_no_harm():
    features, seen = _features(Parameter("width", (4096,)), Parameter("level", ("low", "middle", "high")))
    assert seen[:, 0].tolist() == [0.0, 0.5, 1.0]
    assert Features(Grid(Space((Parameter("width", (4096,)),)))).of(np.zeros((2, 1), np.int32)).shape == (2, 0)
    assert np.isfinite(features.log_weights).all()


def test_what_has_two_settings_is_expected_to_matter_less_than_what_has_many():
    features, _ = _features(
        Parameter("few", (1, 2, 4)), Parameter("many", (1, 2, 4, 8, 16, 32)), Parameter("flag", (0, 1))
    )
    few, many, flag = features.log_weights
    assert flag + 1 < few < many
