"""Private variables that some work-items overwrite where they are declared, in kernels as they stand."""

from __future__ import annotations

import pytest

from hotloop.model.program import Array, Launch, Program
from hotloop.verify.remnants.among import among
from hotloop.verify.remnants.emptied import HOW
from hotloop.verify.remnants.text import OWN

TEXT = "__kernel void k(__global float *y) { volatile float t[64]; y[get_global_id(0)] = t[1]; }"
LAUNCH = Launch("k", (Array("y"),), (1024,), (64,))


def test_all_functions_overwrite_what_they_declare_or_write_what_is_there():
    text = "float g(float x) { float u[9]; u[0] = x; return u[1]; }\n" + TEXT
    made = [among(Program("opencl", text, launches=(LAUNCH,)), other=other) for other in (False, True)]
    for name in ("u", "t"):
        assert (
            f"{OWN}_empty((volatile unsigned *)&{name}, (sizeof({name}) > __alignof__({name}) ? sizeof({name}) : __alignof__({name})) / 4, {HOW});"
            in made[0].source
        )
    assert made[0].source.replace(f"#define {HOW} 1", f"#define {HOW} 2") == made[1].source


@pytest.mark.parametrize(
    ("declared", "least"),
    [
        ("float a[4];", 32),
        ("volatile float2 a;", 1),
        ("float2 a; float *at = (float *)&a;", 1),
        ("float a[4]; b & c;", 32),
    ],
)
def test_small_variables_count_where_they_surely_lie_in_memory(declared, least):
    made = among(
        Program("opencl", f"__kernel void k(__global float *y) {{ {declared} }}", launches=(LAUNCH,)), other=True
    )
    assert f"if (sizeof(a) >= {least}) {OWN}_empty((volatile unsigned *)&a" in made.source


def test_without_private_variables_there_is_none():
    text = (
        "struct S { float v[40]; }; __constant float c[64] = {0};\n__kernel void k(__global float *y) { y[0] = 1.0f; }"
    )
    assert among(Program("opencl", text, launches=(LAUNCH,)), other=True) is None


def test_members_of_a_type_are_no_variables():
    text = TEXT.replace("volatile float t[64];", "struct S { float v[40]; int n; }; struct S own; float t[64];")
    made = among(Program("opencl", text, launches=(LAUNCH,)), other=True)
    assert f"{OWN}_empty((volatile unsigned *)&v" not in made.source
    assert all(f"{OWN}_empty((volatile unsigned *)&{name}" in made.source for name in ("own", "t"))
