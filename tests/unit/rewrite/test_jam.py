"""What a block of results makes of statements that write parts of an element, of arrays of each work-item, and of early declarations."""

import pytest

from hotloop.rewrite import catalogue, parse, write
from hotloop.rewrite import tree as t
from hotloop.rewrite.form import Posed
from hotloop.rewrite.methods.outputs_per_item import apply
from hotloop.rewrite.shape import RefusedError, shape


def blocked(text, value="2x1x1"):
    function = parse.functions(text)[0]
    posed = Posed(function, tuple(t.Name(n) for n in ("n", "m")), parse.typedefs(text))
    return "\n".join(str(line) for line in write.statements(apply(posed, value).function.body, "", "    ")).split(
        "} else {"
    )[0]


def kernel(body):
    head = "__kernel void f(__global float4 *g, __global const float2 *u, __global const float *a, __global float *b, int n, int m) {\n"
    return f"{head} int i = get_global_id(0);\n if (i < n) {{\n{body}\n }}\n}}\n"


def test_components_of_an_element_are_written_in_every_copy():
    made = blocked(kernel("g[i] = (float4)(u[i], u[i]); if (i < n - 1) { g[i].s01 += u[i + 1]; }"))
    assert "g[i].s01 += u[i + 1]" in made
    assert "g[i + 1].s01 += u[i + 1 + 1]" in made
    assert "if (i + 1 < n - 1)" in made


def test_components_of_a_variable_make_it_differ():
    made = blocked(kernel("float2 s = 0.0f; s.x = a[i]; s.y += s.x; b[i] = s.x + s.y;"))
    assert "s_1.x = a[i + 1]" in made
    assert "b[i + 1] = s_1.x + s_1.y" in made


def test_components_of_one_place_are_no_block():
    with pytest.raises(RefusedError, match="one place from several"):
        blocked(kernel("g[0].x = a[i];"))


@pytest.mark.parametrize(
    "begun", ["int js[2] = {max(0, i - 1), i}; float s = 0;", "int js[2]; float s = 0; js[0] = i; js[1] = i;"]
)
def test_arrays_of_a_work_item_stand_once_for_each_copy(begun):
    made = blocked(kernel(f"{begun} for (int d = 0; d < 2; d++) {{ int j = js[d]; s += a[j]; }} b[i] = s;"))
    assert "int js_0[2]" in made
    assert "int js_1[2]" in made
    assert "j_1 = js_1[d]" in made
    with pytest.raises(RefusedError):
        blocked(kernel(f"{begun} for (int d = 0; d < 2; d++) {{ int j = js[d]; s += a[j]; }} b[i] = s;"), "1x1x16")


def test_a_number_put_into_a_branch_of_one_lane_at_a_time_is_that_lanes():
    made = blocked(kernel("int c = i - m; if (c > 3) { b[i] = ldexp(a[i], c); }"), "1x1x4")
    assert "if (i_each - m > 3)" in made
    assert "ldexp(a[i_each], i_each - m)" in made


EARLY = """__kernel void f(__global const float *a, __global float *b, int n, int m) {
    int x = get_global_id(0);
    int y = get_global_id(1);
    int i = %s;
    if (%s) return;
    b[i] = a[i];
}
"""


def form(value, condition):
    return shape(parse.functions(EARLY % (value, condition))[0])


def test_what_only_computes_stands_behind_the_guard():
    found = form("x + y * n", "x >= n || y >= m")
    assert found.guard is not None
    assert isinstance(found.work[0], t.Declare)


@pytest.mark.parametrize(
    ("value", "condition"), [("a[x]", "x >= n || y >= m"), ("x + y * n", "i >= n * m"), ("x + n++", "x >= n || y >= m")]
)
def test_what_reads_writes_or_guards_does_not(value, condition):
    assert form(value, condition).guard is None


def test_parts_of_an_expression_that_are_not_understood_are_no_copies():
    with pytest.raises(RefusedError, match="not understood"):
        blocked(kernel("b[i] = (n, a[i]);"), "1x2x1")
    with pytest.raises(RefusedError, match="casts a pointer"):
        blocked(kernel("b[i] = *(__global const float *)(a + i);"), "1x2x1")


