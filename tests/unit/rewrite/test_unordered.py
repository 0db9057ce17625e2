"""Conditions on numbers that may be NaN are not turned round: neither ``a < b`` nor ``a >= b`` holds then."""

import pytest

from hotloop.rewrite import parse, write
from hotloop.rewrite import tree as t
from hotloop.rewrite.catalogue import rewritten
from hotloop.rewrite.components.straight import straightened
from hotloop.rewrite.conditions import negated
from hotloop.rewrite.form import Posed
from hotloop.rewrite.shape import RefusedError, shape
from hotloop.rewrite.unordered import kinds_of, unordered

TYPES = {"real": "float", "count": "int", "index": "count"}
HEAD = (
    "__kernel void f(__global const real *x, __global const uchar *m, __global float *y, index n, float limit, int2 at)"
)


def function(body):
    return parse.functions(f"{HEAD} {{\n{body}\n}}\n")[0]


def posed(body, **more):
    return Posed(function(body), (t.Name("n"),), TYPES, **more)


def shown(made):
    return " ".join(" ".join(write.statements(made.function.body, "", "")).split())


@pytest.mark.parametrize(
    ("condition", "opposite"),
    [
        ("i >= n", "i < n"),
        ("i >= n || i < at.x", "i < n && i >= at.x"),
        ("m[i] > 3", "m[i] <= 3"),
        ("i >= WIDTH - 1", "i < WIDTH - 1"),
        ("min(i, n) > 3", "min(i, n) <= 3"),
        ("x[i] == 0.0f", "x[i] != 0.0f"),  # of NaN that is so, too
        ("x[i] > 0", "!(x[i] > 0)"),
        ("i < n && x[i] <= limit", "i >= n || !(x[i] <= limit)"),
        ("limit < i", "!(limit < i)"),
        ("sqrt(i) < n", "!(sqrt(i) < n)"),
        ("(float)i / n < 2", "!((float)i / n < 2)"),
        ("s >= 1", "!(s >= 1)"),
        ("q[i] >= 1", "!(q[i] >= 1)"),
    ],
)
def test_the_opposite_of_a_condition(condition, opposite):
    body = function(f"int i = get_global_id(0); float s = x[i]; double q[4]; if ({condition}) y[i] = 1;")
    (branch,) = (node for node in body.body if isinstance(node, t.If))
    made = negated(branch.condition, kinds_of(body, TYPES))
    assert write.expression(made) == opposite
    assert unordered(branch.condition, kinds_of(body, TYPES)) == ("!" in opposite.replace("!=", ""))


def test_an_early_return_on_a_value_is_no_bound():
    form = shape(function("int i = get_global_id(0); if (i >= n || x[i] < 0.5f) return; y[i] = 1;"), TYPES)
    assert write.expression(form.guard) == "i < n && !(x[i] < 0.5f)"


@pytest.mark.parametrize(
    ("asked", "turned"), [("i == 0 || n < i", True), ("i == 0 || x[i] < limit", False), ("i == 0 || x[i] == 1", True)]
)
def test_what_happens_on_a_border_of_values_stays_first(asked, turned):
    text = shown(straightened(posed(f"int i = get_global_id(0); if ({asked}) {{ y[i] = 0; }} else {{ y[i] = 2; }}")))
    assert ("y[i] = 2; } else { y[i] = 0;" in text) == turned


def test_rounds_that_values_leave_out_have_no_bounds():
    body = "int i = get_global_id(0); float s = 0; for (int k = 0; k < n; k++) { if (x[k] > limit) continue; s += x[k]; } y[i] = s;"
    with pytest.raises(RefusedError):
        rewritten(posed(body), {"bounded-loops": 1})


def test_blocks_keep_the_sense_of_a_value_that_leaves_early():
    body = "int i = get_global_id(0); if (i >= n) return; float s = x[i]; if (s > limit) { } else { y[i] = s; }"
    text = shown(rewritten(posed(body), {"outputs-per-item": "1x1x4"}))
    assert "<= limit" not in text
    assert "<=(" not in text


def test_places_that_a_value_lets_leave_are_those_of_the_text():
    body = "int l = get_local_id(0), i = get_global_id(0); __local float p[8]; if (limit < 1.0f) return; p[l] = x[i]; barrier(CLK_LOCAL_MEM_FENCE); y[i] = p[7 - l];"
    text = shown(rewritten(posed(body, group=(8,)), {"place-loops": 1}))
    assert "!(limit < 1.0f)" in text
    assert "limit >=" not in text
