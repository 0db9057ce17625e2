"""Declarations of private variables in whatever form C allows, and words that leave open whether there are more."""

from __future__ import annotations

import pytest

from hotloop.model.program import Array, Launch, Program
from hotloop.verify.remnants.among import among
from hotloop.verify.remnants.doubts import doubt, renamed
from hotloop.verify.remnants.emptied import HOW
from hotloop.verify.remnants.text import OWN, bare, bodies

LAUNCH = Launch("k", (Array("y"),), (1024,), (64,))


def overwritten(text):
    """Return the names of what is overwritten, in a kernel with these lines, or in a whole text."""
    source = text if "kernel" in text else f"__kernel void k(__global float *y, const int n) {{ {text} y[n] = 1.0f; }}"
    made = among(Program("opencl", source, launches=(LAUNCH,)), other=True)
    calls = [] if made is None else made.source.split(f"{OWN}_empty((volatile unsigned *)&")[1:]
    return [call.partition(",")[0] for call in calls]


@pytest.mark.parametrize(
    "declared",
    [
        "volatile float t[64], z = 0.0f;",
        "volatile float *z = 0, t[64];",
        "volatile float (t)[64];",
        "float volatile t[64];",
        "volatile unsigned long int t[64];",
        "volatile float t[64] __attribute__((aligned(64)));",
        "__attribute__((aligned(64))) volatile float t[64];",
        "union { volatile float v[64]; uint w[64]; } t;",
        "struct __attribute__((packed)) W { float v[64]; } t;",
        "__typeof__(volatile float[64]) t;",
        "volatile float t<:64:>;",
        "here: ; volatile float t[64];",
        "for (volatile float t[64]; ; ) break;",
        "({ volatile float t[64]; });",
        "switch (n) { case 1: ; float t[64]; }",
        "typedef float T[64]; T (t);",
        "struct W t = t;",
        "struct W t = *&t, u = {0};",
        "__extension__ volatile float t[64];",
        '[[clang::annotate("x")]] volatile float t[64];',
    ],
)
def test_every_form_of_a_declaration_is_one(declared):
    assert overwritten(declared) == ["t"]


@pytest.mark.parametrize("name", ["t$", "t\\u00e9", "t\u00e9"])
def test_names_of_other_letters_are_names(name):
    assert len(overwritten(f"volatile float {name}[64];")) == 1


@pytest.mark.parametrize(
    "statement",
    [
        "f(n);",
        "y[n] = a * b;",
        "return n;",
        "n += 4, n--;",
        "float f(float x);",
        "else n = 1;",
        "(int) a * b;",
        "goto t;",
    ],
)
def test_what_declares_nothing_is_left(statement):
    assert overwritten(statement) == []


def test_in_the_head_of_a_loop_one_more_variable_does_it():
    made = among(
        Program("opencl", "__kernel void k(int n) { for (float t[9]; n; ) n = t[0]; }", launches=(LAUNCH,)), other=True
    )
    assert f"for (float t[9], *{OWN}_" in made.source
    assert f" / 4, {HOW}) : (void)0, (void *)0); n; )" in made.source


def test_small_arrays_lie_in_memory_where_a_pointer_leads_to_them():
    assert overwritten("float a[4], b[4]; volatile float *p = a; b[0] = 1.0f;") == ["a", "b"]
    source = "__kernel void k(int n) { float a[4], b[4]; volatile float *p = a; b[0] = 1.0f; }"
    made = among(Program("opencl", source, launches=(LAUNCH,)), other=True).source
    assert "sizeof(a) >= 1" in made
    assert "sizeof(b) >= 32" in made


@pytest.mark.parametrize(
    "text",
    [
        "float g(x, n) float x; int n; { volatile float t[64]; return t[1]; }",
        "float g(float x) WORD { volatile float t[64]; return t[1]; }",
        "DEFINE(float g(float x) { volatile float t[64]; return t[1]; })",
        "__constant char a[] = \"/*\"; float g(float x) { volatile float t[64]; return t[1]; } __constant char b[] = \"*/\";",
        "float g(float x) { const char q = '}'; volatile float t[64]; return t[1]; }",
    ],
)  # fmt: skip
def test_functions_in_whatever_form_have_bodies(text):
    assert overwritten(f"{text}\n__kernel void k(__global float *y) {{ y[0] = 1.0f; }}") == ["t"]


