"""Texts in C and C++ string literals: found as the compiler puts them together, changed where they stand."""

from __future__ import annotations

import pytest

from hotloop.captures import literals

KERNEL = "__kernel void f(__global char *x) {\n\tx[0] = '\"';\n    x[1] = 1;\n}\n"
CHANGED = KERNEL.replace("x[1] = 1;", 'x[1] = 2; // "\\\\"\n    x[2] = 3;')


def value(source: str) -> str:
    return next(chain.value for chain in literals.chains(source) if "__kernel" in chain.value)


@pytest.mark.parametrize(
    "source",
    [
        'char *k = "__kernel void f(__global char *x) {\\n"\n  "\\tx[0] = \'\\"\';\\n" /* a */\n  "    x[1] = 1;\\n" // b\n  "}\\n";\n',
        'k = u8"__kernel void f(__global char *x) {\\n\\tx[0] = \'\\x22\';\\n    x[1] = 1;\\n}\\n";',
        '#define K "__kernel void f(__global char *x) {\\n" \\\n    "\\tx[0] = \'\\42\';\\n" \\\n    "    x[1] = 1;\\n" \\\n    "}\\n"\n',
        'k = "__kernel void f(__global char *x) {\\n\\\n\\tx[0] = \'\\"\';\\n\\\n    x[1] = 1;\\n}\\n";',
        "char q = '\"'; auto k = \"#define N 4\\n\" \"__kernel void f(__global char *x) {\\n\\tx[0] = '\\\"';\\n\" \"    x[1] = 1;\\n}\\n\" \"//\\n\";",
    ],
)  # fmt: skip
def test_a_text_is_changed_within_its_literals(source):
    assert KERNEL in value(source)
    made = literals.changed(source, KERNEL, CHANGED)
    assert made is not None
    assert value(made) == value(source).replace(KERNEL, CHANGED)
    if "\\\n" in source:
        assert all(line.rstrip().endswith(("\\", '"', ";")) for line in made.rstrip().splitlines())


@pytest.mark.parametrize(
    ("before", "after"),
    [("a\nb\n", "a\nb\nc\n"), ("a\nb\n", "b\n"), ("a\nb\n", "n\na\nb\n"), ("a\nb\n", "a\n"), ("b\n", "b\nb\n")],
)
def test_lines_come_and_go(before, after):
    source = 'f("a\\n"\n  "b\\n"\n  "z");'
    made = literals.changed(source, before, after)
    assert made is not None
    assert next(literals.chains(made)).value == "a\nb\nz".replace(before, after)


@pytest.mark.parametrize(
    ("source", "after", "made"),
    [
        ('#define K "a\\nb\\n"\nint x;', "a\nc\nd\n", '#define K "a\\nc\\n" \\\n"d\\n"\nint x;'),
        (
            '#define K "a\\n" \\\n  "b\\n"\nint x;',
            "a\nc\nd\n",
            '#define K "a\\n" \\\n  "c\\n" \\\n  "d\\n"\nint x;',
        ),
        ('f("a\\12b\\n");', "a\n3\n", 'f("a\\12" "3\\n");'),
        ('f("a\\nb\\n");', "a\nx??/y\n", 'f("a\\nx?\\?/y\\n");'),
        ('c = L\'"\'; f("a\\nb\\n");', "a\nc\n", 'c = L\'"\'; f("a\\nc\\n");'),
    ],
)
def test_new_lines_mean_in_their_place_what_they_say(source, after, made):
    assert literals.changed(source, "a\nb\n", after) == made


@pytest.mark.parametrize(
    "source", ['f("a\\nb\\n", "a\\nb\\n");', 'f("a\\n" N "b\\n");', 'f(R"(a\nb\n)");', "a\nb\n", '"a\\n']
)
def test_what_does_not_stand_there_once_is_left(source):
    assert literals.changed(source, "a\nb\n", "c\n") is None
