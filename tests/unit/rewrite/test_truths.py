"""Truth values become whole numbers where each value that they get is one."""

from __future__ import annotations

import pytest

from hotloop.rewrite import parse
from hotloop.rewrite.components.truths import numbered


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("bool on = x[0] > 1; on |= x[1] < 2;", True),
        ("bool on = false; if (n) on = x[0];", True),
        ("bool on = true; on++;", False),  # which stays 1
        ("bool on = true; on += n;", False),
        ("bool on = true; g(&on);", False),
        ("bool on = true; on &= x[0];", False),  # of which only the least bit counts
        ("bool on = true; on ^= n & 2;", False),
        ("bool on = true, in = n > 2; on &= in; on ^= !n; on &= true;", True),
        ("bool on[2] = {true, false};", False),
        ("int on = 3;", False),
    ],
)
def test_truth_values_become_numbers_where_all_that_they_get_is_one(body, told):
    (function,) = parse.functions(f"__kernel void f(__global int *x, int n) {{ {body} }}")
    made = numbered(function.body)
    assert ("'bool'" not in repr(made) and made != function.body) is told
    assert (made is function.body) is not told