def test_values_and_members_are_no_bodies():
    text = "struct S { float v[40]; }; __constant float c[2] = {0, 1}; typedef union { int a; } U; struct S f(void) { int x; }"
    assert [text[begin:close].strip() for begin, close in bodies(text)] == ["int x;"]


def test_lines_for_the_preprocessor_keep_their_texts():
    text = '#include "a(b).h"\n#pragma unroll(4)\n#error it\'s {\n_Pragma("unroll(2)") f("(");'
    assert bare(text) == text.replace('f("(")', 'f("\\050")')


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("#define N 64\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\nvoid f(int n) { float t[N]; }", ""),
        ("float2 g(float x) { if (x > 0) { return x; } return 0; }", ""),
        ("__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k(__global float *y) { y[0] = 1; }", ""),
        ("#define AREA wide * (high)\n#define HERE const int at = get_global_id(0); x[at]", ""),
        ("#define MINE float *p, t[64]", "#define MINE"),
        ("#define STEP(i) a += x[i]; b += y[i]\n#define ON", ""),
        ("#define MINE(a, b) volatile float a[b]", "#define MINE"),
        ("#define OPEN [", "#define OPEN"),
        ("#define END ;", "#define END"),
        ("#define AT &", "#define AT"),
        ("#if 0\n}\n#endif\nvoid f(void) { }", "#if"),
        ("#define SELF (own)\nvoid f(void) { W own = SELF; }", "a variable that a macro names as its own value"),
        ("#define STEP(i) a += x[i];\nvoid f(void) { STEP(1) STEP(2) b[0] = a; STEP(3) f(b); STEP(4) return; }", ""),
        ("#define ALIAS own\nvoid f(void) { W other; }", ""),
        ("void f(void) {\n#if 1\nfloat\n#else\nint\n#endif\nt[9]; }", "#if within a declaration"),
        ("#define SAME(...) __VA_ARGS__\nvoid f(void) { SAME(volatile float t[64]); }", "SAME(volatile float t[64])"),
        ("#define A(a) a\nvoid f(void) { A(volatile) A(float) A(t)[64]; }", "A(volatile)"),
        ("#define OF(T, a) ((T)(a))\nvoid f(int x) { x += OF(unsigned int, x) + OF(const int, 3); }", ""),
        ('#define UNROLL(n) _Pragma("unroll(n)")\nvoid f(int x) { UNROLL(4) for (; x; ) x--; }', ""),
        ("#define T t[64]\nvoid f(void) { volatile float T; }", "a variable named by a macro"),
        ("void f(int n) { goto in; { float t[9]; in: g(t); } }", "goto"),
        ("void f(void) { float *t = __builtin_alloca(99); }", "__builtin_alloca"),
        ("void f(void) { union { int a; float v[9]; } t = {1}; }", "a union of which one member has a value"),
        ("S never(float x) { if (x > 1) { return s; } }", "S never(float x) without a return at its end"),
    ],
)
def test_words_that_leave_it_open_which_private_memory_there_is(source, words):
    assert doubt(source) == words


@pytest.mark.parametrize(
    ("source", "options", "words"),
    [
        ("#define sizeof(a) 0ul", (), "#define sizeof"),
        ("%:define if(c) if (0 && (c))", (), "#define if"),
        ("#undef __OPENCL_VERSION__\n#ifndef __OPENCL_VERSION__\n#endif\n#define uchar nothing", (), "#define uchar"),
        ("#ifndef __OPENCL_VERSION__\n#define barrier(x)\n#define __global\n#endif\nvoid f(void) { }", (), ""),
        ("#define iffy\n#define const_index 4", ("-DT=float", "-Dconvert_T=convert_float"), ""),
        ("", ("-cl-std=CL2.0", "-D", "__typeof__(v)=v"), "-D __typeof__"),
    ],
)
def test_words_of_the_language_that_mean_something_else(source, options, words):
    assert renamed(source, options) == words
