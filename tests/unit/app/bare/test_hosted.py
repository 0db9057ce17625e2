"""Texts for hosts that launch as before: refused where what such a host launches is not what the text needs."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from hotloop.app.bare.hosted import hosted
from hotloop.app.bare.source import Source
from hotloop.app.bare.wish import sequence, wish
from hotloop.model.outcome import Parameter
from hotloop.rewrite import expand, parse
from hotloop.rewrite.shape import RefusedError

HEAD = "__kernel void f(__global float *y, __global const float *x, int n, int m) {{ {0} }}"
STRIDE = HEAD.format("for (int i = get_global_id(0); i < n; i += get_global_size(0)) y[i] = x[i] * 2;")
LOOP = HEAD.format("int i = get_global_id(0); if (i < n) for (int k = 0; k < m; k++) y[i * m + k] = x[i * m + k] * 2;")
TURNED = HEAD.format(
    "int i = get_global_id(0), j = get_global_id(1); if (i < n && j < m) y[i * m + j] = x[i * m + j] * 2;"
)
PLAIN = HEAD.format("int i = get_global_id(0); if (i < n) y[i] = VALUE;")
HELPER = (
    "float g(float x) { float s = 0; for (int k = 0; k < 3; k++) { if (x > 2) return s; s += VALUE; } return s; }\n"
)
INNER = HELPER.replace("VALUE", "x") + "float h(float x) { return g(x) + sub_group_reduce_add(x); }\n"


def planned(
    text: str, wanted: dict[str, object], grid: tuple[str, ...] = ("64",), launched: tuple[tuple[int, ...], ...] = ()
) -> str:
    """Return the text for a host that launches grids where n = m = 64; none: not all of its launches are known."""
    (function,) = (one for one in parse.functions(text) if one.name == "f")
    rows = tuple(Parameter(one.name, one.type, one.space) for one in function.arguments)
    named = wish(("n=64", "m=64", "x=4096", "y=4096"), "", grid, (), ())
    types = expand.typedefs(text)
    source = Source(Path("k.cl"), text, expand.read(text), {"f": rows}, types, named, sequence("f"))
    sizes = tuple((one, {"n": 64.0, "m": 64.0}) for one in launched)
    problem = SimpleNamespace(sizes={"n": 64, "m": 64, "x": 4096, "y": 4096})
    config = {f"f.{name}": value for name, value in wanted.items()}
    return hosted(source, sizes, complete=bool(launched))(problem, config, None).source


@pytest.mark.parametrize(
    ("text", "wanted", "grid"),
    [
        (STRIDE, {"unstrided-loops": 1}, ("64",)),
        (LOOP, {"loop-to-dimension": 1}, ("64",)),
        (TURNED, {"dimension-order": 1}, ("64,64",)),
    ],
)
def test_a_text_that_needs_another_grid_is_for_no_host_that_stays_as_it_is(text, wanted, grid):
    with pytest.raises(RefusedError, match="than the program launches"):
        planned(text, wanted, grid)


@pytest.mark.parametrize(
    ("before", "value"),
    [
        ("", "async_work_group_copy(x, x, n, 0)"),
        ("", "intel_sub_group_shuffle(x[i], 1)"),
        (HELPER.replace("VALUE", "x * get_num_groups(0)"), "g(x[i])"),
        (INNER, "h(x[i])"),
    ],
)
def test_work_items_return_early_only_where_nobody_counts_on_them(before, value):
    with pytest.raises(RefusedError, match="waits for all of a group"):
        planned(before + PLAIN.replace("VALUE", value), {"outputs-per-item": "2x1x1"})


def test_work_items_beyond_those_that_are_needed_return_early():
    made = planned(HELPER.replace("VALUE", "x") + PLAIN.replace("VALUE", "g(x[i])"), {"outputs-per-item": "2x1x1"})
    assert "if (get_global_id(0) * 2 >= n)" in made
    assert planned(PLAIN.replace("VALUE", "x[i]"), {}) == PLAIN.replace("VALUE", "x[i]")


def test_dimensions_change_places_where_all_launches_are_square():
    wanted = {"dimension-order": 1}
    assert "i = get_global_id(1)" in planned(TURNED, wanted, ("64,64",), ((64, 64), (32, 32)))
    with pytest.raises(RefusedError, match="than the program launches"):
        planned(TURNED, wanted, ("64,64",), ((64, 64), (64, 32)))
