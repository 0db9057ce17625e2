"""What published texts are written in: names in parentheses, loops with two steps, atomic functions on moved pointers."""

from __future__ import annotations

import pytest

from hotloop.app.bare.wish import wish
from hotloop.rewrite import parse, ranges, shape, write

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


@pytest.mark.parametrize(
    ("body", "last"),
    [
        ("int p = i; for (int k = 0; k < n; k++) { b[i] += a[p]; p += m; }", 9 + 10 * 7),
        ("int p = i; for (int k = -m; k <= m; k += 2) { b[i] += a[p]; p++; }", 9 + 8),
        ("int p = 100; for (int k = 0; k < n; k++) { b[i] += a[p]; if (k > 2) p -= 4; }", 100),
        ("int p = 0; for (int k = 0; k < n; k++) { for (int j = 0; j < m; j++) p += 1; b[i] += a[p]; }", float("inf")),
        ("int p = 0; for (int k = 0; k < n; k++) { p += b[k]; b[i] += a[p]; }", float("inf")),
        ("int p = i; p += 3; b[i] = a[p];", 12),
    ],
)
def test_what_a_loop_adds_up_ends_somewhere(body, last):
    assert reached(body).last["a"] == last


@pytest.mark.parametrize(
    ("body", "last"),
    [
        ("const int steps[3] = {-1, 0, m}; b[i] = a[i + steps[i % 3]];", 16),
        ("int steps[2][2] = {{1, 2}, {3, 4}}; b[i] = a[i + steps[0][1]];", float("inf")),
        ("int steps[2] = {1, 2}; for (int k = 0; k < 2; k++) steps[k] = b[k]; b[i] = a[i + steps[0]];", float("inf")),
        ("int steps[2] = {1, 2}; steps[0] = b[0]; b[i] = a[i + steps[0]];", float("inf")),
        ("float4 zero = {0.0f, 0.0f, 0.0f, 0.0f}; b[i] = a[i] + zero.x;", 9),
        ("int r = ceil(2.0f * m); b[i] = a[i + (int)floor((float)m)];", 16),
        ("const int r = ceil(2.0f * m); b[i] = a[i + r];", 23),
        ("int r = (int) fmin(m - 1.0f, fmax(0.0f, a[i] * m)); b[i] = a[r];", 9),
        ("b[i] = a[(int) (m * 2 / 4.0f)];", 3),
        ("b[i] = a[(int) (a[i] * 0.5f)];", float("inf")),
        ("const int r = ceil(m); b[i] = a[i + r];", 16),
    ],
)
def test_values_of_tables_and_rounded_numbers(body, last):
    assert reached(body).last["a"] == last


@pytest.mark.parametrize(
    ("body", "found", "written"),
    [
        ("float4 v = vload4(i, a); b[i] = v.x;", {"a": 39, "b": 9}, {"b"}),
        ("vstore2((int2)(1, m), 0, b + 2 * i); ", {"b": 19}, {"b"}),
        ("float8 v = vload8(0, &a[n * i]); b[i] = v.s0;", {"a": 97, "b": 9}, {"b"}),
        ("float4 v = vload4(0, a + b[i]);", {"a": float("inf"), "b": 9}, set()),
    ],
)
def test_blocks_of_neighbours(body, found, written):
    reach = reached(body)
    assert reach.last == found
    assert reach.written == written


def test_a_table_comes_back_as_it_was_written():
    (made,) = parse.functions(f"{HEAD}    const int w[2][2] = {{{{1, 2}}, {{-3, n}}}};\n    b[i] = w[0][1];\n}}")
    assert "const int w[2][2] = {{1, 2}, {-3, n}};" in "\n".join(write.statements(made.body, "", "    "))
    assert [one.name for one in shape.shape(made).items] == ["i"]
