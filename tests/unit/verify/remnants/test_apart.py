from __future__ import annotations

import pytest

from hotloop.model.program import Array, Launch, Local, Program, Value
from hotloop.verify.remnants.apart import apart
from hotloop.verify.remnants.text import OWN

LAUNCH = Launch("k", (Array("x"), Array("y"), Value(4, "int32")), (64,), (64,))
TEXT = """
#define W 8
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k(__global const float *x, __global float *restrict y, const int n) {
    __local float a[W][3], b[4];
    local uchar t[33];
    if (n < 3) return;
    y[0] = a[1][1] + b[1] + t[2];
}
__kernel void other(__global float *y) { y[0] = 1; }
"""


def test_every_local_array_has_bands_and_what_may_be_written_is_spoiled_where_one_was_hurt():
    made = apart(Program("opencl", TEXT, launches=(LAUNCH,)))
    assert made is not None
    text = " ".join(made.source.split())
    assert f"{OWN}_band0[256]; __local float a[W][3], b[4]; __local uchar {OWN}_band1[256]; local uchar t[33];" in text
    assert f"k(x, y, n, &a, &b, &t); barrier(CLK_LOCAL_MEM_FENCE); if ({OWN}_hurt(" in text
    assert f"{{ {OWN}_spoil((volatile __global uchar *)y); }}" in text
    assert [launch.entry for launch in made.launches] == [f"{OWN}_apart_k"]
    assert "__kernel void other(__global float *y)" in text


def test_local_memory_that_comes_as_an_argument_is_larger_and_ends_with_a_band():
    launch = Launch("k", (Array("x"), Local(66)), (64,), (64,))
    made = apart(
        Program("opencl", "__kernel void k(__global float *x, __local float *t) { x[0] = t[1]; }", launches=(launch,))
    )
    assert made is not None
    assert f"{OWN}_fill((volatile __local uchar *)t + 66, 4096);" in made.source
    assert made.launches[0].arguments[1] == Local(68 + 4096)
    other = Launch("k", (Array("x"), Local(70)), (64,), (64,))
    assert (
        apart(Program("opencl", "__kernel void k(__global float *x, __local float *t) { }", launches=(launch, other)))
        is None
    )


@pytest.mark.parametrize(
    ("language", "source"), [("opencl", "__kernel void k(__global float *x) { float a[4]; }"), ("cuda", TEXT)]
)
def test_a_program_without_local_arrays_in_plain_sight_has_no_such_version(language, source):
    assert apart(Program(language, source, launches=(LAUNCH,))) is None
