"""Branches that differ between neighbours: masks, what is kept by them, and what may be read."""

from dataclasses import replace

import pytest

from hotloop.rewrite import catalogue, expand, parse, write
from hotloop.rewrite import tree as t
from hotloop.rewrite.form import Posed
from hotloop.rewrite.shape import RefusedError

HEAD = "__kernel void f(__global const float *x, __global const float *q, __global float *y, __global const int *w, volatile __global const float *v, int n, float cut) {\n"


def made(body: str) -> str:
    return whole(body).partition("} else {")[0]


def whole(body: str) -> str:
    text = f"{HEAD}int i = get_global_id(0);\nif (i < n) {{\nfloat s = 0.0f;\n{body}\ny[i] = s;\n}}\n}}\n"
    function = expand.read(text).known["f"]
    posed = Posed(function, (t.Name("n"),), parse.typedefs(text))
    changed = catalogue.rewritten(posed, {"outputs-per-item": "1x1x4"})
    return write.replaced(text, function, changed.function)


def test_a_variable_is_kept_by_the_mask_of_the_branch_that_it_outlives():
    text = made("if (x[i] > cut) { float r = x[i]; if (r > 2 * cut) { r = 1.0f; } s += r; }")
    assert "int4 mask = vload4(0, &x[i]) > (float4)(cut);" in text
    assert "int4 mask_in = mask & r > " in text
    assert "r = select(r, (float4)(1.0f), mask_in);" in text
    assert "s = select(s, s + r, mask);" in text
    assert text.count("if (any(") == 1, "a choice between two values is made without asking"


def test_places_that_only_the_branch_uses_are_read_lane_by_lane():
    text = made("for (int k = 0; k < n; k++) if (x[i] > q[k]) s += x[k] + x[i];")
    assert "mask.s3" not in text, "x is read there"
    text = made("for (int k = 0; k < n; k++) if (x[i] > cut) s += q[i];")
    assert "(float4)(own_0_known.s0 ? own_0.s0 : mask.s0 ? q[i] : 0.0f, " in text, "q may be shorter than x and y"
    assert "all(mask) ? vload4(0, &q[i]) : own_0" in text
    text = made("for (int k = 0; k < n; k++) if (x[i] > cut) s += n > 9 ? q[3 * i] : 1.0f;")
    assert "own_0" not in text, "q may be empty where n is small"
    text = made("int own_0_known = n; for (int k = 0; k < n; k++) if (x[i] > cut) s += own_0_known * q[3 * i];")
    assert "own_1 = (float4)(own_1_known.s0 ? " in text, "the name is taken"
    text = made("for (int k = 0; k < n; k++) if (x[i] > cut) s += v[3 * i];")
    assert "own_0" not in text, "others may change what is volatile"
    text = made("for (int k = 0; k < 3; k++) if (x[i] > q[k]) s += x[i + k] * q[k];")
    assert "mask.s3 ? x[i + 3 + k] : 0.0f" in text
    assert "(float4)(q[k])" in text


@pytest.mark.parametrize(
    "body",
    [
        "for (int k = 0; k < n; k++) { s += q[k + i]; } for (int k = 0; k < 2 * n; k++) { if (x[i] > cut) { s += q[k + i]; } }",
        "int k = 1; s += q[i + k]; k = n; if (x[i] > cut) { s += q[i + k]; }",
        "{ int k = 1; s += q[i + k]; } { int k = n; if (x[i] > cut) { s += q[i + k]; } }",
    ],
)
def test_the_same_index_elsewhere_is_no_leave_to_read(body):
    assert "mask.s3 ? q[" in made(body)


def test_what_is_not_meant_is_the_other_lanes():
    text = made("int c = 0; if (x[i] > cut) { s += q[i]; c++; } else { s -= q[i]; } s += c;")
    assert "int4 mask_not = ~mask;" in text
    assert "s = select(s, s - (all(mask_not) ? vload4(0, &q[i]) : (float4)(mask_not.s0 ? q[i] : " in text
    assert "c = select(c, c + (int4)(1), mask);" in text


@pytest.mark.parametrize(
    "body",
    [
        "if (x[i] > cut) { y[0] = 1.0f; s += q[i]; }",
        "if (x[i] > cut) { y[w[i]] += 1.0f; s += q[i]; }",
        "int c = 1; if (x[i] > cut) { c = n / c; s += q[c]; } s += c;",
        "if (x[i] > cut) { s += q[i]; break; }",
        "if (x[i] > 0.1) { s += q[i]; }",
    ],
)
def test_what_does_more_is_refused(body):
    with pytest.raises(RefusedError):
        made(body)


