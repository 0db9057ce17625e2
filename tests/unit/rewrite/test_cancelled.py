"""Numbers of which a part cancels are written without it, as long as the rest is still what it was."""

import pytest

from hotloop.rewrite import parse, write
from hotloop.rewrite.branches.cancelled import cancelled


def shown(body):
    function = parse.functions(f"__kernel void f(__global int *a, int x, int w) {{\n{body}\n}}\n")[0]
    made = cancelled(function.body, "x", dict.fromkeys(("x", "w", "k", "y", "z"), "int"))
    return " ".join(" ".join(write.statements(made, "", "")).split())


@pytest.mark.parametrize(
    ("body", "after"),
    [
        ("int y = w + x; int z = y - x;", "int y = w + x; int z = w;"),
        ("int k = w; int y = k + x; k = 2 * k; int z = y - x;", "int k = w; int y = k + x; k = 2 * k; int z = y - x;"),
        ("int y = a[0] + x; a[0] = 2; int z = y - x;", "int y = a[0] + x; a[0] = 2; int z = y - x;"),
    ],
)
def test_what_cancels_is_left_out_where_the_rest_stays(body, after):
    assert shown(body) == after
