"""Pointers within arrays are read as elements of them; what moves, or is not understood, stays what it is."""

from __future__ import annotations

from math import inf

import pytest

from hotloop.rewrite import parse, pointers, ranges, write
from hotloop.rewrite.expand import read

HEAD = "__kernel void f(__global const float *a, __global float *b, int n, int w) {\n    int i = get_global_id(0);\n"


def reached(body: str) -> dict[str, float]:
    found = read(f"{HEAD}{body}\n}}").known["f"]
    return ranges.reach(found, {"n": 10, "w": 7}, (10,)).last


@pytest.mark.parametrize(
    ("body", "last"),
    [
        ("const __global float *row = a + i * w; for (int x = 0; x < w; ++x) b[i] += row[x];", 9 * 7 + 6),
        ("__global const float *p = &a[i * w], *q = p + 2; b[i] = q[1];", 9 * 7 + 3),
        ("a += w + 3; b[i] = a[i - 1];", 9 + 9),
        ("a = a + n; const __global float *p = a; b[i] = *p + p[i];", 10 + 9),
        ("for (int x = 0; x < 4; ++x) { __global const float *p = a + x * n; b[i] += p[i]; }", 3 * 10 + 9),
        ("{ __global const float *p = a + 1; b[i] = p[i]; } b[i] += a[2];", 10),
        ("if (i > 2) { __global const float *p = i + a; b[i] = *p; }", 9),
        ("__global const float *p = a - 2 + i; b[i] = p[2];", 9),
        ("__global const float *p = a; for (int x = 0; x < 4; ++x) { b[i] += *p; p += n; }", 30),
        ("for (int x = 0; x < 4; ++x) { a += n; b[i] += a[0]; }", 40),
        ("{ a += w; } b[i] = a[0];", 7),
        ("int j = i; __global const float *p = a + j++; b[i] = p[j];", 19),
    ],
)
def test_an_index_begins_at_its_array(body, last):
    assert reached(body)["a"] == last
    assert reached(body)["b"] == 9


@pytest.mark.parametrize(
    "body",
    [
        "__global const float *p = a + w; w = 3; b[i] = p[0];",
        "__global const float *p = i ? a : a + 1; b[i] = p[0];",
        "if (i > 2) { a += 1; } b[i] = a[0];",
        "for (int x = 0; x < 4; ++x) { if (i > x) { a += n; } b[i] += a[0]; }",
        "for (int x = 0; x < 4; ++x) { if (i == x) { break; } b[i] += *a++; }",
        "for (int x = 0; x < w; ++x) { b[i] += *a; a += x; }",
        "__global const float *p = a + (int)b[i]; b[i] = 3; b[i] = p[0];",
        "__global const float *p = a; goto end; end: b[i] = p[w];",
        "__global const float4 *p = (__global const float4 *)a; b[i] = p[i].x;",
    ],
)
def test_a_pointer_that_moves_or_is_not_understood_reaches_anywhere(body):
    assert reached(body)["a"] == inf


def test_a_pointer_in_local_memory_and_one_that_is_passed_on():
    text = "__local float t[64]; __local float *row = t + 8; row[i] = a[i]; float4 v = vload4(0, a + i); b[i] = row[2] + v.x;"
    found = read(f"{HEAD}{text}\n}}").known["f"]
    written = "\n".join(write.statements(found.body, "", "    "))
    assert "t[8 + i] = a[i]" in written
    assert "t[8 + 2]" in written
    assert "vload4(0, a + i)" in written
    assert "row" not in written


def test_a_pointer_to_an_array_whose_name_moves_on_stays():
    text = "__local float *c = p; p = q; q = c; b[i] = q[i];"
    head = "__kernel void f(__global float *b, __local float *p, __local float *q) {\n    int i = get_global_id(0);\n"
    written = "\n".join(write.statements(read(f"{head}{text}\n}}").known["f"].body, "", "    "))
    assert "q = c" in written


def test_a_kernel_without_pointers_is_itself():
    (plain,) = parse.functions(f"{HEAD}    b[i] = a[i];\n}}")
    assert pointers.direct(plain) is plain


def test_words_of_opencl_stay_in_comments():
    (one,) = parse.functions(
        "__kernel void f(__global float *b) {\n    // to global memory\n    b[0] = 1; /* a __local one */\n}"
    )
    assert [node.text for node in one.body if getattr(node, "comment", False)] == [
        "// to global memory",
        "/* a __local one */",
    ]


def test_a_loop_may_begin_below_zero():
    body = "for (int x = -8; x <= 8; x++) b[i] += a[8 - x];"
    assert reached(body)["a"] == 16


def test_the_group_that_an_attribute_requires_is_read_with_its_macros():
    text = (
        "#define R 4\n__attribute__((reqd_work_group_size(R * 8, 2, 1)))\n__kernel void f(__global float *b) { b[0] = 1; }\n"
        "__kernel void g(__global float *b) { b[0] = 1; }\n"
        "__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void h(__global float *b) { b[0] = 1; }\n"
    )
    assert read(text).required == {"f": (32, 2, 1), "h": (64, 1, 1)}
