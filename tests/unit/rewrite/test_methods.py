"""Every rewrite does to its examples what it says, refuses what it must, and has a wrong twin for verification to catch."""

from __future__ import annotations

import re

import pytest

from hotloop import registry
from hotloop.app.bare.expected import outer
from hotloop.rewrite import catalogue, expand, helpers, hostloop, parse, write
from hotloop.rewrite.form import APART, Posed
from hotloop.rewrite.members import structured
from hotloop.rewrite.shape import RefusedError, extents, shape

REWRITES = catalogue.rewrites()
LOOPS = tuple(hostloop.hostloops().values())
EXAMPLES = [(r, e) for r in REWRITES for e in r.examples]
HOSTED = [(r, e) for r in LOOPS for e in r.examples]


def posed(text: str, sizes: str = "") -> Posed:
    function, required = parse.functions(text)[0], expand.read(text).required
    group = tuple(size for size in required.get(function.name, ()) if size > 1)
    try:
        found = () if group else extents(shape(function))[0]
    except RefusedError:  # loops over the grid say nothing of it
        found = ()
    own = helpers.typed(text, parse.helpers(text))
    values = {name: int(value) for name, value in (pair.split("=") for pair in sizes.split(",") if pair)}
    kinds = structured(text)
    return Posed(function, found, parse.typedefs(text), group=group, helpers=own, structures=kinds, values=values)


def test_files_and_names_agree():
    assert {n.replace("_", "-") for n in registry.names(catalogue.METHODS)} == {r.name for r in REWRITES}
    assert {n.replace("_", "-") for n in registry.names(hostloop.METHODS)} == {r.name for r in LOOPS}


@pytest.mark.parametrize(("rewrite", "example"), EXAMPLES, ids=[f"{r.name}{i}" for i, (r, _) in enumerate(EXAMPLES)])
def test_example(rewrite, example):
    before = posed(example.before, example.sizes)
    if not example.after:
        with pytest.raises(RefusedError) as refused:
            rewrite.apply(before, example.value)
        assert str(refused.value) == example.refused
        return
    after = rewrite.apply(before, example.value)
    text = write.replaced(example.before, before.function, after.function)
    text = write.told(text, before.function, free=after.regrouped, lone=after.lone, vector=APART if after.apart else "")
    assert text == example.after
    assert rewrite.lines(before), "it names the lines that it touches"
    assert all(1 <= line <= example.before.count("\n") for line in rewrite.lines(before))


@pytest.mark.parametrize(("loop", "example"), HOSTED, ids=[f"{r.name}{i}" for i, (r, _) in enumerate(HOSTED)])
def test_host_loop(loop, example):
    before = posed(example.before)
    if not example.after:
        with pytest.raises(RefusedError, match=re.escape(example.refused)):
            loop.apply(before, example.value)
        return
    after = loop.apply(before, example.value)
    assert write.replaced(example.before, before.function, after.function) == example.after


@pytest.mark.parametrize("rewrite", [*REWRITES, *LOOPS], ids=lambda r: r.name)
def test_words(rewrite):
    from hotloop.techniques.moves import techniques

    assert rewrite.technique in techniques()
    assert "When it applies:" in rewrite.text
    assert "What it costs:" in rewrite.text
    assert any(example.after for example in rewrite.examples)
    assert any(not example.after for example in rewrite.examples), "an example that it must refuse"
    wrong, right = rewrite.twin[1], rewrite.examples[0].after
    assert rewrite.twin[0] in right
    assert right.replace(rewrite.twin[0], wrong, 1) != right


SUMS = """typedef float real;
__kernel void sums(__global real *a, __global real *b, __global real *c, int n) {
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < n && j < n) {
        c[i * n + j] = 0.0f; // begins empty
        for (int k = 0; k < n; k++)
            c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
}
"""


def test_composed_in_their_order_whatever_the_order_of_the_wish():
    wish = {"outputs-per-item": "2x2x4", "register-accumulator": 1}
    made = catalogue.rewritten(posed(SUMS), wish)
    text = write.replaced(SUMS, posed(SUMS).function, made.function)
    assert made.per_item == (8, 2)
    assert text.count("vstore4") == 5, "four of the block, one where it crosses an edge"
    assert "c_sum_1_1 += (float4)(a[(i + 1) * n + k]) * vload4(0, &b[k * n + (j + 4)]);" in text
    assert text.startswith("typedef float real;\n__kernel void sums(__global real *a")


def test_the_refusal_names_rewrite_and_kernel():
    with pytest.raises(catalogue.InapplicableError, match="reduction-lanes does not apply to sums: ") as refused:
        catalogue.rewritten(posed(SUMS), {"reduction-lanes": 4})
    assert str(refused.value) == f"reduction-lanes does not apply to sums: {refused.value.why}"


