"""Plots: positions follow the numbers, labels keep apart, ticks are few and round."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hotloop.report.plots import curve, roofline, trajectory
from hotloop.report.plots.canvas import NARROW, WIDE
from hotloop.report.plots.scale import Log, padded, spread
from hotloop.report.view import SearchSummary, build


@given(st.floats(1e-3, 1e15), st.floats(1.3, 1e9), st.integers(3, 9))
def test_every_axis_has_ticks_inside_it_and_not_too_many(low, ratio, most):
    axis = Log(low, low * ratio, 0.0, 100.0)
    ticks = axis.ticks(most)
    assert len(ticks) <= most
    assert list(ticks) == sorted(set(ticks))
    assert all(axis.low <= tick <= axis.high for tick in ticks)
    assert ticks or ratio < 1.5 or most < 5


@given(st.lists(st.floats(0, 300), max_size=12).map(sorted), st.floats(1, 20))
def test_spread_keeps_order_and_distance(wanted, gap):
    placed = spread(wanted, gap, 0.0, 300.0)
    assert all(b - a >= gap - 1e-6 for a, b in pairwise(placed))
    assert all(place <= 300.0 for place in placed)
    if all(b - a >= gap for a, b in pairwise(wanted)):
        assert placed == pytest.approx(wanted)


def test_spread_leaves_what_is_far_apart_alone():
    assert spread([10.0, 50.0, 90.0], 17.0, 0.0, 100.0) == [10.0, 50.0, 90.0]


def test_padded_is_never_empty():
    low, high = padded([5.0], 1.15)
    assert low < 5.0 < high


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_trajectory_marks_stand_where_the_times_say(record, width):
    view = build(record)
    svg = trajectory.draw(view, width)
    discs = {
        title: float(x)
        for title, x in re.findall(r'<title>(\d+ [\w-]+)[^<]*</title>(?:<circle|<rect)[^>]* ?c?x="([\d.]+)"', svg)
    }
    assert discs["1 drop-local-memory"] > discs["2 vectorize"] > discs["6 pack-operands"] > discs["10 polish"]
    assert discs["5 workgroup-size"] > discs["3 register-tile"], "slower lies to the right of the incumbent"


def test_trajectory_draws_each_step_once(record):
    svg = trajectory.draw(build(record), WIDE)
    roles = re.findall(r'class="mark (\w+)"', svg)
    assert sorted(roles) == sorted(["baseline", *["kept"] * 4, *["rejected"] * 3, *["refused"] * 2, "winner"])


def test_roofline_puts_faster_points_higher(record):
    svg = roofline.draw(build(record).roofline, WIDE)
    labels = re.findall(r'<text x="[\d.]+" y="([\d.]+)"[^>]*>(baseline|\d+ [\w-]+) [\d.]+ GFLOP/s', svg)
    heights = {name: float(y) for y, name in labels}
    assert heights["10 polish"] < heights["3 register-tile"] < heights["baseline"]


def test_search_curve_needs_two_points():
    assert curve.draw(SearchSummary(evaluated=1, curve=((0, 5.0),)), WIDE) is None
    assert "184" in curve.draw(SearchSummary(evaluated=184, curve=((0, 5.0), (9, 4.0))), NARROW)
