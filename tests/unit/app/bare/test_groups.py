"""Sizes at which the last group of a launch is filled up: work-items beyond the others must reach nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotloop.app.bare.source import Source
from hotloop.app.bare.wish import numbers, sequence, wish
from hotloop.model.outcome import Parameter
from hotloop.rewrite import expand, parse


@pytest.mark.parametrize(
    ("place", "condition", "size", "whole"),
    [
        ("get_global_id(0)", "", 36, True),
        ("get_global_id(0)", "", 37, False),
        ("get_global_id(0)", "if (i < n)", 37, True),
        ("4 * get_group_id(0) + get_local_id(0)", "", 37, False),
        ("4 * get_group_id(0) + get_local_id(0)", "if (i < n)", 37, True),
    ],
)
def test_items_that_fill_up_a_group_are_told_also_where_the_text_counts_by_groups(place, condition, size, whole):
    text = f"__kernel void f(__global float *y, int n) {{ int i = {place}; {condition} y[i] = 2 * i; }}"
    rows = tuple(Parameter(one.name, one.type, one.space) for one in parse.functions(text)[0].arguments)
    named = wish((f"n={size}",), "", ("n",), ("4",), ())
    source = Source(Path("k.cl"), text, expand.read(text, filled=True), {"f": rows}, {}, named, sequence("f"))
    assert source.whole(numbers(named)) is whole
