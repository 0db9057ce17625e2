"""Inputs that can be timed beside others: with the numbers that the program was made for."""

from __future__ import annotations

import numpy as np

from hotloop.app.run.inputs.sizes import sharing
from hotloop.model.kernel import Empty


def drawn(count, number):
    return {"x": np.full(count, number, "f4"), "y": Empty((count,)), "alpha": np.float32(number)}


def test_arrays_are_drawn_and_numbers_are_the_first_ones():
    found = sharing(drawn(4, 1.0), drawn(4, 2.0))
    assert found["x"].tolist() == [2.0] * 4
    assert found["alpha"] == 1.0


def test_of_another_form_nothing_is_taken():
    first = drawn(4, 1.0)
    assert sharing(first, drawn(5, 2.0)) is first
