"""Blocks inside ask for no edges; blocks end where the launch does; what neighbours decide differently is chosen lane by lane."""

import pytest

from hotloop.rewrite import catalogue, expand, write
from hotloop.rewrite import tree as t
from hotloop.rewrite.form import Posed
from hotloop.rewrite.shape import RefusedError

HEAD = "__kernel void f(__global const float *x, __global float *y, int n, int m, uint u) {"
ROWS = "int j = get_global_id(0); int i = get_global_id(1);"


def made(body, value="2x1x16", begun=ROWS, extents=("n", "m"), **more):
    text = f"{HEAD}\n{begun}\n{body}\n}}\n"
    function = expand.read(text).known["f"]
    posed = Posed(function, tuple(map(t.Name, extents)), {})
    changed = catalogue.rewritten(posed, {"outputs-per-item": value, **more})
    return write.replaced(text, function, changed.function)


SUM = "float s = 0; for (int k = -1; k <= 1; k++) {{ int c = j + k; {} }} y[i * n + j] = s;"


@pytest.mark.parametrize(
    "asked",
    [
        "if (c >= 0 && c < n) s += x[i * n + c];",
        "s += (c >= 0 && c < n) ? x[i * n + c] : 0;",
        "s += x[i * n + clamp(c, 0, n - 1)];",
        "s += x[i * n + max(0, min(c, n - 1))];",
        "bool in = c >= 0 && c < n; if (in) s += x[i * n + c];",
        "if (c < 0 || c >= n) {} else { s += x[i * n + c]; }",
    ],
)
def test_a_block_inside_asks_once(asked):
    text = made(SUM.format(asked))
    fast = text.partition("} else {")[0]
    assert "j - 1 >= 0" in fast or "0 <= j - 1" in fast, "the outermost round and result on one side"
    assert "j + 16 < n" in fast or "j + 16 <= n - 1" in fast, "and on the other"
    assert "vload16(0, &x[i * n + (j + k)])" in fast


@pytest.mark.parametrize(
    ("neighbour", "place", "asked"),
    [
        ("int c = (j + 1) % n;", "(j + 1)", ("0 <= j + 1", "j + 16 < n")),
        ("int c = (j + n - 2) % n;", "(j - 2)", ("2 <= j", "j + 15 < n + 2")),
        ("int c = (j + k + n) % n;", "(j + k)", ("0 <= j - 1", "j + 16 < n")),
        ("int c = (j + 1023) % 1024;", "(j - 1)", ("1 <= j", "j + 15 < 1025")),
    ],
)
def test_a_world_without_edges_has_blocks_whose_neighbours_are_all_inside(neighbour, place, asked):
    text = made(f"int s = 0; for (int k = -1; k <= 1; k++) {{ {neighbour} s += x[i * n + c]; }} y[i * n + j] = s;")
    fast = text.partition("} else {")[0]
    assert f"vload16(0, &x[i * n + {place}])" in fast
    assert all(one in fast for one in asked)
    assert "%" not in fast
    assert "%" in text, "beside the ends of a row the text stays as it is"


def test_numbers_without_a_sign_are_not_asked_below_zero():
    begun = "uint j = get_global_id(0); int i = get_global_id(1);"
    fast = made("uint c = (j + u - 1) % u; if (j < n) y[i * u + j] = x[i * u + c];", begun=begun)
    assert "1 <= j &&" in fast
    assert "&x[i * u + (j - 1)]" in fast


@pytest.mark.parametrize(
    "place",
    ["(j + 1) % 16", "(j * j + 1) % n", "(j + u) % n", "j % (n - j)"],  # fewer than blocks, uneven, of two types
)
def test_a_remainder_that_counts_something_else_is_not_taken_for_the_place(place):
    with pytest.raises(RefusedError):
        made(f"int c = {place}; y[i * n + j] = x[i * n + c];", "1x1x16")


