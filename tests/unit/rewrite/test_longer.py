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
