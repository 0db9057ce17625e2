from __future__ import annotations

import pytest

from hotloop.model.program import Array, Launch, Program, Value
from hotloop.verify.remnants.emptied import HOW
from hotloop.verify.remnants.text import OWN
from hotloop.verify.remnants.wrapped import FOUND, telling, wrapped

KERNEL = "__kernel void k(__global float *x, const int n) { float t[4]; x[n] = t[0]; }"


def text(source, where="here", needed_bytes=0):
    made = wrapped(Program("opencl", source), where, needed_bytes)
    return "" if made is None else made.source


def test_a_kernel_is_called_after_the_stack_was_overwritten_and_the_three_programs_share_one_build():
    launch = Launch("k", (Array("x"), Value(4, "int32")), (8,))
    every = [wrapped(Program("opencl", KERNEL, launches=(launch,)), w) for w in ("nowhere", "elsewhere", "here")]
    assert len({one.build_key for one in every}) == 1
    assert [one.launches[0].arguments[2:] for one in every] == [(Value(how, "uint32"),) for how in range(3)]
    here = every[2].source
    assert (
        "\n#undef k\n__attribute__((noinline)) void k(__global float *x, const int n) { float t[4]; x[n] = t[0]; }"
        in here
    )
    assert f"kernel void {FOUND}k(__global float *x, const int n, const uint {OWN}_how) {{" in here
    assert f"{OWN}_turn({OWN}_how); {OWN}_k(x, n); }}" in here
    deeper = f"void {OWN}_k(__global float *x, const int n) {{ volatile uint16 {OWN}_gap[4]; "
    assert deeper in here  # else the first places of the kernel's frame would lie above what is overwritten
    assert f" k(x, n); {OWN}_gap[1]; }}" in here
    assert "own[1024]" in here
    assert "own[1040]" in text(KERNEL, needed_bytes=1024)


def test_every_kernel_is_wrapped_in_its_place_and_comments_do_not_mislead():
    two = f"/* kernel void old( */ #if A\n{KERNEL}\n#else\n{KERNEL.replace(' k(', ' j(')} // {{\n#endif\nint z;"
    made = text(two)
    assert [made.count(f" {name}(") for name in ("k", "j", "old")] == [2, 2, 0]
    assert made.index(" k(x, n)") < made.index("#else") < made.index(" j(x, n)") < made.index("int z;")


def test_local_memory_is_declared_by_the_kernel_and_met_through_pointers_and_barriers_are_no_hindrance():
    source = KERNEL.replace("float t[4];", "__local float s[4][N], n0; barrier(CLK_LOCAL_MEM_FENCE); float t[4] = {0};")
    made = text("__attribute__((reqd_work_group_size(64, 1, 1))) " + source)
    declared = f"__local float (*{OWN}_s)[4][N], __local float (*{OWN}_n0)"
    assert f"\n#undef k\n__attribute__((noinline)) void k(__global float *x, const int n, {declared}) {{" in made
    assert f"#define s (*{OWN}_s)\n" in made
    assert (
        made.index("noinline)) void k(") < made.index("reqd_work_group_size") < made.index("__local float s[4][N], n0;")
    )
    assert f" {OWN}_k(x, n, &s, &n0); }}" in made
    assert f" k(x, n, {OWN}_s, {OWN}_n0); {OWN}_gap[1]; }}" in made
    assert made.index("#undef n0") < made.index(f"kernel void {FOUND}k")


def test_private_arrays_of_a_kernel_with_a_barrier_are_overwritten_where_they_are_declared():
    """Its frame is one with that of what overwrites stacks, which lies below it."""
    made = text(KERNEL.replace("float t[4];", "__local float s[4]; volatile uint p[3]; barrier(CLK_LOCAL_MEM_FENCE);"))
    assert (
        f"volatile uint p[3]; if (sizeof(p) >= 1) {OWN}_empty((volatile unsigned *)&p, (sizeof(p) > __alignof__(p) ? sizeof(p) : __alignof__(p)) / 4, {HOW});"
        in made
    )
    assert f"void k(__global float *x, const int n, __local float (*{OWN}_s)[4], const uint {HOW})" in made
    assert f"{OWN}_k(x, n, &s, {OWN}_how); }}" in made
    assert HOW not in text(KERNEL).partition("line 1")[2]


@pytest.mark.parametrize(
    "source",
    [
        KERNEL.replace("const int n)", "int)").replace("[n]", "[0]"),
        KERNEL.replace(" { ", ";").partition(";")[0] + ";",
        KERNEL + KERNEL,
        "float f(float v) { return v; }",
    ],
)
def test_texts_that_cannot_be_wrapped_are_left(source):
    assert text(source) == ""


def test_what_is_launched_has_a_name_that_no_macro_of_the_text_changes():
    launches = (Launch("k", (Array("x"),), (8,)),)
    made = wrapped(Program("opencl", f"#define k(...) decoy(__VA_ARGS__)\n{KERNEL}", launches=launches), "here")
    assert made is not None
    assert made.launches[0].entry == f"{FOUND}k"
    assert made.source.index("#undef k") < made.source.index("void k(") < made.source.index("; k(x")
    assert wrapped(Program("opencl", KERNEL, launches=(Launch("j", (), (8,)),)), "here") is None


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (KERNEL, ""),
        ("#if N > 4\n__local float s[4]; // #ifdef s\n#endif\n#define A(x) x ## 4", ""),
        ("__local float s[4], n0;\n#if A && \\\n defined( n0 )\n#endif", "#if A && defined( n0"),
        ("__local float s[4];\n#define S(x) # x", "#define S(x) # x"),
        ("#define S(x) #x", ""),
        ("char c[sizeof(__PRETTY_FUNCTION__)];", "__PRETTY_FUNCTION__"),
    ],
)
def test_words_by_which_a_text_could_tell_that_its_kernels_became_functions(source, words):
    assert telling(Program("opencl", source)) == words


def test_other_languages_are_left():
    assert wrapped(Program("cuda", KERNEL), "here") is None
