"""Work-items' numbers without a sign in lanes and at the ends of blocks: below zero they begin again at their greatest."""

import pytest

from hotloop.rewrite import catalogue, expand, parse, write
from hotloop.rewrite import tree as t
from hotloop.rewrite.form import Posed
from hotloop.rewrite.shape import RefusedError

HEAD = "__kernel void f(__global const float *x, __global float *y, int n, uint m, float cut) {\n"


def whole(body: str, value: str = "1x1x4", kind: str = "size_t", guard: str = "i < n") -> str:
    text = f"{HEAD}{kind} i = get_global_id(0);\nif ({guard}) {{\nfloat s = 0.0f;\n{body}\ny[i] = s;\n}}\n}}\n"
    function = expand.read(text).known["f"]
    posed = Posed(function, (t.Name("n"),), parse.typedefs(text))
    changed = catalogue.rewritten(posed, {"outputs-per-item": value})
    return write.replaced(text, function, changed.function)


def test_numbers_of_64_bits_are_compared_with_64_bits():
    text = whole("if (x[i] > cut || i - 2 < n) s += 1.0f;")
    assert "(ulong4)(i, i + 1, i + 2, i + 3) - (ulong4)(2) < (ulong4)(n)" in text
    assert "convert_int4(" in text, "as wide as the other condition"


def test_what_goes_into_a_shorter_number_is_calculated_with_its_bits():
    text = whole("int far = i - n / 2; if (x[i] > cut) { far = -far; } s += far;")
    assert "convert_int4" not in text.partition("select")[0]
    assert "(int4)((int)i, (int)(i + 1), (int)(i + 2), (int)(i + 3)) - (int4)((int)(n / 2))" in text


def test_a_number_below_zero_is_a_huge_one_beside_numbers_without_a_sign():
    text = whole("int far = x[i] > cut ? -1 : 1; if (i + far > n) s = 1.0f;")
    assert "as_ulong4(convert_long4(" in text


@pytest.mark.parametrize("asked", ["s += i / 3;", "s += i % 3;", "s += i & 3;", "s += i >> 1;"])
def test_of_numbers_of_64_bits_lanes_are_only_added_and_compared(asked):
    with pytest.raises(RefusedError):
        whole(asked)


@pytest.mark.parametrize("kind", ["size_t", "uint"])
def test_results_one_by_one_keep_the_type_of_their_number(kind):
    text = whole("if (i - 1 < 5) s = 1.0f;", "4x1x1", kind)
    assert f"for ({kind} i_one = i;" in text


def test_both_ends_of_a_block_are_asked_where_something_is_subtracted():
    text = whole("s = x[i];", guard="i - 1 < n - 2")
    assert "i - 1 < n - 2 && i + 3 - 1 < n - 2" in text, "for the first number the condition does not hold"
    assert "i - 1 < n - 2 &&" not in whole("s = x[i];", kind="int", guard="i - 1 < n - 2")


def test_what_is_greater_than_a_bound_below_zero_too_has_no_blocks():
    with pytest.raises(RefusedError, match="begin again below zero"):
        whole("s = x[i];", guard="i < n && i - 3 > 5")


@pytest.mark.parametrize(
    ("declared", "asked"),
    [
        ("int i = get_global_id(0) - 1;", "i < m"),
        ("size_t i = get_global_id(0);", "i + n < m"),
        ("uint i = get_global_id(0);", "i + n < m"),
    ],
)
def test_both_ends_are_asked_where_the_first_number_may_be_below_zero(declared, asked):
    text = f"{HEAD}{declared}\nif ({asked}) {{\ny[i + 1] = x[i + 1];\n}}\n}}\n"
    changed = rewritten(text, {"outputs-per-item": "4x1x1"})
    assert f"if ({asked} && {asked.replace('i ', 'i + 3 ', 1)}" in changed


def test_where_the_launch_ends_is_asked_of_a_number_that_is_not_below_zero():
    text = f"{HEAD}int i = get_global_id(0) - 1;\ny[i + 1] = x[i + 1];\n}}\n"
    assert "i_one + 1 < m" in rewritten(text, {"outputs-per-item": "4x1x1"}, "m")


@pytest.mark.parametrize(
    ("work", "place"),
    [
        ("int far = i - 5; s += (float)(far / 2);", "(float)((int)(i - 5) / 2)"),
        ("int far = i - 5; s += far;", "(int)(i - 5)"),
        ("uint far = i - 1; s += x[far % 63];", "x[(uint)(i - 1) % 63]"),
        ("ushort far = i - 1; s += far;", "far_0 = i - 1"),
        ("int far = i - 5; s += x[far + 5];", "x[i - 5 + 5]"),
    ],
)
def test_a_number_that_stands_for_another_type_is_converted_where_that_shows(work, place):
    assert place in whole(work, "2x1x1")


@pytest.mark.parametrize("kind", ["uchar", "ushort", "short", "float"])
def test_numbers_that_may_end_within_a_block_have_no_blocks(kind):
    with pytest.raises(RefusedError, match="may end within a block"):
        whole("s = x[i];", "4x1x1", kind)


def test_the_numbers_of_results_one_by_one_are_nobody_elses():
    with pytest.raises(RefusedError, match="which it has already"):
        whole("int i_one = n / 2; s = x[i_one];", "4x1x1")


def rewritten(text: str, wanted: dict[str, int | str], end: str = "n") -> str:
    function = expand.read(text).known["f"]
    changed = catalogue.rewritten(Posed(function, (t.Name(end),), parse.typedefs(text)), wanted)
    return write.replaced(text, function, changed.function)
