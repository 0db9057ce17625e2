"""Private variables that some work-items overwrite where they are declared, in kernels as they stand."""

from __future__ import annotations

import pytest

from hotloop.model.program import Array, Launch, Program, Value
from hotloop.verify.remnants.among import among
from hotloop.verify.remnants.emptied import HOW
from hotloop.verify.remnants.text import OWN

TEXT = "__kernel void k(__global float *y) { volatile float t[64]; y[get_global_id(0)] = t[1]; }"
LAUNCH = Launch("k", (Array("y"),), (1024,), (64,))


def test_both_programs_have_one_text_and_are_told_apart_by_a_number():
    made = [among(Program("opencl", TEXT, launches=(LAUNCH,)), other=other) for other in (False, True)]
    assert made[0].source == made[1].source
    assert f"k(__global float *y, const uint {HOW})" in made[0].source
    assert f"{OWN}_empty((volatile uint *)&t, sizeof(t) / 4, {HOW});" in made[0].source
    assert [one.launches[0].arguments[-1] for one in made] == [Value(1, "uint32"), Value(2, "uint32")]


@pytest.mark.parametrize(
    "text",
    [
        "__kernel void k(__global float *y) { float v = 1.0f; y[0] = v; }",
        "#define K __kernel void\nK k(__global float *y) { float t[64]; y[0] = t[1]; }",
    ],
)
def test_without_private_variables_or_with_kernels_out_of_sight_there_is_none(text):
    assert among(Program("opencl", text, launches=(LAUNCH,)), other=True) is None


def test_members_of_a_type_are_no_variables():
    text = TEXT.replace("volatile float t[64];", "struct S { float v[40]; int n; }; struct S own; float t[64];")
    made = among(Program("opencl", text, launches=(LAUNCH,)), other=True)
    assert f"{OWN}_empty((volatile uint *)&v" not in made.source
    assert all(f"{OWN}_empty((volatile uint *)&{name}" in made.source for name in ("own", "t"))
