from __future__ import annotations

import pytest

from hotloop.model.program import Program
from hotloop.verify.remnants.wrapped import wrapped

KERNEL = "__kernel void k(__global float *x, const int n) { float t[4]; x[n] = t[0]; }"


def text(source, where="here", needed_bytes=0):
    made = wrapped(Program("opencl", source), where, needed_bytes)
    return "" if made is None else made.source


def test_a_kernel_is_called_after_the_stack_was_overwritten_and_the_three_texts_do_the_same_otherwise():
    here, below, never = (text(KERNEL, where) for where in ("here", "elsewhere", "nowhere"))
    assert "void hotloop_k(__global float *x, const int n) { float t[4]; x[n] = t[0]; }" in here
    assert "kernel void k(__global float *x, const int n) {" in here
    assert here.rstrip(" }").endswith("hotloop_k(x, n);")
    assert "== true ? (me" in here
    assert "as_said == true) hotloop_spoil" in here
    assert here.replace("as_said == true) hotloop_spoil", "as_said == false) hotloop_spoil") == below
    assert below.replace("== true ? (me", "== false ? (me") == never
    assert "own[1024]" in here
    assert "own[1040]" in text(KERNEL, needed_bytes=1024)


def test_every_kernel_is_wrapped_in_its_place_and_comments_do_not_mislead():
    two = f"/* kernel void old( */ #if A\n{KERNEL}\n#else\n{KERNEL.replace(' k(', ' j(')} // {{\n#endif\nint z;"
    made = text(two)
    assert [made.count(f"hotloop_{name}(") for name in ("k", "j", "old")] == [2, 2, 0]
    assert made.index("hotloop_k(x, n)") < made.index("#else") < made.index("hotloop_j(x, n)") < made.index("int z;")


@pytest.mark.parametrize(
    "source",
    [
        KERNEL.replace("float t[4];", "__local float t[4];"),
        KERNEL.replace("float t[4];", "barrier(CLK_LOCAL_MEM_FENCE);"),
        KERNEL.replace("const int n)", "int)").replace("[n]", "[0]"),
        KERNEL.replace(" { ", ";").partition(";")[0] + ";",
        KERNEL + KERNEL,
        "float f(float v) { return v; }",
    ],
)
def test_texts_that_cannot_be_wrapped_are_left(source):
    assert text(source) == ""


def test_other_languages_are_left():
    assert wrapped(Program("cuda", KERNEL), "here") is None