def test_converting_a_vector_to_its_own_type_is_nothing():
    assert "vstore4(vload4(0, &a[i]) * (float4)(2.0f), 0, &b[i]);" in blocked(
        kernel("b[i] = convert_float(a[i]) * 2.0f;"), "1x1x4"
    )
    assert "convert_float4(convert_int4(vload4(0, &a[i])))" in blocked(kernel("b[i] = convert_int(a[i]);"), "1x1x4")
    assert "convert_float4(convert_int4(convert_uchar4_sat(vload4(0, &a[i]))))" in blocked(
        kernel("b[i] = convert_uchar_sat(a[i]);"), "1x1x4"
    )
    with pytest.raises(RefusedError, match="convert_long has no form"):
        blocked(kernel("b[i] = convert_long(a[i]);"), "1x1x4")


WHOLE = """__kernel void f(__global const %s *a, __global %s *b, int n, int m, float s, uint u) {
    int i = get_global_id(0);
    if (i < n) {
        %s
    }
}
"""


@pytest.mark.parametrize(
    ("kind", "work", "made"),
    [
        ("uint", "b[i] = a[i] >> m ^ 7u;", "vload4(0, &a[i]) >> (uint4)(m) ^ (uint4)(7u)"),
        ("unsigned int", "uint t = a[i]; b[i] = t * n;", "uint4 t = vload4(0, &a[i])"),
        (
            "short",
            "b[i] += a[i];",
            "vstore4(convert_short4(convert_int4(vload4(0, &b[i])) + convert_int4(vload4(0, &a[i])))",
        ),
        ("int", "int t = a[i]; if (t > 9) { t = 9; } b[i] = t;", "t = select(t, (int4)(9), t > (int4)(9))"),
        ("int", "b[i] = s + a[0];", "(int4)(s + a[0])"),
        ("int", "b[i] = s * a[i];", "convert_int4((float4)(s) * convert_float4(vload4(0, &a[i])))"),
        ("int", "b[i] = u / a[i];", "convert_int4((uint4)(u) / convert_uint4(vload4(0, &a[i])))"),
        ("int", "int t = a[i]; t *= s; b[i] = t;", "t = convert_int4(convert_float4(t) * (float4)(s))"),
        ("uchar", "float t = 0.5f * a[i]; b[i] = t;", "float4 t = (float4)(0.5f) * convert_float4(convert_int4("),
        ("uchar", "float t = 0; t += 1.0; b[i] = t;", "convert_uchar4((int4)(t))"),
        ("int", "b[i] = 0.5 * a[i];", "known to be int"),
        ("int", "int t = a[i]; b[i] = t * n;", "int4 t = vload4(0, &a[i]);"),
        ("int", "b[i] = (long)n * a[i];", "known to be int"),
        ("int", "b[i] = 1 << a[i];", "<< has no form"),
        ("int", "int t = a[i]; if (t != 0) { t = 9 / t; } b[i] = t;", "differs between neighbours"),
        ("int", "b[i] = abs(a[i]);", "convert_int4(abs(vload4(0, &a[i])))"),
        ("float", "b[i] = abs((int)a[i]) - 9;", "convert_float4(abs(convert_int4(vload4(0, &a[i]))) - (uint4)(9))"),
        ("float", "b[i] = abs(a[i]);", "abs has no form"),
        ("int", "uchar t = a[i]; b[i] = t >> 1;", "int4 t = convert_int4(convert_uchar4(vload4(0, &a[i])));"),
        ("int", "short t; t = 0; t += a[i]; b[i] = t;", "t = convert_int4(convert_short4(t + vload4(0, &a[i])));"),
        ("int", "b[i] = (unsigned char)a[i];", "vstore4(convert_int4(convert_uchar4(vload4(0, &a[i])))"),
        (
            "int",
            "char t = 1; if (a[i] > m) t = a[0]; b[i] = t;",
            "select(t, convert_int4(convert_char4((int4)(a[0]))), mask)",
        ),
        (
            "int",
            "char t = a[i]; if (t > m) t = 2 * n; b[i] = t;",
            "select(t, convert_int4(convert_char4((int4)(2 * n))), t > (int4)(m))",
        ),
    ],
)
def test_vectors_of_whole_numbers_calculate_as_c_does(kind, work, made):
    text = WHOLE % (kind, kind, work)
    if made.endswith(("known to be int", "form", "neighbours")):
        with pytest.raises(RefusedError, match=made):
            blocked(text, "1x1x4")
    else:
        assert made in blocked(text, "1x1x4")