@pytest.mark.parametrize(
    "spoiled",
    [
        SUMS.replace("c[i * n + j] = 0.0f;", "barrier(CLK_LOCAL_MEM_FENCE); c[i * n + j] = 0.0f;"),
        SUMS.replace("c[i * n + j] = 0.0f;", "atomic_add(c, 1); c[i * n + j] = 0.0f;"),
        SUMS.replace("c[i * n + j] = 0.0f;", "c[(int)a[j]] += 1.0f; c[i * n + j] = 0.0f;"),
        SUMS.replace("c[i * n + j] = 0.0f;", "c[i * n + j] = get_local_id(0);"),
        SUMS.replace("c[i * n + j] = 0.0f;", "do n--; while (n > 9);"),
    ],
)
def test_blocks_with_vectors_are_refused(spoiled):
    with pytest.raises(RefusedError):
        catalogue.rewritten(posed(spoiled), {"outputs-per-item": "2x2x4"})


CHOSEN = """__kernel void nearest(__global const float *x, __global int *y, int n, int m) {
    int i = get_global_id(0);
    int best = 0;
    if (i < n) {
        float least = 1e30f;
        for (int k = 0; k < m; k++) {
            if (x[k * n + i] < least) {
                least = x[k * n + i];
                best = k;
            }
        }
        y[i] = best;
    }
    return;
}
"""


def test_what_a_branch_decides_differs_between_copies():
    before = posed(CHOSEN)
    text = write.replaced(CHOSEN, before.function, catalogue.rewritten(before, {"outputs-per-item": "2x1x1"}).function)
    assert "best_0 = k;" in text
    assert "best_1 = k;" in text
    assert "y[i + 1] = best_1;" in text


ROWS_FIRST = """__kernel void product(__global const float *a, __global const float *b, __global float *c, int n, int m) {
    int i = get_global_id(0);
    int j = get_global_id(1);
    if (i < n && j < m) {
        float sum = 0;
        for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * m + j];
        c[i * m + j] = sum;
    }
}
"""


def test_vectors_lie_along_the_results_whichever_dimension_that_is():
    made = catalogue.rewritten(posed(ROWS_FIRST), {"outputs-per-item": "2x1x4"})
    text = "\n".join(write.statements(made.function.body, "", "    "))
    assert "int j = get_global_id(1) * 4;" in text
    assert "int i = get_global_id(0) * 2;" in text
    assert "vstore4(sum_1, 0, &c[(i + 1) * m + j]);" in text
    assert made.per_item == (2, 4)


CHAINED = """__kernel void chained(__global const float *x, __global float *y, int n, int m) {
    int i = get_global_id(0);
    if (i < n) {
        int at = i / m;
        int from = at % m;
        float s = 0.0f;
        for (int k = 0; k < m; k++) s += x[from * m + k];
        y[i] = s;
    }
}
"""


def test_numbers_made_of_each_other_are_put_in_together():
    made = catalogue.rewritten(posed(CHAINED), {"outputs-per-item": "2x1x1"})
    text = write.replaced(CHAINED, posed(CHAINED).function, made.function)
    assert "s_1 += x[(i + 1) / m % m * m + k];" in text


def test_a_number_made_of_what_changes_later_keeps_its_name():
    """Put in place of its name, ``i + k`` would be another number after ``k`` has changed."""
    text = CHAINED.replace("int at = i / m;", "int k = 3; int at = i + k;").replace(
        "int from = at % m;", "int from = at;"
    )
    text = text.replace("for (int k = 0;", "for (k = 0;")
    made = catalogue.rewritten(posed(text), {"outputs-per-item": "2x1x1"})
    after = write.replaced(text, posed(text).function, made.function)
    assert "int at_1 = i + 1 + k;" in after
    assert "s_1 += x[at_1 * m + k];" in after


def test_a_choice_of_the_greater_is_an_extreme_of_lanes():
    text = CHAINED.replace("s += x[from * m + k];", "if (x[from * m + k] > s) s = x[from * m + k];")
    made = catalogue.rewritten(posed(text), {"reduction-lanes": 4})
    after = write.replaced(text, posed(text).function, made.function)
    value = "vload4(0, &x[from * m + k])"
    assert f"s_lanes = select(s_lanes, {value}, {value} > s_lanes);" in after  # NaN is never greater
    assert "fmax" not in after
    worse = text.replace("s = x[from * m + k];", "s = x[from * m + k + 1];")
    with pytest.raises(RefusedError, match="more than sum"):
        catalogue.rewritten(posed(worse), {"reduction-lanes": 4})


OTHERS = """__kernel void pull(__global const float *x, __global float *y, __global float *z, int n) {
    int i = get_global_id(0);
    if (i < n) {
        float sum = 0.0f;
        float sine, cosine;
        for (int j = 0; j < n; j++) {
            if (j == i) continue;
            sum += x[j] / (x[i] - x[j]);
        }
        sine = sincos((float)i * 0.1f, &cosine);
        y[i] = sum + sine + i;
        z[i] = cosine;
    }
}
"""


