"""Sizes for which two work-items write one element."""

from __future__ import annotations

import pytest

from hotloop.rewrite.amounts import overlap
from hotloop.rewrite.expand import read


@pytest.mark.parametrize(
    ("store", "values", "extents", "collides"),
    [
        ("b[i + j * w] = 1;", {"w": 10}, (10, 5), False),
        ("b[i + j * w] = 1;", {"w": 9}, (10, 5), True),
        ("int k = i * w; b[k + j] = 1;", {"w": 4}, (10, 5), True),
        ("int k = i * w; b[k + j] = 1;", {"w": 5}, (10, 5), False),
        (
            "for (int k = 0; k < w; k++) b[i * w + k + j] = 1;",
            {"w": 2},
            (10, 5),
            False,
        ),  # not looked at: k decides, too
        ("b[(int)a[i] + j] = 1;", {"w": 2}, (10, 5), False),
        ("b[i] = j;", {"w": 2}, (10, 5), True),
        ("if (i < w) b[i + w * j] = j;", {"w": 10}, (1, 1), False),
    ],
)
def test_a_store_is_looked_at_for_all_items(store, values, extents, collides):
    head = "__kernel void f(__global const float *a, __global int *b, int w) { int i = get_global_id(0), j = get_global_id(1);"
    assert overlap.collides(read(f"{head} {store} }}").known["f"], values, extents) is collides