def test_what_sets_a_variable_up_moves_with_it():
    work = "b[i] = t;"
    text = (WHOLE % ("int", "int", work)).replace("if (i < n) {", "int t = 1; int v = t; t += 2; if (t > m) t = m; {")
    made = blocked(text)
    assert (
        made.index("int t_0 = 1") < made.index("t_0 += 2")
        if "t_0" in made
        else made.index("int t = 1") < made.index("t += 2")
    )


@pytest.mark.parametrize("value", ["i * s", "i * 1.5f", "(int)((float)i / 3)", "a[i] * s"])
def test_what_a_declaration_rounds_stays_a_variable(value):
    text = WHOLE % ("int", "float", f"int q = {value}; b[i] = 2 * q;")
    assert "= 2 * q_1" in blocked(text)
    assert "= 2 * (i + 1)" in blocked(WHOLE % ("int", "float", "int q = i; b[i] = 2 * q;"))


def test_a_variable_declared_before_the_number_is_each_copys_own():
    head = "__kernel void f(__global const float *a, __global int *b, int n, int m) {\n int best; int k; int i = get_global_id(0);\n"
    made = blocked(f"{head} if (i < n) {{ for (k = 0; k < m; k++) if (a[i * m + k] > 0) best = k; b[i] = best; }} }}\n")
    assert "int best_0" in made
    assert "int best_1" in made
    assert "b[i + 1] = best_1" in made
    assert "k_1" not in made


def test_a_barrier_behind_all_the_work_is_no_meeting():
    ends = kernel("b[i] = a[i];").rstrip().removesuffix("}")
    assert "barrier" not in blocked(f"{ends} barrier(CLK_GLOBAL_MEM_FENCE); // all are done\n}}\n")
    with pytest.raises(RefusedError, match="wait for each other"):
        blocked(f"{ends} barrier(CLK_GLOBAL_MEM_FENCE); b[n] = 0; }}\n")


def test_a_wider_number_that_is_calculated_with_stays_and_one_that_is_a_place_is_put_in():
    """Seen: ``ulong r = a << 3; ulong m = r * r;`` as ``(a << 3) * (a << 3)``, in 32 bits."""
    head = "__kernel void f(__global const uint *x, __global uint *y, uint n, uint m) { uint i = get_global_id(0); if (i < n) {"

    def inside(body):
        return " ".join("".join(blocked(f"{head} {body} }} }}")).split()).partition("} else {")[0]

    wide = inside("ulong r = x[i] << 3; ulong q = r * r % 1000; y[i] = x[i] ^ q;")
    assert "ulong r_1 = x[i + 1] << 3;" in wide
    assert "ulong q_1 = r_1 * r_1 % 1000;" in wide
    assert "y[(i + 1) * 2] = x[(i + 1) * 2];" in inside("ulong at = i * 2; ulong to = at; y[to] = x[at];")


@pytest.mark.parametrize(
    "work",
    [
        "s += a[i] > 0.0f ? (float)(c++) : 1.0f;",
        "if (a[i] > 0.0f && c++ < 3) { s += 1.0f; }",
        "s += a[c++];",
        "s = a[i] + (c += 2);",
        "if ((s = a[i]) > 0.0f) { c = 1; }",
    ],
)
def test_what_is_changed_amid_an_expression_is_each_results_own(work):
    """All results of a block counted with one variable."""
    with pytest.raises(RefusedError, match="amid an expression"):
        blocked(kernel(f"float s = 0.0f; int c = 0; {work} b[i] = s + c;"))
    assert "s_1 += a[c_1]" in blocked(kernel("float s = 0.0f; int c = i; c++; s += a[c]; b[i] = s + c;"))
    assert "k-- > 0" in blocked(kernel("float s = 0.0f; int k = m; while (k-- > 0) { s += a[i]; } b[i] = s;"))


def test_a_parameter_that_each_item_changes_is_each_items_own():
    """The second result of a block began with what the first had left of it."""
    text = kernel("if (a[i] > 0.0f) m = 1 - m; b[i] = m;")
    with pytest.raises(RefusedError, match="changes its parameter m"):
        blocked(text)
    function = parse.functions(text)[0]
    posed = Posed(function, (t.Name("n"),), parse.typedefs(text))
    made = catalogue.rewritten(posed, {"outputs-per-item": "2x1x1"})
    whole, _, each = " ".join(map(str, write.statements(made.function.body, "", ""))).partition("for (int i_one")
    assert "int m_own_1 = m;" in whole
    assert "int m_own = m;" in each, "result by result, too"