def blocked(text: str) -> str:
    before = posed(text)
    rewrite = next(one for one in REWRITES if one.name == "outputs-per-item")
    return write.replaced(text, before.function, rewrite.apply(before, "1x2x4").function)


def test_numbers_of_work_items_and_rounds_without_their_own_have_lanes():
    text = blocked(OTHERS)
    assert "sum_1 = select(sum_1, sum_1 + kept_0_1, " in text
    assert "sine_1 = sincos(" in text
    assert "&cosine_1)" in text, "a variable whose address is taken is one of each copy"
    assert "convert_float4((int4)(i + 4, i + 4 + 1, i + 4 + 2, i + 4 + 3))" in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("if (j == i) continue;", "if (j <= i) { y[i] = 1.0f; continue; }"),
        ("sum += x[j]", "y[j] = 1.0f; sum += x[j]"),
        ("float sine, cosine;", "float sine, cosine, sum_1 = 2.0f;"),
        ("int i =", "short i ="),
    ],
)
def test_what_has_no_lanes_is_refused(old, new):
    assert old in OTHERS
    with pytest.raises(RefusedError):
        blocked(OTHERS.replace(old, new))


@pytest.mark.parametrize("rewrite", REWRITES, ids=lambda r: r.name)
def test_comments_keep_no_rewrite_from_applying(rewrite):
    for example in rewrite.examples:
        head, brace, rest = example.before.partition("{\n")
        text = head + brace + "".join(f"    // what follows\n{line}\n" for line in rest.splitlines() if line)
        if example.after and "#" not in rest:
            catalogue.rewritten(posed(text, example.sizes), {rewrite.name: example.value}, (rewrite,))


PAIRS = """__kernel void pairs(__global const float *x, __global const float *y, __global float *d) {
    int j = get_global_id(0);
    int i = get_global_id(1);
    d[i * 64 + j] = x[i] - y[j];
}
"""


@pytest.mark.parametrize(
    ("change", "wanted"), [(("", ""), True), (("y[j]", "y[i * 64 + j]"), False), (("x[i]", "1.0f"), False)]
)
def test_blocks_load_what_rows_and_columns_share_once(change, wanted):
    assert outer(shape(posed(PAIRS.replace(*change)).function)) is wanted


def test_rounds_that_begin_behind_an_end_without_a_sign_are_none():
    text = """__attribute__((reqd_work_group_size(16, 1, 1)))
__kernel void f(__global const float *x, __global float *y, uint n) {
    __local float part[16];
    int l = get_local_id(0);
    for (uint g = get_global_id(0); g < n; g += 64) {
        float s = 0.0f;
        for (uint p = 0; p < n; p += 16) {
            part[l] = x[p + l];
            barrier(CLK_LOCAL_MEM_FENCE);
            for (int k = 0; k < 16; k++) s += part[k];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        y[g] = s;
    }
}
"""
    for given, round_ in ((text, False), (text.replace("uint", "int"), True)):
        made = " ".join(write.statements(catalogue.rewritten(posed(given), {"local-staging": 1}).function.body, "", ""))
        assert ("g_round < n - item_0" in made) is round_, made
        assert ("uint g = item_0; g < n" in made) is not round_, made


PIXELS = """__kernel void gray(__global const uchar *x, __global uchar *y, int n, int m, int c) {
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (j < n && i < m) {
        int at = (i * n + j) * c;
        y[i * n + j] = (x[at] + x[at + 1] + x[at + 2]) / 3;
    }
}
"""


def test_channels_that_are_named_are_loaded_as_neighbours():
    from hotloop.app.bare.moves import usual

    chosen = usual(posed(PIXELS, "n=64,m=8,c=3"))
    assert chosen == {"outputs-per-item": "1x4x16b32", "known-sizes": 1, "interleaved-lanes": 1}
    text = write.replaced(PIXELS, posed(PIXELS).function, catalogue.rewritten(posed(PIXELS, "c=3"), chosen).function)
    assert "uchar16 near_2 = vload16(0, &x[3 * i * n + 3 * j + 32]);" in text
    assert "interleaved-lanes" not in usual(posed(PIXELS, "n=64,m=8,c=7"))


BITS = """__kernel void kept(__global const float *x, __global int *y, int n) {
    int i = get_global_id(0);
    if (i < n) {
        int v = x[i] + 0.5f;
        y[i] = (v & 0xffffff00) ? ~(v >> 24) : v;
    }
}
"""


def test_bits_that_are_asked_and_turned_are_so_in_lanes():
    made = catalogue.rewritten(posed(BITS), {"outputs-per-item": "1x1x4"})
    text = write.replaced(BITS, posed(BITS).function, made.function)
    assert "~(v >> (int4)(24))" in text
    assert "(convert_uint4(v) & (uint4)(0xffffff00)) != (uint4)(0)" in text
