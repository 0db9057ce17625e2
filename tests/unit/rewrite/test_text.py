"""Parsing, writing, and what ranges and shapes say of a text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hotloop.rewrite import algebra, parse, ranges, write
from hotloop.rewrite import tree as t
from hotloop.rewrite.plain import blanked
from hotloop.rewrite.shape import RefusedError, extents, number, shape

KERNEL = """#define W 4
// twice
__attribute__((reqd_work_group_size(8, 1, 1))) __kernel void two(
    __global const float * restrict x /* in */, __local float *buf, __constant int *map, const unsigned int n, float2 v)
{
    const int i = get_global_id(0);
    if (i >= n) return;
    float acc = 0.0f, *p;
    for (int k = 0; k < W; ++k) { acc += x[i * W + k] ? -x[i] : (float)map[k]; }
    buf[i % 8] = (i & 1) == 0 && !(i << 2 > 3) ? acc : v.x * (acc + 1.0f) / (acc - (2.0f - acc));
}
void helper(int a) { }
"""


def test_parameters_with_spaces_and_qualifiers():
    (found,) = parse.functions(KERNEL)
    assert found.name == "two"
    assert [(a.name, a.type, a.space) for a in found.arguments] == [
        ("x", "float", "global"), ("buf", "float", "local"), ("map", "int", "constant"), ("n", "unsigned int", ""), ("v", "float2", ""),
    ]  # fmt: skip
    assert found.arguments[0].qualifiers == ("const", "restrict")


def test_what_is_written_parses_to_the_same_tree():
    (found,) = parse.functions(KERNEL)
    text = write.replaced(
        KERNEL, found, type(found)(found.name, found.arguments, found.body[:], 1, found.span, found.head)
    )
    assert text == KERNEL, "what does not change stays letter by letter"
    lines = "\n".join(write.statements(found.body, "    ", "    "))
    again = parse.functions(f"__kernel void two(int n) {{\n{lines}\n}}")[0]
    assert "\n".join(write.statements(again.body, "    ", "    ")) == lines


@pytest.mark.parametrize("text", ["a - (b - c)", "(a + b) * c", "a / (b * c)", "-(-a)", "(a && b) || c", "!(a < b)", "(int)(a + b)", "&x[i + 1]", "a ? b : c", "(a < b) < c", "(a < b) == c"])  # fmt: skip
def test_parentheses(text):
    (found,) = parse.functions(f"__kernel void f(int a) {{ r = {text}; }}")
    assert write.expression(found.body[0].value.value) == text.replace("-(-a)", "- -a")


def test_early_return_is_a_bound():
    (found,) = parse.functions(KERNEL.replace("const int i", "int i"))
    form = shape(found)
    assert write.expression(form.guard) == "i < n"
    bounds, sure = extents(form)
    assert sure
    assert number(bounds[0], {"n": 7}) == 7


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("int i = 4; y[i] = 0;", "no variable of it is a work-item's number"),
        ("int i = get_global_id(0); y[i] = 0;", "no condition bounds i"),
        ("int i = get_global_id(1); if (i < n) y[i] = 0;", "dimension 0 has no variable"),
        (
            "int i = get_global_id(0) * get_global_id(0); if (i < n) y[i] = 0;",
            r"no condition bounds get_global_id\(0\)",
        ),
    ],
)
def test_forms_that_are_refused(body, reason):
    (found,) = parse.functions(f"__kernel void f(__global float *y, int n) {{ {body} }}")
    with pytest.raises(RefusedError, match=reason):
        extents(shape(found))


@pytest.mark.parametrize(
    ("body", "items"),
    [
        ("int i = 2 * get_global_id(0); if (i < n) y[i] = 0;", 6),
        ("int i = get_global_id(0) * 1; if (i < n) y[i] = 0;", 11),
        ("const int i = 8 * (int)get_global_id(0); if (i + 7 < n) vstore8(0.0f, 0, y + i);", 1),
        ("uint i = get_global_id(0) * 4 + 2; if (i >= n) return; y[i] = 0;", 3),
    ],
)
def test_work_items_that_take_several_places(body, items):
    (several,) = parse.functions(f"__kernel void f(__global float *y, int n) {{ {body} }}")
    (bound,), sure = extents(shape(several))
    assert (number(bound, {"n": 11}), sure) == (items, True)


@pytest.mark.parametrize(
    ("body", "last"),
    [
        ("if (i < n) y[i] = x[2 * i + 1];", {"y": 9, "x": 19}),
        ("if (i > 0 && i < n - 1) y[i] = x[i - 1] + x[i + 1];", {"y": 8, "x": 9}),
        ("for (int k = 0; k <= n; k++) y[i] += x[k * n + i];", {"y": 11, "x": 111}),
        ("for (int k = n - 1; k >= 0; k--) y[k] = 0;", {"y": 9}),
        ("for (int k = i; k < n; k += 2) y[k] = x[min(k, 3)];", {"y": 9, "x": 3}),
        ("if (i >= n) return; y[i % 4] = x[i / 2];", {"y": 3, "x": 4}),
        ("if (i >= n || i < 2) return; y[mad24(i, n, 1)] = x[mul24(n, 2) - i];", {"y": 91, "x": 18}),
        ("const int at = fma(2, i, 1); y[at] = 0;", {"y": 23}),
        ("int k = i; while (k < 3) k++; y[k] = 0;", {"y": float("inf")}),
        ("y[(int)x[i]] = 1;", {"y": float("inf"), "x": 11}),
    ],
)
def test_reach(body, last):
    (found,) = parse.functions(
        f"__kernel void f(__global float *x, __global float *y, int n) {{ int i = get_global_id(0); {body} }}"
    )
    made = ranges.reach(found, {"n": 10}, (12,))
    assert made.last == last
    assert made.written == {"y"}


def test_bytes_as_places_in_a_table_end_at_255():
    (table,) = parse.functions(
        "__kernel void f(__global const uchar *x, __global const float *t, __global float *y, __global ushort *w) {"
        " int i = get_global_id(0); y[i] = t[x[i]] + t[255 - x[i]] + t[(uchar)w[i]]; w[i] = y[w[i]]; }"
    )
    made = ranges.reach(table, {}, (12,))
    assert made.last == {"x": 11, "t": 255, "y": float("inf"), "w": 11}


def test_what_is_no_product_counts_as_moving_with_everything_in_it():
    (found,) = parse.functions("__kernel void f(int a) { r = (i / 2) * n + j; }")
    poly = algebra.polynomial(found.body[0].value.value)
    assert algebra.stride(poly, "j") == algebra.ONE
    assert algebra.stride(poly, "i") is None
    assert algebra.stride(poly, "k") == {}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("exp(-0.5f * (((u) * (u)) + ((v) * (v))) / r)", "exp(-0.5f * (u * u + v * v) / r)"),
        ("(a[i]) * w + (f(i)) - (s.x) * (p->q)", "a[i] * w + f(i) - s.x * p->q"),
        ("(float)(a[i]) + -(n) + (a[i + (n)]) - 1", "(float)a[i] + -n + a[i + n] - 1"),
        ("((n)) * (2) * f((n), (a[i]))", "n * 2 * f(n, a[i])"),
        ("(int)(n) * (real)(a[i])", "(int)n * (real)a[i]"),
    ],
)
def test_what_stands_in_parentheses_before_an_operator_is_no_type(written, meant):
    (kernel,) = parse.functions(f"typedef float real; __kernel void f(__global float *a, int n) {{ x = {written}; }}")
    assert write.statements(kernel.body, "", "") == [f"x = {meant};"]


def test_a_product_that_the_grammar_takes_for_a_cast_is_not_understood():
    (kernel,) = parse.functions("__kernel void f(__global float *a, int n) { a[0] = (a[n])(3) + (*a[2]) * n; }")
    assert not [one for one in t.walk(*kernel.body) if isinstance(one, t.Cast)]


def test_comments_directives_and_strings_keep_their_parentheses():
    text = '// (x) + y\n#define SUM(x) (x) + 1\nf("(x) + 1"); /* (x) * 2 */ y = (x) + 1;'
    assert blanked(text) == text.replace("y = (x) +", "y =  x  +")


@pytest.mark.parametrize(
    ("head", "body", "after"),
    [
        ("__kernel void", "float8 y = vload8(0, x);", "__kernel __attribute__((vec_type_hint(float8))) void"),
        ("kernel void", "*x = vload4(0, x).s0;", "kernel __attribute__((vec_type_hint(float4))) void"),
        ("__kernel __attribute__((vec_type_hint(int))) void", "float8 y = vload8(0, x);", ""),
        ("__kernel void", "*x = 1;", ""),
    ],
)
def test_runtimes_are_told_of_vectors_that_stand_in_the_text(head, body, after):
    text = f"__kernel void other() {{ }}\n{head} f(__global float *x) {{ {body} }}"
    found = next(one for one in parse.functions(text) if one.name == "f")
    assert write.told(text, found, vector=write.vector(found.body)) == text.replace(f"{head} f", f"{after or head} f")


def test_a_required_group_is_gone_where_a_hint_comes():
    text = "__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void f(__global float *x) { *x = 1; }"
    (found,) = parse.functions(text)
    assert write.told(text, found, free=True, vector="float8").startswith(
        "__kernel __attribute__((vec_type_hint(float8))) void f("
    )


def test_pointers_keep_the_space_that_they_point_to():
    text = "__kernel void f(__global const float *x) { int i = 0; const __global float *p = x; global float *q; local int k; }"
    (found,) = parse.functions(text)
    assert [node.type for node in found.body] == ["int", "__global const float", "__global float", "__local int"]


def test_what_is_local_or_cast_stays_where_it_was():
    text = "kernel void f(global float4 *x) { __local float part[180]; part[0] = ((global float *)x)[1]; }"
    (found,) = parse.functions(text)
    other = tuple(t.renamed(node, {"part": t.Name("sums")}) for node in found.body)
    made = write.replaced(text, found, replace(found, body=other)).replace(" *", "*")
    assert "__local float sums[180];" in made
    assert "((__global float*)x)[1]" in made


def test_an_array_without_a_length_is_as_long_as_what_it_begins_with():
    text = "__kernel void f(__global int *y) { int d[] = {0, -1, 1}; int e[][2] = {1, 2}; y[0] = d[2]; }"
    declared, unknown, _ = parse.functions(text)[0].body
    assert declared.names[0].extents == (t.Number("3"),)
    assert isinstance(unknown, t.Text), "rows in one list are not counted"


@pytest.mark.parametrize(
    "text",
    [
        "if (a > 0) c++;", "if (a > 0) --c;", "int d = a > 0 ? c++ : 1;", "if (n > 0 && a > 0 && c++ < 3) n = 1;", "c += a;",
        "if (a > 0) { c = 1; }", "int d = a > 0 || (c = 1);", "foo(&c, a);",
    ],
)  # fmt: skip
def test_what_decides_a_variable_is_what_it_is_given_and_when(text):
    (found,) = parse.functions(f"__kernel void k(int a, int n, int c) {{ {text} }}")
    assert any(name == "c" and "a" in t.names_in(value) for name, value in t.assignments(*found.body))
