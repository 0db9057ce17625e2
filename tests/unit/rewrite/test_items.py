"""A work-item's number out of its group's, and loops over the whole grid, are read as the number of the whole grid."""

from __future__ import annotations

import pytest

from hotloop.rewrite import parse, shape
from hotloop.rewrite.expand import read


def bound(body: str, *, filled: bool = False) -> int:
    text = f"__kernel void f(__global const float *a, __global float *b, int n, int w) {{\n{body}\n}}"
    form = shape.shape(read(text, filled=filled).known["f"])
    return shape.number(shape.extents(form)[0][0], {"n": 10, "w": 7})


@pytest.mark.parametrize(
    "body",
    [
        "int i = get_group_id(0) * get_local_size(0) + get_local_id(0); if (i < n) b[i] = a[i];",
        "const size_t i = get_local_id(0) + get_local_size(0) * get_group_id(0); if (i >= n) return; b[i] = a[i];",
        "int t = get_local_id(0), g = get_group_id(0); int s = get_local_size(0); int i = g * s + t; if (i < n) b[i] = a[i];",
        "int i = mad24(get_group_id(0), get_local_size(0), get_local_id(0)); if (i < n) b[i] = a[i];",
        "int i = get_local_id(0) + mul24(get_group_id(0), get_local_size(0)); if (i < n) b[i] = 1;",
    ],
)
def test_a_number_out_of_a_groups_is_the_grids(body):
    assert bound(body) == 10


@pytest.mark.parametrize(
    "body",
    [
        "int i = get_group_id(0) * get_local_size(1) + get_local_id(0); if (i < n) b[i] = a[i];",
        "int i = get_group_id(0) * get_local_size(0) - get_local_id(0); if (i < n) b[i] = a[i];",
        "int s = get_local_size(0); s = 4; int i = get_group_id(0) * s + get_local_id(0); if (i < n) b[i] = a[i];",
        "int i = get_group_id(0) * w + get_local_id(0); if (i < n) b[i] = a[i];",
    ],
)
def test_another_sum_is_none(body):
    with pytest.raises(shape.RefusedError):
        bound(body)


@pytest.mark.parametrize(
    "loop",
    [
        "for (int i = get_global_id(0); i < n; i += get_global_size(0)) { b[i] = a[i]; }",
        "for (uint i = get_global_id(0); i < n; i = i + get_global_size(0)) b[i] = a[i];",
        "int i; for (i = get_group_id(0) * get_local_size(0) + get_local_id(0); i < n; i += get_global_size(0)) b[i] = a[i];",
        "int i = get_global_id(0), s = get_global_size(0); for (; i < n; i += s) b[i] = a[i];",
        "int i = get_group_id(0) * get_local_size(0) + get_local_id(0); for (i; i < n; i += get_local_size(0) * get_num_groups(0)) b[i] = a[i];",
        "int s = get_local_size(0), g = get_num_groups(0), i = get_global_id(0); while (i < n) { b[i] = a[i]; i += g * s; }",
    ],
)
def test_a_loop_over_the_grid_bounds_it(loop):
    assert bound(loop, filled=True) == 10
    with pytest.raises(shape.RefusedError):
        bound(loop)  # the grid may be smaller


@pytest.mark.parametrize(
    "loop",
    [
        "for (int i = get_global_id(0); i < n; i += 64) b[i] = a[i];",
        "for (int i = get_global_id(0); i < n; i += get_global_size(1)) b[i] = a[i];",
        "for (int i = get_global_id(0); i < n; i += get_global_size(0)) { if (a[i] < 0) continue; b[i] = a[i]; }",
        "for (int i = get_global_id(0); i < n; i += get_global_size(0)) { b[i] = a[i]; i += w; }",
        "for (int i = get_global_id(0); i < n; i += get_global_size(0)) b[i] = a[i]; b[0] = 1;",
    ],
)
def test_another_loop_stays(loop):
    text = f"__kernel void f(__global const float *a, __global float *b, int n, int w) {{\n{loop}\n}}"
    (plain,) = parse.functions(text)
    assert read(text, filled=True).known["f"] == plain