def test_short_numbers_keep_their_last_bits_in_a_branch():
    text = made("char c = 1; if (x[i] > cut) { c = w[i] + 200; s += q[i]; } s += c;")
    assert "c = select(c, convert_int4(convert_char4(" in text


def test_one_element_that_both_sides_write_is_written_once():
    text = whole("if (x[i] > cut) { y[i] = q[i]; } else { y[i] = 0.0f; }")
    assert "vstore4(select((float4)(0.0f), all(mask) ? vload4(0, &q[i]) : " in text
    text = whole("if (x[i] > cut) { y[i] = q[n]; } else { y[i] = 0.0f; }")
    assert "if (any(mask)) {" in text, "nobody may read q[n]"


def test_chosen_lanes_alone_write():
    text = whole("for (int k = 0; k < n; k++) if (x[i] > q[k]) { y[i] = k; s += q[k]; }")
    assert "if (all(mask)) {\n" in text
    assert "vstore4(stored, 0, &y[i]);" in text
    assert "if (mask.s3) {" in text
    assert "y[i + 3] = stored.s3;" in text
    assert (
        "vstore" not in made("if (x[i] > cut) { y[2 * i] = q[i]; s += 1; }").partition("any(mask)")[2].partition("}")[0]
    )


def test_a_branch_that_writes_and_reads_much_is_not_asked_lane_by_lane():
    many = " + ".join(f"q[i + {far}]" for far in range(1, 6))
    with pytest.raises(RefusedError):
        made(f"float r = x[i]; if (r > cut) {{ r = {many}; y[i] = r; }} s = r;")


def test_a_loop_goes_on_until_no_lane_is_left_in_it():
    text = made("int k = 0; while (s < cut && k < 100) { float a = s * s; s = a + x[i]; k++; } s += k;")
    assert "going = going & s < (float4)(cut);" in text
    assert "while (any(going)) {" in text
    assert "float4 a = s * s;" in text, "nothing of it lives on"
    assert "own_0.s0 : going.s0 ? x[i] : " in text
    assert "s = select(s, a + (all(going) ? vload4(0, &x[i]) : own_0), going);" in text
    assert "k = select(k, k + (int4)(1), going);" in text


def test_a_loop_that_some_leave_earlier_has_its_own_number_for_all():
    text = made("for (int k = 0; k < n; k++) { s += q[k]; if (s > cut) { s = 2 * s; break; } s += x[i]; }")
    assert "for (int k = 0; k < n && any(going); k++) {" in text
    assert "int4 going_in = going & s > (float4)(cut);" in text
    assert "going = going & ~going_in;" in text
    assert text.index("~going_in") < text.index("s + (all(going) ? vload4(0, &x[i])")


def test_a_number_that_lives_on_is_that_of_each_lane():
    text = made("int k; for (k = 0; k < n; k++) { if (x[i] > q[k]) break; } s = k;")
    assert "int4 k = (int4)(0);" in text, "a lane without a value would let a compiler do anything"
    assert "k = select(k, k + (int4)(1), going);" in text
    rows = made("for (int k = w[i]; k < w[i + 1]; k++) s += x[k];")
    assert "going.s3 ? x[k.s3] : 0.0f" in rows, "lanes that have left read nothing"


@pytest.mark.parametrize(
    ("body", "guarded"),
    [
        ("for (int k = 0; ; k++) { if (k >= w[i]) break; s += q[k]; }", "s = select(s, s + (float4)(q[k]), going);"),
        ("for (int k = 0; k < w[i] && q[k] > cut; k++) s += 1;", "going = going & (float4)(q[k]) > (float4)(cut);"),
        (
            "for (int k = 0; ; k++) { if (k >= w[i]) break; s += vload4(k, q).x; }",
            "s = select(s, s + (float4)(vload4(k, q).x), going);",
        ),
        ("for (int k = 0; k < w[i]; k = w[k]) { if (x[i] > s) break; s += 1; }", "k = w[k];"),
        ("for (int k = 0; k < n; k = w[k]) { if (x[i] > s) break; s += 1; }", "k = w[k];"),
    ],
)
def test_nothing_is_read_for_all_when_no_lane_is_left(body, guarded):
    text = " ".join(made(body).split())
    assert f"if (any(going)) {{ {guarded} }}" in text
    assert text.count(guarded) == text.count(f"if (any(going)) {{ {guarded} }}")


