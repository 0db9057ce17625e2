"""A reference that rounds each of its steps to float32."""

from __future__ import annotations

import numpy as np

from hotloop.verify.rounding.rounded import noted, room


def rooms(reference, **inputs):
    return room(lambda given: {"o": reference(**given)}, inputs, {"o": reference(**inputs)})["o"]


def test_an_arc_sine_near_one_loses_half_of_the_digits():
    found = rooms(lambda x: np.arcsin(np.sqrt(np.minimum(1, 1 - x.astype("f8") ** 2))), x=np.array([1e-4, 0.5], "f4"))
    assert 1e-4 < found[0] < 1e-2
    assert found[1] < 1e-5


def test_what_float32_holds_is_not_rounded():
    x = np.arange(64, dtype="f4")
    assert not rooms(lambda x: (x.astype("f8") * 3).reshape(8, 8).sum(axis=1), x=x).any()


def test_a_formula_that_cancels_has_room_and_one_that_does_not_has_none_to_speak_of():
    x = np.linspace(1000, 1001, 50, dtype="f4")
    assert rooms(lambda x: np.mean(x.astype("f8") ** 2) - np.mean(x.astype("f8")) ** 2, x=x) > 1e-3
    assert rooms(lambda x: x.astype("f8").var(), x=x) < 1e-3


def test_what_follows_steps_that_the_reference_takes_in_float32_is_rounded():
    places = lambda x: ((x * np.float32(0.125))[:, None].astype("f8") + np.arange(4) / 3) % 1  # noqa: E731
    assert 1e-3 < rooms(places, x=np.array([70787.273, 65536.5], "f4")).max() < 1e-1


def test_numbers_by_value_are_rounded_only_where_that_is_asked_for():
    given = {"t": np.array([0.5, 3.0], "f4"), "step": np.float32(0.11)}
    answer = lambda given: {"o": np.sin(given["t"].astype("f8") * (float(given["step"]) * 1e6))}  # noqa: E731
    plain, moved = (room(answer, given, answer(given), numbers=numbers)["o"] for numbers in (False, True))
    assert (moved > plain).all()
    assert 1e-3 < moved.max() < 1


def looped(x):
    found = np.zeros(len(x))
    for place in range(len(x)):
        wide = float(x[place])
        found[place] = (1 + wide) * (1 - wide) - (1 - wide * wide)
    return found


def test_a_reference_that_loops_over_elements_is_rounded_as_one_of_whole_arrays_is():
    x = np.linspace(0.1, 0.9, 40, dtype="f4")
    wide = x.astype("f8")
    whole = rooms(lambda x: (1 + x.astype("f8")) * (1 - x.astype("f8")) - (1 - x.astype("f8") ** 2), x=x)
    assert np.abs(looped(wide)).max() < 1e-15
    assert not rooms(looped, x=x).any()  # Python's own numbers are not looked at
    by_element = rooms(noted(looped), x=x)
    assert 0.3 < by_element.mean() / whole.mean() < 3


def test_elements_are_rounded_to_the_neighbours_that_arrays_are():
    values = np.random.default_rng(1).standard_normal(300)
    answer = lambda x: np.array([x[i] * (1 / 3) for i in range(len(x))])  # noqa: E731
    x = values.astype("f4").astype("f8")
    assert np.array_equal(rooms(answer, x=x), rooms(lambda x: x * (1 / 3), x=x))


def test_what_is_selected_or_put_together_is_followed_further():
    x = np.array([3e-8, 0.3], "f4")  # next to a step: half of the roundings fall on its other side
    step = lambda wide: np.floor(16 * (wide + 1))  # noqa: E731
    assert rooms(lambda x: step(np.where(x > -1, x.astype("f8"), 0)), x=-x)[0] >= 1
    assert rooms(lambda x: step(np.stack([x.astype("f8"), x.astype("f8")])), x=-x)[:, 0].min() >= 1


def test_decisions_are_asked_for_until_no_further_one_changes():
    x = -np.linspace(1e-8, 4.5e-8, 3000).astype("f4")
    found = rooms(lambda x: np.floor(16 * (x.astype("f8") + 1)), x=x)
    assert (found >= 1).all()  # eight attempts leave about one in 256
