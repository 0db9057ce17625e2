"""Macros and branches of the preprocessor: what a kernel does is read without them, what is rewritten stays where it stands."""

from __future__ import annotations

from hotloop.rewrite import catalogue, ranges, shape, write
from hotloop.rewrite import tree as t
from hotloop.rewrite.expand import expanded, read
from hotloop.rewrite.form import Posed

TEXT = """#define TILE 16
#define AT(i) x[(i) * TILE]
#ifdef WIDE
typedef struct { float re, im; } item;
#else
typedef struct { float re; int im; } item;
#endif
// kernels
__kernel void plain(__global float *y, int n) {
    int i = get_global_id(0);
    if (i < n) {
        y[i] = TILE;
    }
}
__kernel void hidden(__global const float *x, __global item *y, int n) {
    int i = get_global_id(0);
    if (i >= n) return;
#ifdef WIDE
    y[i].re = AT(i + 1);
#else
    y[i].im = 1;
#endif
}
"""


def test_what_macros_hide_is_read_and_kept_at_its_place():
    found = read(TEXT, ("-DWIDE",))
    hidden = found.kept["hidden"]
    assert TEXT[slice(*hidden.span)].startswith("{\n    int i")
    assert TEXT[slice(*hidden.head)].endswith("int n)")
    reach = ranges.reach(found.known["hidden"], {"n": 10}, (10,))
    assert reach.last == {"x": 160.0, "y": 9.0}
    assert reach.written == {"y"}
    assert shape.number(shape.extents(shape.shape(hidden))[0][0], {"n": 7}) == 7
    assert found.structures == {"item": ("float", 2)}


def test_a_number_by_name_stays_in_the_text():
    assert "TILE" in str(read(TEXT, ("-DWIDE",)).kept["plain"].body)
    assert "16" in str(read(TEXT, ("-DWIDE",)).known["plain"].body)


def test_other_options_are_another_text():
    reach = ranges.reach(read(TEXT).known["hidden"], {"n": 10}, (10,))
    assert reach.last == {"y": 9.0}
    assert read(TEXT).structures == {}, "members of two types have no plain layout"


def test_headers_that_are_not_there_and_damaged_directives_are_left_to_the_compiler():
    assert "float y" in expanded('#include "none.h"\n#if (\nfloat x;\n#endif\nfloat y;\n').text


def test_group_numbers_reach_as_far_as_the_named_group():
    text = """__kernel void tile(__global float *y) {
        y[get_group_id(0) * 16 + get_local_id(0)] = get_num_groups(0);
    }"""
    function = read(text).known["tile"]
    assert ranges.reach(function, {}, (64,), (16,)).last == {"y": 63.0}
    assert ranges.reach(function, {}, (64,)).last["y"] == float("inf"), "the runtime chooses the group"


def test_a_kernel_whose_name_is_a_macro_is_known_by_the_name_that_it_has():
    text = "#define NAME scale4\n__kernel void NAME(__global float *x) { x[get_global_id(0)] = 0; }"
    known = read(text)
    assert list(known.kept) == ["scale4"]
    assert text[slice(*known.kept["scale4"].span)].startswith("{ x[")


def test_a_kernel_whose_head_is_a_macros_call_is_kept_at_its_place():
    text = (
        "#define KERNEL(name) __kernel void name\n// KERNEL(f)(\nKERNEL(f)(__global float *y, int n)\n"
        "{\n    int i = get_global_id(0); // }\n    if (i < n) { y[i] = 1; }\n}\n"
    )
    kept = read(text).kept["f"]
    assert text[slice(*kept.head)] == "(__global float *y, int n)"
    assert text[slice(*kept.span)] == text[text.index("{\n    int") :].rstrip()
    assert "f" not in read(text + "KERNEL(f)(int x) {}\n").kept, "which of the two is launched is not known"


def test_vectors_outside_of_functions_are_known():
    text = (
        "__constant float2 zero = (float2)(0, 1);\nconstant float three = 3.0f;\n"
        "__kernel void f(__global const float2 *x, __global float2 *y, int n) {\n"
        "int i = get_global_id(0); if (i < n) { float2 s = zero; s += three * x[i]; y[i] = s; } }\n"
    )
    found = read(text)
    assert found.outside == {"zero": "float2", "three": "float"}
    posed = Posed(found.known["f"], (t.Name("n"),), {}, outside=found.outside)
    made = write.replaced(text, found.known["f"], catalogue.rewritten(posed, {"vectors-apart": 1}).function)
    assert "float s_x = zero.x" in made
    assert "three * x[i].y" in made
    hidden = text.replace("float2 s = zero;", "float zero = 2.0f; float2 s = zero;")
    posed = Posed(read(hidden).known["f"], (t.Name("n"),), {}, outside=found.outside)
    made = write.replaced(hidden, posed.function, catalogue.rewritten(posed, {"vectors-apart": 1}).function)
    assert "float s_x = zero;" in made
