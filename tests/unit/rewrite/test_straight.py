"""Kernels as people write them, brought into the form that rewrites look for: the same work, and what has another meaning stays."""

import pytest

from hotloop.rewrite import parse, write
from hotloop.rewrite import tree as t
from hotloop.rewrite.catalogue import rewritten
from hotloop.rewrite.components.straight import straight, straightened
from hotloop.rewrite.form import Posed
from hotloop.rewrite.shape import extents, shape

HEAD = "__kernel void f(__global const float *x, __global uchar *y, __global ushort *z, int w, int h)"


def posed(body, *grid):
    return Posed(parse.functions(f"{HEAD} {{\n{body}\n}}\n")[0], tuple(map(t.Name, grid)), {})


def shown(made):
    return " ".join(" ".join(write.statements(made.function.body, "", "")).split())


def text(body):
    return shown(straightened(posed(body)))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("int i = w; if (i < 0 || i >= h) { y[i] = 0; return; } y[i] = 1;", "int i = w; if (i >= 0 && i < h) { y[i] = 1; } else { y[i] = 0; }"),
        ("if (w < 0) return; if (h < 0) return; y[w] = 1;", "if (w < 0 || h < 0) { return; } y[w] = 1;"),
        ("if (w < 0) { return; } y[w] = 1;", "if (w < 0) { return; } y[w] = 1;"),
        ("if (w == 0) { y[0] = 1; } else { y[w] = 2; }", "if (w != 0) { y[w] = 2; } else { y[0] = 1; }"),
        ("if (w < 3) { y[0] = 1; } else { y[w] = 2; }", "if (w < 3) { y[0] = 1; } else { y[w] = 2; }"),
        ("y[w] = y[h] = w * 3;", "{ uchar both = w * 3; y[h] = both; y[w] = both; }"),
        ("y[w] = z[h] = w * 3;", "y[w] = z[h] = w * 3;"),
        ("int a = w; if (h) { int a = a_b(h); y[a] = 1; } y[a] = 2;", "int a = w; if (h) { int a_c = a_b(h); y[a_c] = 1; } y[a] = 2;"),
        ("int i = w; for (int i = 0; i < h; i++) { y[i] = i; } y[i] = 2;", "int i = w; for (int i_b = 0; i_b < h; i_b++) { y[i_b] = i_b; } y[i] = 2;"),
        ("if (w) { int a = h; y[a] = 1; } for (int k = 0; k < w; k++) { int a = k; y[a] = 1; } for (int k = 0; k < h; k++) { y[k] = 2; }", "if (w) { int a = h; y[a] = 1; } for (int k = 0; k < w; k++) { int a_b = k; y[a_b] = 1; } for (int k = 0; k < h; k++) { y[k] = 2; }"),
        ("if (w < 0) { if (h < 0) { return; } y[0] = 1; return; } y[w] = 1;", "if (w < 0) { if (h < 0) { return; } y[0] = 1; return; } y[w] = 1;"),
        ("ushort a = z[w]; ushort b = z[h]; z[w] = a + b;", "z[w] = z[w] + z[h];"),
        ("int a = z[w]; z[w] = a * 2;", "int a = z[w]; z[w] = a * 2;"),
        ("ushort a = z[w]; z[a] = a + 1;", "ushort a = z[w]; z[a] = a + 1;"),
        ("ushort a = z[w]; z[w] = a + 1; z[h] = a;", "ushort a = z[w]; z[w] = a + 1; z[h] = a;"),
    ],
)  # fmt: skip
def test_the_form_is_the_same_work(before, after):
    assert text(before) == after


def test_several_early_returns_bound_the_grid():
    body = "int a = get_global_id(0); int b = get_global_id(1); if (a >= w) return; if (b >= h) return; y[a] = b;"
    lengths, sure = extents(shape(straight(posed(body).function)))
    assert lengths == (t.Name("w"), t.Name("h"))
    assert sure


BORDER = """int i = get_global_id(0); int at = 3 * i;
if (i == 0 || i == w - 1) { z[at] = 0; return; }
z[at] = x[i - 1] > x[i + 1];"""


def test_the_inside_is_done_in_blocks_and_a_border_that_leaves_early_result_by_result():
    made = shown(rewritten(posed(BORDER, "w"), {"outputs-per-item": "2x1x1"}))
    assert "if (i > 0 && i + 1 < w - 1 && i + 1 < w) {" in made
    inside, _, edge = made.partition("} else { for")
    assert "= 0" not in inside
    assert "if (i_one != 0 && i_one != w - 1) {" in edge
    assert "z[at] = 0;" in edge


def test_a_branch_on_a_value_is_no_border():
    body = "int i = get_global_id(0); int at = i + h; if (x[i] < 1.0f) { z[at] = 1; } else { z[at] = 2; }"
    made = shown(rewritten(posed(body, "w"), {"outputs-per-item": "2x1x1"}))
    assert made.count("if (x[i + 1] < 1.0f)") == 1


@pytest.mark.parametrize(
    ("kept", "how"),
    [
        ("mine + other", "+="),
        ("fmin(mine, other)", "fmin("),
        ("mine < other ? mine : other", "~(vload16(0, &s_own[member]) < vload16(0, &s_own[member + apart]))"),
        ("other > mine ? other : mine", "if (s_own[member + apart] > s_own[member])"),
    ],
)
def test_a_tree_through_variables_is_one_sum(kept, how):
    head = "__kernel void f(__global const float *x, __local float *s, __global float *y)"
    tree = "for (int at = get_local_size(0) / 2; at > 0; at = at / 2) { if (l < at) { float other = s[l + at]; float mine = s[l]; s[l] = KEPT; } barrier(CLK_LOCAL_MEM_FENCE); }"
    body = f"int l = get_local_id(0); s[l] = x[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE); {tree.replace('KEPT', kept)} if (l == 0) y[get_group_id(0)] = s[0];"
    made = rewritten(
        Posed(parse.functions(f"{head} {{ {body} }}")[0], (t.Name("n"),), {}, group=(64,)), {"group-sums": 1}
    )
    assert how in shown(made)