def test_a_round_goes_on_as_it_did_where_a_number_is_none():
    text = made("for (int k = 0; k < w[i]; k++) { if (x[k] > s) continue; s += q[k]; }")
    assert "int4 going_in = going & (float4)(x[k]) > s;" in text
    assert "int4 going_in_not = going & ~going_in;" in text, "a NaN is neither larger nor at most as large"
    text = made("for (int k = 0; k < w[i]; k++) { if (w[k] > n) continue; s += q[k]; }")
    assert "if (w[k] <= n) {" in text


def test_a_condition_that_reads_is_asked_of_lanes_that_are_left():
    assert "for (int k = 0; any(going) && q[k] != 0; k++) {" in made(
        "for (int k = 0; q[k] != 0; k++) { if (x[i] > s) break; s += 1; }"
    )


@pytest.mark.parametrize(
    "body",
    [
        "int d = w[i]; if (d != 0) { float r = n / d; s += r; }",
        "int d = w[i]; if (d != 0) { s += n / d * x[i]; }",
        "int d = w[i]; if (d != 0) { if (n / d > 2) { s += x[i]; } }",
        "int d = w[i]; while (d > 0 && n / d < 5) { d -= 1; s += 1; }",
    ],
)
def test_nothing_is_divided_by_zero_of_a_lane_that_is_left_out(body):
    with pytest.raises(RefusedError):
        made(body)
    made(body.replace("n / d", "n / 3"))


@pytest.mark.parametrize(
    "body",
    [
        "for (int k = 0; k < w[i]; k++) { if (x[k] > cut) { if (q[k] > 1) break; } s += 1; }",
        "for (int k = 0; k < w[i]; k++) { s += q[k]; if (s > cut) return; }",
        "int c = w[i]; while (c > 1) { c = c % 2 == 0 ? c / n : 3 * c + 1; s += 1; }",
        "for (int k = 0; k < w[i]; k++) y[0] += q[k];",
    ],
)
def test_a_loop_that_does_more_is_refused(body):
    with pytest.raises(RefusedError):
        made(body)


@pytest.mark.parametrize(
    ("body", "before"),
    [
        ("s = x[i] + x[i + 2]; s = s > 3 || s > 2 && x[i + 1] > 0 ? 1 : s;", True),
        ("s = x[i] + x[i + 2]; s = s > 3 ? x[i + 1] : s;", True),
        ("s = x[i] + x[i + 2]; s = s > 3 ? x[i + 3] : s;", False),  # beyond what is read
        ("s = x[i] + x[i + n]; s = s > 3 ? x[i + 1] : s;", False),  # n may be 0
        ("s = y[i] + y[i + 2]; y[i + 1] = s; s = s > 3 ? y[i + 1] : s;", False),  # somebody writes it
        ("int k = 0; s = x[k] + x[k + 2]; k = n; s = s > 3 ? x[k + 1] : s;", False),  # another place by then
        ("s = n > 3 ? x[i] + x[i + 2] : 0; s = s > 3 ? x[i + 1] : s;", False),  # not read in any case
    ],
)
def test_an_element_between_others_is_read_before_the_condition(body, before):
    try:
        text = made(body)
    except RefusedError:
        text = ""
    assert ("float4 reached_0 = vload4(0, &x[i + 1]);" in text) == before


def test_a_variable_of_a_loop_has_a_value_in_lanes_that_are_left_out():
    text = made(
        "for (int m = 0; m < w[i]; m++) { int k; for (k = 0; k < w[i + 1]; k++) { if (x[i] > q[k]) break; } s += k; }"
    )
    assert "int4 k = (int4)(0);" in text


def test_loops_whose_ends_differ_are_as_long_for_all():
    text = whole("int low = max(0, 2 - i); for (int k = low; k < min(5, n - i); k++) { s += x[i + k - 2] * q[k]; }")
    assert text.count("for (int k = 0; k < 5; k++) {") == 2, "inside as it is, at the edges by a mask"
    assert "int4 mask = (int4)(k) >= max((int4)(0), " in text
    assert "any(going)" in whole("for (int k = 0; k < w[i]; k++) { s += q[k]; }")


def test_loops_begin_with_the_variable_before_them():
    text = HEAD + "int i = get_global_id(0); int k = 1; float s = 0; while (k < n) { s += x[k]; k++; } y[i] = s; }\n"
    loop = next(node for node in expand.read(text).known["f"].body if isinstance(node, t.For))
    assert isinstance(loop.first, t.Declare)
    assert loop.step == t.Postfix("++", t.Name("k"))
    later = expand.read(text.replace("= s;", "= s + k;")).known["f"].body
    assert any(isinstance(node, t.For) and node.first is None for node in later), "somebody asks for it afterwards"


