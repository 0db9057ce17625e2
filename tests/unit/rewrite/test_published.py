"""What published texts are written in: names in parentheses, loops with two steps, atomic functions on moved pointers."""

from __future__ import annotations

import pytest

from hotloop.app.bare.wish import wish
from hotloop.rewrite import parse, ranges

HEAD = "__kernel void f(__global const float *a, __global int *b, int n, int m) {\n    int i = get_global_id(0);\n"


def reached(body: str) -> ranges.Reach:
    (found,) = parse.functions(f"{HEAD}{body}\n}}")
    return ranges.reach(found, {"n": 10, "m": 7}, (10,))


@pytest.mark.parametrize(
    ("index", "last"),
    [
        ("(i)+n*((i)+m*(2))", 9 + 10 * (9 + 14)),
        ("(i) - 1", 8),
        ("((i) * m)", 63),
        ("(int)+i", 9),
        ("(uint)(i) + 1", 10),
        ("min(i, 3)+n", 13),
    ],
)
def test_a_name_in_parentheses_is_no_type(index, last):
    assert reached(f"b[i] = a[{index}];").last["a"] == last


def test_a_type_that_the_text_names_keeps_its_parentheses():
    text = "typedef int whole;\nint g(int n) { return (whole) - (n) + 1; }"
    assert "(whole) - " in parse.blanked(text)
    assert "(n)" not in parse.blanked(text)


def test_a_loop_with_two_steps_is_read_unless_its_rounds_are_cut_short():
    assert reached("int k = 0; for (; k < 8 && n < m; k++, n++) b[i] += a[k];").last["a"] == 7
    assert reached("int j = 0; for (int k = 0; k < 8; j += 2, ++k) b[i] += a[k];").last["a"] == 7
    assert reached("for (int k = 0; k < 8; n++, k++) { if (b[i]) continue; b[i] += a[k]; }").last["a"] == float("inf")


@pytest.mark.parametrize("place", ["&b[i]", "b + i"])
def test_an_atomic_function_changes_its_element(place):
    found = reached(f"atomic_add({place}, (int)a[i]);")
    assert found.last == {"a": 9.0, "b": 9.0}
    assert (found.written, found.read) == ({"b"}, {"a", "b"})


def test_names_of_sizes_may_have_an_x():
    named = wish((), "", ("nx,ny", "scale=64x8"), ("max",))
    assert named.globals == {"*": "nx,ny", "scale": "64,8"}
    assert named.locals == {"*": "max"}
