from __future__ import annotations

import numpy as np

from hotloop.verify.condition import moved, slack


def test_equal_values_are_moved_equally_and_little():
    x = np.array([1.5, -2.0, 1.5, 0.0], "f4")
    for attempt in range(4):
        after = moved({"x": x, "n": 3}, attempt)["x"]
        assert after[0] == after[2]
        assert after[3] == 0
        assert np.allclose(after, x, rtol=1e-6)


def test_what_cancels_gets_room_and_what_does_not_gets_little():
    x = np.random.default_rng(1).standard_normal((4, 300)).astype("f4") + 1000

    def variance(arrays):
        return {"v": arrays["x"].astype("f8").var(axis=1)}

    room = slack(variance, {"x": x}, variance({"x": x}))["v"]
    assert (room > 1e-7).all()
    assert (room < 0.05).all(), "squares that cancel in float32 are wrong by far more"


def test_integers_may_move_only_where_rounding_moves_them():
    x = np.array([0.2, 0.5, 0.7, 2.4999998], "f4")

    def rounded(arrays):
        return {"q": np.rint(arrays["x"].astype("f8")).astype("i8")}

    assert slack(rounded, {"x": x}, rounded({"x": x}))["q"].tolist() == [0.0, 1.0, 0.0, 1.0]


def test_equal_values_come_apart_for_floats_only():
    """The mean of equal values is rounded, and what is left of a row is divided by a small deviation."""
    x = np.full((1, 300), 1.7, "f4")

    def normalised(inputs):
        wide = inputs["x"].astype("f8")
        left = wide - wide.mean()
        return {"n": left / np.sqrt(wide.var() + 1e-5), "first": np.array([int(wide.argmax())])}

    asked = normalised({"x": x})
    tight, loose = (slack(normalised, {"x": x}, asked, equal=equal) for equal in (False, True))
    assert tight["n"].max() < 1e-9
    assert loose["n"].min() > 1e-5
    assert loose["first"].tolist() == [0.0]


def test_numbers_by_value_that_were_rounded_are_moved_and_short_ones_stay():
    found = [moved({"fx": np.float32(31.7), "limit": np.float32(100.5), "n": 3, "half": 0.5}, k) for k in range(4)]
    assert {type(one["fx"]) for one in found} == {np.float32}
    assert min(one["fx"] for one in found) < 31.7 < max(one["fx"] for one in found)
    assert all((one["limit"], one["n"], one["half"]) == (100.5, 3, 0.5) for one in found)
