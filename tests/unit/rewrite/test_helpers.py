"""Functions of a text that its kernels call: what they do with arrays is seen at the call."""

from __future__ import annotations

import pytest

from hotloop.rewrite import catalogue, expand, ranges, write
from hotloop.rewrite import tree as t
from hotloop.rewrite.form import Posed

KERNEL = """
int at(int row, int column, int width) { return row * width + column; }
float CALLED
__kernel void k(__global const float *x, __global float *y, int n, int w) {
    int i = get_global_id(0);
    if (i < n) BODY
}
"""


def reached(called: str, body: str) -> ranges.Reach:
    read = expand.read(KERNEL.replace("CALLED", called).replace("BODY", body))
    return ranges.reach(read.looked("k"), {"n": 10, "w": 7}, (10,))


@pytest.mark.parametrize(
    ("called", "body", "last", "written"),
    [
        ("f(float v) { return v + 1; }", "y[at(i, 2, w)] = f(x[i]);", {"x": 9, "y": 65}, {"y"}),
        ("f(__global const float *p, int k) { return p[k + 1]; }", "y[i] = f(x + i, 2);", {"x": 12, "y": 9}, {"y"}),
        ("f(__global float *p, float v) { p[0] = v; return v; }", "f(&y[i], x[i]);", {"x": 9, "y": 9}, {"y"}),
        (
            "f(__global const float *p, int k) { if (k > 3) { return 0; } float s = 0; for (int j = 0; j < 4; j++) s += p[j]; return s; }",
            "y[i] = f(&x[i], i);",
            {"x": 12, "y": 9},
            {"y"},
        ),
        (
            "f(__global float *p, int k) { return k > 0 ? f(p, k - 1) : p[k]; }",
            "y[i] = f(y, 3);",
            {"y": float("inf")},
            {"y"},
        ),
    ],
)
def test_what_a_function_reads_and_writes_is_the_kernels(called, body, last, written):
    found = reached(called, body)
    assert found.last == last
    assert found.written == written


def test_a_function_that_is_not_in_the_text_may_write_where_its_pointer_points():
    found = reached("f(float v) { return v; }", "{ float whole = fract(x[i], &y[i]); }")
    assert found.last == {"x": 9, "y": 9}
    assert found.written == {"y"}


def test_the_kernel_that_is_rewritten_stays_as_it_stands():
    text = KERNEL.replace("CALLED", "f(float v) { return v; }").replace("BODY", "y[at(i, 0, w)] = f(x[i]);")
    read = expand.read(text)
    assert "at" in repr(read.kept["k"].body)
    assert "f" not in expand.read(text.replace("at(i, 0, w)", "i").replace("f(x[i])", "x[i]")).deep


def test_an_array_that_a_function_only_passes_on_is_no_number():
    text = """void pair(int *a, int *b) { int t = *a; *a = min(t, *b); *b = max(t, *b); }
void sort(int *a) { pair(a + 0, a + 1); pair(a + 1, a + 2); }
__kernel void k(__global int *y, int n) { int i = get_global_id(0); int m[3]; for (int j = 0; j < 3; j++) m[j] = y[i + j]; sort(m); y[i] = m[n]; }"""
    read = expand.read(text)
    posed = Posed(read.kept["k"], (t.Name("n"),), {}, helpers=read.helpers)
    made = " ".join(write.statements(catalogue.rewritten(posed, {"helper-functions": 1}).function.body, "", ""))
    assert "m[0 + 0] = min(t_in2, m[1 + 0]);" in made
    assert "sort(" not in made
    assert "a_in" not in made
