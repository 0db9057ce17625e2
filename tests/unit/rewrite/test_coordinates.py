"""Short vectors of whole numbers come apart where that keeps what a kernel calculates, and stay where it would not."""

import pytest

from hotloop.rewrite import parse, write
from hotloop.rewrite import tree as t
from hotloop.rewrite.catalogue import rewritten
from hotloop.rewrite.form import Posed
from hotloop.rewrite.tidy import tidy

HEAD = "__kernel void f(__global const float *a, __global float *b, __constant int2 *c, int n, float r, int q_x, const int2 size, uint2 wide) {"


def body(text):
    whole = HEAD + text + "}"
    function = tidy(parse.functions(whole)[0], (), whole)
    return function, " ".join(write.statements(function.body, "", ""))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("int2 p = (int2)(get_global_id(0), get_global_id(1)); p = p + 1; b[p.y * n + p.x] = 1;", ["p_x = p_x + 1;", "p_y = p_y + 1;"]),
        (
            "int x = get_global_id(0); for (int k = -1; k < 2; k++) { int2 at = (int2)(x + k, k); int2 in = max(at, 0); b[in.x] = a[in.y]; }",
            ["int at_x = x + k;", "int in_x = max(at_x, 0);", "b[in_x] = a[in_y];"],
        ),
        ("int x = get_global_id(0); int2 p = (int2)(x, 1); p += (int2)(r, n); b[p.x + p.y] = 1;", ["p_x += (int)r;", "p_y += n;"]),
        ("int x = get_global_id(0); int2 p; p.x = x; p.s1 = n; b[p.x + p.y] = 1;", ["p_x = x;", "p_y = n;"]),
        ("int x = get_global_id(0); int4 p = {x, 1, 2, 3}; b[p.x + p.w] = 1;", ["int p_w = 3;"]),
        (
            "int x = get_global_id(0); int2 p = {x, n}; if (!all(p < size)) return; b[p.x] = p.y;",
            ["if (!(p_x < size.x && p_y < size.y)) { return; }"],
        ),
        (
            "int x = get_global_id(0); int2 p = {x, n}; if (any(p >= size - 1)) return; p = clamp(p + 1, (int2)(0), size); b[p.x] = p.y;",
            ["if (p_x >= size.x - 1 || p_y >= size.y - 1)", "p_y = clamp(p_y + 1, 0, size.y);"],
        ),
        # numbers of other types become the vector's first: unsigned ones would change comparisons, narrower ones overflow
        ("int x = get_global_id(0); uint w = n; int2 p = {x - 1, x}; if (any(p >= (int2)(w, n))) return; b[p.x] = p.y;", ["if (p_x >= (int)w || p_y >= n)"]),
        ("int x = get_global_id(0); uint w = n; int2 p = {x - 1, x}; if (any(p >= w)) return; b[p.x] = p.y;", ["if (p_x >= (int)w || p_y >= (int)w)"]),
        ("int x = get_global_id(0); int2 p = {x, n}; if (!all(p < (int2)(get_global_size(0), 7))) return; b[p.x] = p.y;", ["p_x < (int)get_global_size(0) && p_y < 7"]),
        ("int x = get_global_id(0); size_t w = n; int2 p = {x, n}; p = min(p, (int2)(w)); b[p.x] = p.y;", ["p_x = min(p_x, (int)w);"]),
        ("int x = get_global_id(0); long2 p = (long2)(x, n) * (long2)(n, n); b[x] = p.x + p.y;", ["long p_x = (long)x * (long)n;"]),
        ("int x = get_global_id(0); uint w = n; long2 p = -(long2)(w, x); b[x] = p.x + p.y;", ["long p_x = -(long)w;"]),
        ("int x = get_global_id(0); uint w = n; ulong2 p = (ulong2)(w, 1) + (ulong2)(w, 1); b[x] = p.x + p.y;", ["ulong p_x = (ulong)w + (ulong)w;", "ulong p_y = (ulong)1 + (ulong)1;"]),
    ],
)  # fmt: skip
def test_components_are_variables(text, parts):
    function, written = body(text)
    assert {node.base.text for node in t.walk(*function.body) if isinstance(node, t.Member)} <= {"size"}
    for part in parts:
        assert " ".join(part.split()) in " ".join(written.split()), written


@pytest.mark.parametrize(
    "text",
    [
        "int x = get_global_id(0); int2 p = (int2)(x, n); p = (int2)(p.y, p.x); b[p.x] = 1;",  # the second needs what the first had
        "int x = get_global_id(0); int2 p = c[x]; b[p.x] = 1;",
        "int x = get_global_id(0); int2 p = (int2)(x, 1); b[x] = convert_float2(p).x;",
        "int x = get_global_id(0); int2 q = (int2)(x, 1); b[q.x] = q.y;",  # a parameter has the name
        "int x = get_global_id(0); int2 p = (int2)(x++); b[p.x] = p.y;",
        "int x = get_global_id(0); float2 p = (float2)(x, 1); b[x] = p.y;",
        "int x = get_global_id(0); int2 p = (int2)(x, 1); int2 *o = &p; b[x] = o->x;",
        "int x = get_global_id(0); short2 p = (short2)(x, 1); short2 o = p * p; b[x] = o.y;",
        "int x = get_global_id(0); short2 p = (short2)(x, 1); if (all(p < (short)7)) b[p.x] = 1;",
        "int x = get_global_id(0); int2 p = {x, 1}; if (all(p < (int2)(n++, n))) b[p.x] = 1;",  # the second is not always reached
        "int x = get_global_id(0); int2 p = {x, 1}; if (all(p < convert_int2(wide))) b[p.x] = 1;",
        "int x = get_global_id(0); int2 p = {x, 1}; { int2 size = c[x]; if (all(p < size)) b[p.x] = 1; }",  # hides the parameter
    ],
)
def test_what_is_no_set_of_numbers_stays_a_vector(text):
    function, _ = body(text)
    kinds = {node.type for node in t.walk(*function.body) if isinstance(node, t.Declare)}
    assert any(kind[-1] in "24" for kind in kinds)


def test_nothing_waits_at_the_end_of_all():
    function, _ = body(
        "int x = get_global_id(0); b[x] = 1; barrier(CLK_LOCAL_MEM_FENCE); // of all\n mem_fence(CLK_GLOBAL_MEM_FENCE);"
    )
    assert not any(isinstance(node, t.Call) and "fence" in node.function + "barrier" and node.function in ("barrier", "mem_fence") for node in t.walk(*function.body))  # fmt: skip
    function, _ = body("int x = get_global_id(0); b[x] = 1; barrier(CLK_GLOBAL_MEM_FENCE); b[x + n] = b[x + 1];")
    assert any(isinstance(node, t.Call) and node.function == "barrier" for node in t.walk(*function.body))


def test_vectors_that_are_only_put_together_for_a_function_are_taken_apart():
    text = "__kernel void f(__global const float *x, __global float *y, int n) { int i = get_global_id(0); if (i < n) y[i] = distance((float2)(x[i], 1.0f), (float2)(x[0], x[1])); }"
    made = rewritten(Posed(parse.functions(text)[0], (), {}), {"vectors-apart": 1})
    written = " ".join(" ".join(write.statements(made.function.body, "", "")).split())
    assert "float2" not in written
    assert "sqrt(" in written