def test_what_all_results_ask_alike_is_asked_once_and_the_rest_by_the_block():
    inside = "i + k >= 0 && i + k < m && j + k >= 0 && j + k < n"
    text = made(
        f"for (int k = -1; k <= 1; k++) y[(i * 3 + k + 1) * n + j] = {inside} ? x[(i + k) * n + j + k] : 0.5f;",
        "1x1x16",
    )
    fast = text.partition("} else {")[0]
    assert "i + k >= 0 && i + k < m ? vload16(0, &x[(i + k) * n + j + k]) : (float16)(0.5f)" in fast
    assert "j - 1 >= 0 && j + 16 < n" in fast
    with pytest.raises(RefusedError, match="a condition allows"):
        made("y[i * n + j] = x[j] > 0 && j > 3 ? x[i * n + j - 3] : 0;", "1x1x16")


def test_what_differs_through_several_variables_is_chosen_lane_by_lane():
    text = made("int p = x[i * n + j]; int q = p + 1; int r = q + i; y[i * n + j] = r > 255 ? 255 : r;", "1x1x16")
    assert "select(" in text
    assert "? 255" not in text.partition("} else {")[0]


def test_ends_of_loops_that_only_edges_shorten():
    text = made("float s = 0; for (int k = max(0, j - 2); k <= min(9, j + 1); k++) s += x[k]; y[i * n + j] = s;")
    assert "for (int k = 0; k <= 9; k++)" in text.partition("} else {")[0]


@pytest.mark.parametrize(
    "asked",
    [
        "int c = j + k + u; if (c - 3 >= 0) s += x[c];",  # begins again below zero: its type is kept
        "uint c = j + k; if (c >= 2) s += x[c];",
        "int c = j * j - k; if (c < n) s += x[c];",
        "int c = j + k; if (c < 0) continue; s += x[c];",
        "int c = j + k; if (c < 0) break; s += x[c];",
        "if (x[j + k] > 0) s += x[i * n + j];",
    ],
)
def test_what_cannot_be_asked_once_is_not_left_out(asked):
    body = f"float s = 0; for (int k = 0; k < 3; k++) {{ {asked} }} y[i * n + j] = s;"
    try:
        fast = made(body).partition("} else {")[0]
    except RefusedError:
        return
    assert "(int)" in fast.partition("{\n        float16")[0] or "any(mask)" in fast or "any(going)" in fast


def test_blocks_end_where_the_launch_does():
    text = made("if (j < n) y[i * n + j] = x[j];", "2x1x16")
    assert "i + 1 < m" in text, "the text's condition says nothing of rows"
    turns = made("if (j < n) y[i * n + j] = x[j];", "1x1x16b8")
    assert "i < m" in turns


@pytest.mark.parametrize(
    ("branch", "chosen"),
    [
        ("if (x[j] > s) s = 2 * s;", True),
        ("if (s > 0 || s < n) s = 1; else s += 2;", True),
        ("s = s > 3 && s < 9 ? s / 2 : 0;", True),
        (
            "int own = x[j]; s = s > 3 || own && !(s > 1) ? s : 0;",
            True,
        ),
        ("int own = x[j]; s = s > 3 || s > 2 && own ? s : 0;", True),
        ("int own = x[j]; if (!own && s > 1) s = 0;", True),
        ("s = x[j] > 3 ? x[j] : s;", True),  # read for the condition, too
        ("if (s > 0.1) s = 1;", False),  # compared in double precision
        ("double q = 0.1; if (s > q) s = 1;", True),
        ("s = s > 3 ? x[n + j] : s;", False),
        ("s = s > 3 && x[n + j] > 1 ? 1.0f : s;", False),
        ("int q = n; s = s > 3 ? q++ : s;", False),
        ("s = s > 3 ? n / m : s;", False),  # a division by zero
        ("if (s > 1) s = x[n / m + j] / 2; else y[i] = 1;", False),  # a store
    ],
)
def test_a_branch_between_neighbours_is_a_choice(branch, chosen):
    body = f"float s = x[i * n + j]; {branch} y[i * n + j] = s;"
    if chosen:
        assert "= select(" in made(body)
    else:
        with pytest.raises(RefusedError):
            made(body)


def test_a_branch_is_chosen_once_where_it_changes_what_it_asks():
    text = made("float s = x[i * n + j]; int k = 0; if (s < m) { s = m; k = i; } else k = 9; y[i * n + j] = s + k;")
    assert "int16 chosen = s < (float16)(m);" in text
    assert "s = select(s, (float16)(m), chosen);" in text
    assert "k = select((int16)(9), k, chosen);" in text