def test_columns_are_what_is_left_of_the_number_itself():
    text = (
        HEAD.replace("int n,", "int n, int planes,")
        + "int i = get_global_id(0); int r = i % 784; int c = r % 28; int p = i / 784; int m = p % planes; if (p / planes < n) y[i] = x[r / 28 * 28 + c] + q[m]; }\n"
    )
    function = expand.read(text).known["f"]
    posed = Posed(function, (t.Name("n"),), parse.typedefs(text))
    changed = catalogue.rewritten(posed, {"index-to-dimensions": 1})
    assert "i_column < 28" in write.replaced(text, function, changed.function)


def test_a_loop_within_a_branch_counts_for_all_lanes_alike():
    text = whole("if (x[i] > cut) { for (int k = 0; k < 3; k++) { s += q[k]; } }")
    assert "for (int k = 0; k < 3; k++) {" in text.partition("any(mask)")[2]
    assert "0 < 3" not in text


def test_a_window_around_each_place_is_as_long_for_all():
    text = made(
        "int r = 2; for (int k = i - r; k <= i + r; k++) { if (k >= 0 && k < n) { s += x[k] * q[k - i + r]; } }"
    )
    assert "for (int k_at = 0; k_at < 2 * r + 1; k_at++) {" in text
    assert "all(mask) ? vload4(0, &x[i - r + k_at])" in text
    for unlike in ("k <= i + w[0]", "k <= 2 * i", "k <= i + 2u"):
        assert "any(going)" in made(f"uint u = 2; for (int k = i - 2; {unlike}; k++) {{ s += x[k]; }} s += u;")
    assert "any(going)" in made("uint u = 2; for (int k = i - u; k <= i + u; k++) { s += x[k]; }")


def test_what_is_found_through_an_index_is_gathered_lane_by_lane():
    text = made("int at = w[i]; s = x[at];")
    assert "s = (float4)(x[at.s0], x[at.s1], x[at.s2], x[at.s3]);" in text
    text = made("s = x[w[i]];")
    assert "(float4)(x[w[i]], x[w[i + 1]], x[w[i + 2]], x[w[i + 3]])" in text
    text = made("int at = i; if (q[i] > cut) at = n - 1; s = x[at];")
    assert "(float4)(x[at.s0], x[at.s1], x[at.s2], x[at.s3])" in text
    text = made("if (q[i] > cut) s = x[w[i]];")
    assert "mask.s1 ? x[w[i + 1]] : 0.0f" in text


def test_what_is_written_through_an_index_is_written_in_the_order_of_work_items():
    text = "__kernel void f(__global const int *a, __global int *b, int n) { int i = get_global_id(0); if (i < n) b[n - 1 - a[i]] = i; }"
    function = expand.read(text).known["f"]
    made = catalogue.rewritten(Posed(function, (t.Name("n"),), {}), {"outputs-per-item": "1x1x4"})
    assert "b[n - 1 - a[i + 3]] = scattered_0.s3;" in write.replaced(text, function, made.function)
    for spoiled in (text.replace("] = i", "] += i"), text.replace("] = i", "] = b[i]")):
        function = expand.read(spoiled).known["f"]
        with pytest.raises(RefusedError):
            catalogue.rewritten(Posed(function, (t.Name("n"),), {}), {"outputs-per-item": "1x1x4"})


def test_both_sides_of_a_condition_may_read_what_the_first_reads():
    text = made("for (int k = 0; k < n; k++) if (x[k] < x[i] || (x[k] == x[i] && k < i)) s += 1.0f;")
    assert "select(s, s + (float4)(1.0f), " in text


def test_a_column_that_cancels_is_no_part_of_a_row():
    text = (
        HEAD.replace("int n,", "int n, uint wide,")
        + "uint g = get_global_id(0); if (g < n) { uint c = g % wide; uint r = g - c; y[g] = x[(r + wide) % (wide * n) + c]; } }\n"
    )
    function = expand.read(text).known["f"]
    posed = Posed(function, (t.Name("n"),), parse.typedefs(text))
    changed = catalogue.rewritten(posed, {"index-to-dimensions": 1})
    assert "uint r = g_row * wide;" in write.replaced(text, function, changed.function)
    other = text.replace("uint c", "int c")  # of other types, a difference may wrap elsewhere
    function = expand.read(other).known["f"]
    changed = catalogue.rewritten(replace(posed, function=function), {"index-to-dimensions": 1})
    assert "r = g_row * wide;" not in write.replaced(other, function, changed.function)
