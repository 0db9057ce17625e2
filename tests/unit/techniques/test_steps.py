"""Directions of parameters and the arithmetic of predictions."""

from __future__ import annotations

import pytest

from hotloop.model.space import Parameter
from hotloop.techniques.gain import LARGEST, removing, scaling
from hotloop.techniques.steps import beside, larger, off, smaller

SIZES = Parameter("WG", (64, 1, 16))
NAMES = Parameter("PACK", ("none", "b", "ab"))
KINDS = Parameter("PATH", ("direct", "indirect", "split"), ordinal=False)


def test_numbers_are_ordered_by_size_whatever_the_order_of_the_list():
    assert larger(SIZES, 1) == (16, 64)
    assert smaller(SIZES, 64) == (16, 1)
    assert beside(SIZES, 16) == (64, 1)


def test_names_are_ordered_by_position_unless_they_are_an_enumeration():
    assert larger(NAMES, "none") == ("b", "ab")
    assert smaller(NAMES, "ab") == ("b", "none")
    assert larger(KINDS, "indirect") == smaller(KINDS, "indirect") == beside(KINDS, "indirect") == ("direct", "split")


def test_switches_have_an_off_position():
    assert off(NAMES) == "none"
    assert off(Parameter("NT", (False, True))) is False
    assert off(Parameter("WG", (1, 2))) is None


@pytest.mark.parametrize(("share", "least", "most"), [(0.5, -0.2, 1.0), (1.0, 0.0, 1.0), (0.0, -1.0, 1.0)])
def test_removing_follows_amdahl(share, least, most):
    gain = removing(share, least, most)
    assert gain.low == pytest.approx(1 / (1 - share * least))
    assert gain.high == pytest.approx(min(LARGEST, 1 / (1 - share * most)) if share * most < 1 else LARGEST)


def test_scaling_of_all_time_is_the_ratio_and_of_none_is_nothing():
    assert scaling(1.0, 8.0).high == pytest.approx(8.0)
    assert scaling(0.0, 8.0).high == 1.0
    assert scaling(1.0, 0.5).high == 1.0, "a ratio below one promises nothing"