def test_a_value_of_another_type_is_converted_first():
    text = made("const int q = x[j] * 3.7f; y[i * n + j] = q;")
    assert "= convert_int16(vload16(0, &x[j]) * (float16)(3.7f))" in text
    assert "vstore16(convert_float16(q), 0, &y[i * n + j])" in text
    text = made("double q = x[j] * 3.7f; y[i * n + j] = q;")
    assert "double16 q = convert_double16(vload16(0, &x[j]) * (float16)(3.7f));" in text
    assert "vstore16(convert_float16(q), 0, &y[i * n + j])" in text
    with pytest.raises(RefusedError, match="is of type"):
        made("long q = x[j] * 3.7f; y[i * n + j] = q;")


def test_a_choice_among_other_widths_has_a_mask_as_wide():
    text = made(
        "double q = x[j]; int k = 0; if (q > 0) k = 1; if (k > 0) q = s_; y[i * n + j] = q + k;".replace("s_", "0")
    )
    assert "k = select(k, (int16)(1), convert_int16(q > (double16)(0)));" in text
    assert "q = select(q, (double16)(0), convert_long16(k > (int16)(0)));" in text


def test_elements_named_by_number_are_variables():
    text = made("float c[2]; c[0] = x[j]; c[1] = x[n + j]; y[i * n + j] = c[0] * c[1];")
    assert "float16 c_0" in text
    assert "c[" not in text
    assert "c_0_0[d]" in made(
        "float c[2]; for (int d = 0; d < 2; d++) c[d] = x[j + d * n]; y[i * n + j] = c[n - n];", "2x2x1"
    ).replace("c_1_1[d]", "c_0_0[d]").replace("c_0[d]", "c_0_0[d]")


def test_a_number_taken_apart_makes_blocks():
    begun = "int id = get_global_id(0); if (id >= n * m) return; int j = id % n, i = id / n;"
    text = made("y[id] = 2 * x[i * n + j];", "1x1x16", begun, ("u",), **{"index-to-dimensions": 1})
    assert "int id_column = get_global_id(0) * 16;" in text
    assert "vload16" in text
    assert "%" not in text.partition("{\n")[2]


def test_a_loop_over_the_grid_that_takes_its_number_apart_makes_blocks():
    loop = "for (int id = get_global_id(0); id < n * m; id += get_global_size(0)) { int j = id % n, i = id / n; y[id] = x[j] * i; }"
    ways = {"unstrided-loops": 1, "index-to-dimensions": 1}
    assert "int id_column = get_global_id(0) * 32;" in made("", "4x2x16", loop, ("u",), **ways)
    divided = made("", "off", loop, ("u",), **ways)
    assert "if (id_column < n && id_row * n + id_column < n * m)" in divided


def test_heads_that_directives_choose_keep_their_end():
    text = f"#ifdef A\n{HEAD.replace('f(', 'f(int a, ')}\n#else\n{HEAD}\n#endif\n{ROWS}\ny[i * n + j] = x[j];\n}}\n"
    function = expand.read(text).kept["f"]
    changed = catalogue.rewritten(Posed(function, (t.Name("n"), t.Name("m")), {}), {"outputs-per-item": "2x1x1"})
    made_text = write.replaced(text, function, changed.function)
    assert made_text.count("#endif") == 1
    assert made_text.index("#endif") < made_text.index("get_global_id")


def test_a_name_that_hides_another_has_one_of_its_own():
    text = made(
        "int q = j; int c = q + 1; for (int k = 0; k < 3; k++) { int q = k; y[i * n + j] += x[c + q]; }", "2x1x1"
    )
    assert "x[j + 1 + k]" in text or "x[c + k]" in text or "x[c + q_b]" in text, text


def test_a_whole_sum_is_not_taken_in_lanes():
    text = f"{HEAD} int i = get_global_id(0); int s = 0; for (int k = 0; k < m; k++) s += x[i * m + k]; y[i] = s; }}"
    posed = Posed(expand.read(text).known["f"], (t.Name("n"),), {})
    with pytest.raises(RefusedError, match="does more than sum"):
        catalogue.rewritten(posed, {"reduction-lanes": 4})
