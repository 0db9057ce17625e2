"""A bare source end to end: checked, optimized, patched; and every rewrite's wrong twin is caught."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hotloop.app.bare import kernel as bare
from hotloop.app.bare.order import loops
from hotloop.app.bare.plan import host_name
from hotloop.app.bare.wish import Wish, wish
from hotloop.cli.main import main
from hotloop.errors import HotloopError, KernelFileError, MachineError, UsageError
from hotloop.model.kernel import Kernel
from hotloop.model.program import Local, Program, Raw
from hotloop.ports import Executed
from hotloop.rewrite import catalogue, hostloop
from hotloop.verify.cases import Case
from hotloop.verify.judge import judge
from hotloop.verify.mirror import orders
from hotloop.verify.oracle import expect

LIMIT_S = 60.0


@pytest.fixture(scope="module", autouse=True)
def runtime():
    try:
        bare._engine(LIMIT_S)
    except MachineError as reason:
        pytest.skip(f"no OpenCL runtime: {reason}")


def loaded(folder: Path, text: str, named: Wish, entry: str = "") -> Kernel:
    file = folder / "kernel.cl"
    file.write_text(text)
    return bare.load(file, entry, named, LIMIT_S)


def judged(kernel: Kernel, program: Program) -> str:
    """Run a program on random inputs; return why its result is wrong, empty where it is right."""
    engine = bare._engine(LIMIT_S)
    inputs = kernel.inputs(kernel.problem, np.random.default_rng(5))
    expected = expect(kernel, kernel.problem, inputs)
    dataset = engine.dataset("judged", inputs, tuple(expected.outputs))
    ran = engine.execute(program, dataset)
    engine.discard(dataset)
    assert isinstance(ran, Executed), ran
    result = judge(kernel, Case(kernel.problem, "normal", 5, 0), inputs, ran.arrays, expected=expected)
    return "" if result.passed else result.reason


_HINT = re.compile(r" __attribute__\(\(vec_type_hint\(\w+\)\)\)")
"""What a text with vectors of its own says to the runtime, beside its examples."""


@pytest.mark.parametrize("rewrite", catalogue.rewrites(), ids=lambda r: r.name)
def test_a_rewrite_is_right_and_its_twin_is_caught(rewrite, tmp_path):
    example = rewrite.examples[0]
    sizes = example.sizes or ("n=53,m=41" if "int m" in example.before else "n=53")
    kernel = loaded(tmp_path, example.before, wish((sizes,), "", (example.grid,) if example.grid else ()))
    implementation = kernel.implementations[0]
    entry = next(p.name for p in implementation.space.parameters if p.name.endswith(rewrite.name))
    config = implementation.start.replace(**{entry: example.value})  # a plan takes values that the space leaves out
    program = implementation.plan(kernel.problem, config, None)
    assert _HINT.sub("", program.source) == _HINT.sub("", example.after)
    assert len(_HINT.findall(program.source)) == (rewrite.name == "scalar-items" or "float4)" in example.after)
    assert judged(kernel, program) == ""
    twin = program.source.replace(*rewrite.twin)
    assert judged(kernel, replace(program, source=twin)) != "", "verification must catch it"


@pytest.mark.parametrize(
    ("branch", "wide"),
    [
        ("if (x[i] > q[k]) { float r = x[i] - q[k]; if (r > 1.0f) { r = 1.0f; } s += r * q[k]; }", "1x2x4"),
        (
            "if (x[i] > q[k]) { s += q[i] * x[k]; c++; } else if (k != i) { s -= q[i] + q[k]; } else { c += 2; }",
            "1x1x8",
        ),
        ("if (i + k >= 3 && x[k] > q[i]) { s += q[i + k - 3]; }", "1x1x4"),
        (
            "if (i != k) { float d = x[i] - x[k]; float r = d * d + 0.1f; if (r < 2.0f) { s += q[k] * d / sqrt(r); } }",
            "1x2x8",
        ),
    ],
)
def test_branches_that_differ_between_neighbours_are_right(branch, wide, tmp_path):
    text = f"""__kernel void f(__global const float *x, __global const float *q, __global float *y, int n) {{
    int i = get_global_id(0);
    if (i < n) {{
        float s = 0.0f;
        int c = 0;
        for (int k = 0; k < n - 2; k++) {{
            {branch}
        }}
        y[i] = s + c;
    }}
}}
"""
    kernel = loaded(tmp_path, text, wish(("n=53,q=160",)))
    implementation = kernel.implementations[0]
    config = implementation.start.replace(**{"f.outputs-per-item": wide})
    program = implementation.plan(kernel.problem, config, None)
    assert "any(mask)" in program.source
    assert judged(kernel, program) == ""
    twin = program.source.replace("any(mask)", "all(mask)")
    assert judged(kernel, replace(program, source=twin)) != "", "verification must catch it"


@pytest.mark.parametrize(
    ("work", "bug"),
    [
        (
            "while (s < 9 && c < 9) { s += (x[i] & 15) + 1; c++; }",
            ("select(c, c + (int8)(1), going)", "c + (int8)(1)"),
        ),
        (
            "for (int k = 0; k < 9; k++) { s += x[k] + x[i]; if (s > 20) break; c += k; }",
            ("going = going & ~going_in", "going = going_in"),
        ),
        ("for (int k = 0; k < 9; k++) if (x[k] > x[i]) y[i] = k;", ("if (mask.s3)", "if (mask.s4)")),
        ("for (int k = x[i] & 3; k < 9; k += 2) s += x[k];", ("? x[k.s3]", "? x[k.s2]")),
        (
            "double d = x[i]; for (int k = 0; k < 9; k++) if (d > x[k]) { d += x[k]; c++; } s = d;",
            ("convert_long8(", "~convert_long8("),
        ),
    ],
)
def test_loops_that_lanes_leave_and_what_chosen_lanes_write_are_right(work, bug, tmp_path):
    text = f"""__kernel void f(__global const int *x, __global int *y, __global int *z, int n) {{
    int i = get_global_id(0);
    if (i < n) {{
        int s = 0;
        int c = 0;
        {work}
        z[i] = s + 100 * c;
    }}
}}
"""
    kernel = loaded(tmp_path, text, wish(("n=53,x=64",)))
    implementation = kernel.implementations[0]
    config = implementation.start.replace(**{"f.outputs-per-item": "1x1x8"})
    program = implementation.plan(kernel.problem, config, None)
    assert judged(kernel, program) == ""
    twin = program.source.replace(*bug)
    assert twin != program.source
    assert judged(kernel, replace(program, source=twin)) != "", "verification must catch it"


@pytest.mark.parametrize(
    ("block", "bug"),
    [
        ("1x1x8", ("int k = k_all;", "int k = 0;")),
        ("1x1x8", ("while (all(going))", "while (any(going))")),
        ("1x2x8", ("all(going_0 & going_1)", "all(going_0)")),
    ],
)
def test_vectors_go_through_a_loop_together_until_a_lane_leaves_it(block, bug, tmp_path):
    text = """__kernel void f(__global const int *x, __global float *y, int n) {
    int i = get_global_id(0);
    if (i < n) {
        float s = 0.0f;
        for (int k = 0; k < n - i && k < 40 + (x[i] & 15); k++) s += (x[k] & 7) * 0.5f + x[i + k];
        y[i] = s;
    }
}
"""
    kernel = loaded(tmp_path, text, wish(("n=133,x=133",)))
    implementation = kernel.implementations[0]
    config = implementation.start.replace(**{"f.outputs-per-item": block})
    program = implementation.plan(kernel.problem, config, None)
    assert "k_all" in program.source
    assert judged(kernel, program) == ""
    twin = program.source.replace(*bug)
    assert twin != program.source
    assert judged(kernel, replace(program, source=twin)) != "", "verification must catch it"


@pytest.mark.parametrize(
    "bug", [("any(mask)", "all(mask)"), ("if (mask.s3)", "if (mask.s2)"), ("near &= ", "near |= ")]
)
def test_truth_values_and_components_that_chosen_lanes_write_are_right(bug, tmp_path):
    text = """__kernel void f(__global const float4 *x, __global float4 *y, int n) {
    int i = get_global_id(0);
    if (i < n) {
        float4 p = x[i];
        bool near = dot(p, p) < 4.0f, up = p.y > 0.0f;
        near &= !up;
        y[i] = p * 0.5f;
        if (near) y[i] = (float4)(1.0f, p.x, 0.0f, 2.0f);
    }
}
"""
    kernel = loaded(tmp_path, text, wish(("n=53",)))
    implementation = kernel.implementations[0]
    config = implementation.start.replace(**{"f.vectors-apart": 1, "f.outputs-per-item": "1x1x8"})
    program = implementation.plan(kernel.problem, config, None)
    assert judged(kernel, program) == ""
    twin = program.source.replace(*bug)
    assert twin != program.source
    assert judged(kernel, replace(program, source=twin)) != "", "verification must catch it"


@pytest.mark.parametrize(
    ("more", "bug"),
    [
        ("", ("any(mask & ~own_0_known)", "all(mask & ~own_0_known)")),
        ("", ("? w[i + 3] :", "? w[i + 2] :")),
        ("if (s > 2.0f) break;", ("? w[i + 3] :", "? w[i + 4] :")),
    ],
)
def test_what_chosen_lanes_read_of_their_own_is_remembered_and_what_is_wrong_in_it_is_caught(more, bug, tmp_path):
    text = f"""__kernel void f(__global const float *x, __global const float *w, __global float *y, int n) {{
    int i = get_global_id(0);
    if (i < n) {{
        float s = 0.0f;
        for (int j = 0; j < n; j++) {{
            float d = x[i] - x[j];
            if (d > 0.3f) s += d * w[i];
            {more}
        }}
        y[i] = s;
    }}
}}
"""
    kernel = loaded(tmp_path, text, wish(("n=53",)))
    implementation = kernel.implementations[0]
    config = implementation.start.replace(**{"f.outputs-per-item": "1x1x8"})
    program = implementation.plan(kernel.problem, config, None)
    assert judged(kernel, program) == ""
    twin = program.source.replace(*bug)
    assert twin != program.source
    assert judged(kernel, replace(program, source=twin)) != "", "verification must catch it"


CENTRES = """__kernel void f(__global const float *x, __global const float *c, __global int *y, int n, int k, int m) {
    int i = get_global_id(0);
    if (i < n) {
        float best = 3.4e38f;
        int at = 0;
        for (int j = 0; j < k; j++) {
            float d = 0.0f;
            for (int f = 0; f < m; f++) { float e = x[i * m + f] - c[j * m + f]; d += e * e; }
            if (d < best) { best = d; at = j; }
        }
        y[i] = at;
    }
}
"""


@pytest.mark.parametrize("bug", [("x_row_0[f] -", "x_row_0[0] -"), ("x[(i + 3) * m + f]", "x[(i + 2) * m + f]")])
def test_rows_that_lanes_gather_again_are_held_and_what_is_wrong_in_them_is_caught(bug, tmp_path):
    kernel = loaded(tmp_path, CENTRES, wish(("n=53,k=6,m=20",)))
    implementation = kernel.implementations[0]
    config = implementation.start.replace(**{"f.outputs-per-item": "1x1x8"})
    program = implementation.plan(kernel.problem, config, None)
    assert "if (0 < k)" in program.source, "without any round nothing may be read"
    assert "m <= 24" in program.source, "the array has room for so many"
    assert judged(kernel, program) == ""
    longer = implementation.plan(kernel.problem.replace(m=31), config, None)
    assert judged(replace(kernel, problem=kernel.problem.replace(m=31)), longer) == ""
    twin = program.source.replace(*bug)
    assert judged(kernel, replace(program, source=twin)) != "", "verification must catch it"


def test_rows_that_the_outer_loop_may_change_are_not_held(tmp_path):
    text = CENTRES.replace("at = j; }", "at = j; y[i] = j; }").replace("y[i] = at;", "")
    kernel = loaded(tmp_path, text, wish(("n=53,k=6,m=20",)))
    implementation = kernel.implementations[0]
    program = implementation.plan(kernel.problem, implementation.start.replace(**{"f.outputs-per-item": "1x1x8"}), None)
    assert "row" not in program.source
    assert judged(kernel, program) == ""


@pytest.mark.parametrize(
    ("work", "bug"),
    [
        (
            "int l = (j + n - 2) % n, r = (j + k) % n; y[id] = x[i * n + l] + 3 * x[i * n + r];",
            ("2 <= id_column", "0 <= id_column"),
        ),
        ("int r = (j + k) % n; y[id] = x[i * n + r];", ("id_column + k + 7 < n", "id_column + 7 < n")),
        (
            "y[id] = i >= k && i < m - 1 && j >= k && j + k < n ? x[(i - k) * n + j + k] + x[i * n + j - k] : 7;",
            ("i >= k && i < m - 1 ?", "i < m - 1 ?"),
        ),
    ],
)
def test_neighbours_at_the_other_side_and_choices_that_all_lanes_make_alike_are_right(work, bug, tmp_path):
    text = f"""__kernel void f(__global const int *x, __global int *y, int n, int m, int k) {{
    for (int id = get_global_id(0); id < n * m; id += get_global_size(0)) {{
        int j = id % n;
        int i = id / n;
        {work}
    }}
}}
"""
    kernel = loaded(tmp_path, text, wish(("n=53,m=41,k=9",), "", ("64",)))
    implementation = kernel.implementations[0]
    ways = {"f.unstrided-loops": 1, "f.index-to-dimensions": 1, "f.outputs-per-item": "1x1x8"}
    program = implementation.plan(kernel.problem, implementation.start.replace(**ways), None)
    assert "vload8" in program.source
    assert judged(kernel, program) == ""
    twin = program.source.replace(*bug, 1)
    assert twin != program.source
    assert judged(kernel, replace(program, source=twin)) != "", "verification must catch it"


@pytest.mark.parametrize(
    ("name", "mark", "bug"),
    [
        ("local-staging", "__kernel void step(", ("item_0 + 1]", "item_0 + 2]")),  # a halo behind branches
        ("group-sums", "__kernel void least(", ("apart = 32;", "apart = 16;")),  # the best value with its place, as vectors
        ("group-sums", "if (i + 64 < n) part[l] +=", ("place + 64 < n", "place + 65 < n")),  # two loads of a place
        ("group-sums", "sum = 1.0f", ("sum = 1.0f", "sum = 0.0f")),  # what each place begins with
        ("reduction-lanes", "__kernel void apart(", ("(d * d);\n            }\n            s +=", "(d);\n            }\n            s +=")),
    ],
)  # fmt: skip
def test_other_forms_of_a_rewrite_are_right_and_their_twins_are_caught(name, mark, bug, tmp_path):
    rewrite = next(one for one in catalogue.rewrites() if one.name == name)
    example = next(one for one in rewrite.examples if mark in one.before and one.after)
    sizes = example.sizes or ("n=53" if "int n" in example.before else "")
    kernel = loaded(
        tmp_path, example.before, wish((sizes,) if sizes else (), "", (example.grid,) if example.grid else ())
    )
    implementation = kernel.implementations[0]
    entry = next(p.name for p in implementation.space.parameters if p.name.endswith(name))
    program = implementation.plan(kernel.problem, implementation.start.replace(**{entry: example.value}), None)
    assert _HINT.sub("", program.source) == example.after
    assert judged(kernel, program) == ""
    twin = program.source.replace(*bug, 1)
    assert twin != program.source
    assert judged(kernel, replace(program, source=twin)) != "", "verification must catch it"


@pytest.mark.parametrize(
    ("kernel", "block", "bug"),
    [
        ("blur", "2x1x8", ("item_0 - 1 >= 0", "item_0 >= 0")),  # a tile with a halo
        ("edge", "2x1x1", ("item_0 + 1", "item_0 + 2")),  # one that is filled in a line
        ("nearest", "1x1x4", ("b[4 * j + k]", "b[4 * j]")),  # a work-item's own elements, and what one filled for all
    ],
)
def test_what_loops_put_into_local_memory_is_read_where_it_came_from(kernel, block, bug, tmp_path):
    staging = next(one for one in catalogue.rewrites() if one.name == "local-staging")
    example = next(one for one in staging.examples if kernel in one.before and one.after)
    read = loaded(tmp_path, example.before, wish((example.sizes,), "", (example.grid,)))
    implementation = read.implementations[0]
    ways = {f"{kernel}.local-staging": 1, f"{kernel}.outputs-per-item": block}
    program = implementation.plan(read.problem, implementation.start.replace(**ways), None)
    assert ("vload" in program.source) == (not block.endswith("x1"))
    assert judged(read, program) == ""
    twin = program.source.replace(*bug)
    assert twin != program.source
    assert judged(read, replace(program, source=twin)) != "", "verification must catch it"


def test_a_group_that_is_one_item_counts_without_atomic_functions(tmp_path):
    text = """__kernel void counts(__global const int *x, __global int *total, int n) {
    __local int part[16];
    int l = get_local_id(0);
    if (l < 16) part[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        atomic_add(&part[x[i]], 1); // one more
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16) atomic_add(&total[l], part[l]);
}
"""
    kernel = loaded(tmp_path, text, wish(("n=1000,x=below:16,total=16",), "", ("128",), ("64",)))
    implementation = kernel.implementations[0]
    program = implementation.plan(kernel.problem, implementation.start.replace(**{"counts.place-loops": "inner"}), None)
    assert "part[x[i]] += 1;" in program.source
    assert "int i_end = i_first + 64 < n ? i_first + 64 : n;" in program.source
    assert judged(kernel, program) == ""
    twin = program.source.replace("i_first + 64 < n ? i_first + 64 : n", "n")
    assert judged(kernel, replace(program, source=twin)) != "", "verification must catch it"


@pytest.mark.parametrize("loop", hostloop.hostloops().values(), ids=lambda r: r.name)
def test_a_loop_of_launches_is_right_and_its_twin_is_caught(loop, tmp_path):
    example = loop.examples[0]
    name = example.before.partition("void ")[2].partition("(")[0]
    order = f"{example.value}=1:9({name})"
    kernel = loaded(tmp_path, example.before, wish(("n=53",), order))
    implementation = kernel.implementations[0]
    parameter = host_name(0, loops(wish((), order).launches)[0])
    program = implementation.plan(kernel.problem, implementation.start.replace(**{parameter: loop.name}), None)
    assert len(program.launches) == 1
    assert program.source == example.after
    assert judged(kernel, program) == ""
    twin = replace(program, source=program.source.replace(*loop.twin))
    assert judged(kernel, twin) != "", "verification must catch it"


def test_blocks_that_lose_are_expected_to(tmp_path):
    turned = """__kernel void outer(__global const float *x, __global const float *w, __global float *y, int n) {
    int i = get_global_id(0), j = get_global_id(1);
    y[i * n + j] = x[i] * w[j];
}
"""
    far = turned.replace("* n + j]", "* n + 3 * j]")
    for text, wide in ((turned, 25.0), (far, 1.3)):
        kernel = loaded(tmp_path, text, wish(("n=60",), "", ("19,19",)))
        implementation = kernel.implementations[0]
        made = implementation.offers(kernel.problem, implementation.start, None)
        blocks = {next(iter(one.changes.values())): one.gain for one in made if one.rule == "outputs-per-item"}
        assert blocks["1x4x16b8"].high == wide
        assert blocks["4x4x1"].high <= 1.3
        assert any(one.rule == "dimension-order" for one in made) == (wide > 2)


SHARES = """__kernel void shares(__global const float *x, __global float *y, int n, int m) {
    int i = get_global_id(0);
    if (i < n) {
        float most = x[i * m];
        for (int j = 0; j < m; j++) most = fmax(most, x[i * m + j]);
        float sum = 0.0f;
        for (int j = 0; j < m; j++) {
            float e = exp(x[i * m + j] - most);
            y[i * m + j] = e;
            sum += e;
        }
        for (int j = 0; j < m; j++) y[i * m + j] /= sum + most;
    }
}
"""


def test_rows_are_done_by_lanes_and_what_is_wrong_in_them_is_caught(tmp_path):
    kernel = loaded(tmp_path, SHARES, wish(("n=53,m=41",)))
    implementation = kernel.implementations[0]
    config = implementation.start.replace(**{"shares.reduction-lanes": 4})
    program = implementation.plan(kernel.problem, config, None)
    assert program.source.count("vstore4") == 2
    assert judged(kernel, program) == ""
    for old, new in (
        ("vstore4(e, 0, &y[i * m + j])", "vstore4(e, 0, &y[i * m])"),
        ("fmax(most_lanes.s0, most_lanes.s2)", "fmax(most_lanes.s0, 9.0f)"),
        ("/ (float4)(sum + most)", "/ (float4)(sum)"),
    ):
        assert old in program.source
        wrong = replace(program, source=program.source.replace(old, new, 1))
        assert judged(kernel, wrong) != "", new


ROW_SUMS = """__kernel void row_sums(__global const double *a, __global const double *x, __global double *y, int n, int m) {
    int i = get_global_id(0);
    if (i < n) {
        double sum = 0.0;
        for (int k = 0; k < m; k++) sum += a[i * m + k] * x[k];
        y[i] = sum;
    }
}
"""


def test_sums_in_double_precision_may_round_and_what_is_less_exact_is_caught(tmp_path):
    kernel = loaded(tmp_path, ROW_SUMS, wish(("n=99,m=3000",)))
    implementation = kernel.implementations[0]
    program = implementation.plan(kernel.problem, implementation.start.replace(**{"row_sums.reduction-lanes": 8}), None)
    assert "vload8" in program.source
    assert judged(kernel, program) == ""
    published = implementation.plan(kernel.problem, implementation.start, None)
    for old, new in (("a[i * m + k] * x[k]", "(float)(a[i * m + k] * x[k])"), ("k = 0", "k = 1")):
        assert judged(kernel, replace(published, source=published.source.replace(old, new, 1))) != "", new


ALL_OTHERS = """__kernel void pull(__global const float4 *p, __global float *y, __global float *z, int n) {
    int i = get_global_id(0);
    if (i < n) {
        float sum = 0.0f, cosine;
        for (int j = 0; j < n; j++) {
            if (j == i) continue;
            sum += p[j].w / (distance(p[i].xyz, p[j].xyz) + 0.5f);
        }
        y[i] = sum + 0.25f * i;
        z[i] = sincos((float)i, &cosine) + 2.0f * cosine;
    }
}
"""


def test_sums_over_all_others_are_right_in_lanes_and_what_is_wrong_in_them_is_caught(tmp_path):
    kernel = loaded(tmp_path, ALL_OTHERS, wish(("n=53",)))
    implementation = kernel.implementations[0]
    asked = {"pull.vectors-apart": 1, "pull.outputs-per-item": "1x1x4"}
    program = implementation.plan(kernel.problem, implementation.start.replace(**asked), None)
    assert judged(kernel, program) == ""
    for old, new in (
        ("(int4)(j) !=", "(int4)(j + 1) !="),
        ("convert_float4((int4)(i, i + 1,", "convert_float4((int4)(i, i + 2,"),
        ("(float)(i + 3)", "(float)(i + 2)"),
    ):
        assert old in program.source, old
        assert judged(kernel, replace(program, source=program.source.replace(old, new))) != "", new


LOCAL = """#define REAL float
typedef struct { int first; float scale; } Opts;
__kernel void sums(__global const REAL *x, __global REAL *y, __local REAL *part, __global const int *skip,
                   __constant float *table, const Opts opts, const int n) {
    int i = get_global_id(0), l = get_local_id(0);
    part[l] = i < n ? x[i] * table[l % 4] * opts.scale : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = get_local_size(0) / 2; step > 0; step /= 2) {
        if (l < step) part[l] += part[l + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) y[get_group_id(0)] = part[0] + (skip ? 1.0f : 0.0f) + opts.first;
}
"""
OPTS = np.array([(3, 0.5)], dtype=[("first", "i4"), ("scale", "f4")]).tobytes().hex()


def test_local_memory_constant_memory_structures_and_null_pointers(tmp_path):
    named = wish(("n=256,part=64,y=4,table=4,skip=null", f"opts=bytes:{OPTS}"), "", ("n",), ("64",))
    kernel = loaded(tmp_path, LOCAL, named)
    inputs = kernel.inputs(kernel.problem, np.random.default_rng(0))
    assert {name: value.size for name, value in inputs.items()} == {"x": 256, "y": 4, "table": 4}
    expected = kernel.reference(kernel.problem, inputs)["y"]
    own = inputs["x"].astype("f8") * np.tile(inputs["table"].astype("f8"), 64) * 0.5
    assert expected.dtype == np.float32, "bytes of a structure cannot become wider"
    np.testing.assert_allclose(expected, own.reshape(4, 64).sum(1) + 3, rtol=1e-5)
    plan = kernel.implementations[0].plan
    assert judged(kernel, plan(kernel.problem, kernel.implementations[0].start, None)) == ""


STEPS = """__kernel void scale(__global float *x, int n, int k) {
    int i = get_global_id(0);
    if (i < n) x[k * n + i] /= x[k * n + i] + 2.0f;
}
__kernel void move(__global const float *x, __global float *y, int n, int k) {
    int i = get_global_id(0);
    if (i < n - k) y[k * n + i] = x[k * n + i] + N;
}
"""


def test_several_kernels_in_a_loop_of_the_host_and_a_macro(tmp_path):
    kernel = loaded(tmp_path, STEPS, wish(("n=37,N=3",), "k=0:n-1:2(scale move)"))
    program = kernel.implementations[0].plan(kernel.problem, kernel.implementations[0].start, None)
    assert [launch.entry for launch in program.launches[:4]] == ["scale", "move", "scale", "move"]
    assert [launch.global_size for launch in program.launches[:4]] == [(37,), (37,), (37,), (35,)]
    assert "-DN=3" in program.options
    assert judged(kernel, program) == ""


@pytest.mark.parametrize(
    ("text", "named", "error", "told"),
    [
        (STEPS, wish(("N=1",)), UsageError, "--size n=N,k=N"),
        (STEPS, wish(("n=9,N=1",), "k=0:n(scale mv)"), HotloopError, "mv"),
        (STEPS, wish(("n=9,k=2,N=1",), "", (), ()), None, ""),
        (STEPS.replace("< n - k", "< (int)x[0]"), wish(("n=9,k=2,N=1",)), UsageError, "--global move="),
        (STEPS.replace("y[k * n + i]", "y[(int)x[i]]"), wish(("n=9,k=2,N=1",)), UsageError, "--size y="),
        (STEPS.replace("float *x", "flot *x"), wish(("n=9,k=2,N=1",)), KernelFileError, "line 1"),
        (
            LOCAL.replace("part[l + step]", "part[skip[l]]"),
            wish(("n=256,y=4,table=4,skip=9", f"opts=bytes:{OPTS}"), "", ("n",), ("64",)),
            UsageError,
            "--size part=",
        ),
        (LOCAL, wish(("n=256,y=4,table=4,part=64,skip=null",), "", ("n",), ("64",)), UsageError, "opts=bytes:"),
        ("int f(int a) { return a; }", wish(()), KernelFileError, "no kernel function"),
    ],
)
def test_what_is_missing_is_named(text, named, error, told, tmp_path):
    if error is None:
        assert loaded(tmp_path, text, named).problem.sizes["k"] == 2
        return
    with pytest.raises(error, match=told):
        loaded(tmp_path, text, named)


SPARSE = """__kernel void rows(__global const float *value, __global const int *column, __global const float *x, __global float *y,
                   const int n, const int2 part) {
    int i = get_global_id(0);
    if (i >= n) return;
    float sum = 0.0f;
    for (int k = column[i]; k < column[i + 1]; k++) sum += value[k] * x[column[k]];
    if (i < part.x) y[i * part.y] = sum;
}
__kernel void total(__global const float *x, __global float *y, const int n) {
    float sum = 0.0f;
    for (int i = 0; i < n; i++) sum += x[i];
    y[0] = sum;
}
__kernel void shared(__global const int *x, __global int *y, const int n) {
    __local int last;
    last = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    y[get_group_id(0)] = last + x[n];
}
"""


HELD = """__kernel void best(__global const float *x, __constant int *wide, __global int *y) {
    int i = get_global_id(0);
    float top = x[i * *wide];
    int at = 0;
    for (int j = 1; j < *wide; j++) {
        if (x[i * wide[0] + j] > top) { at = j; top = x[i * wide[0] + j]; }
    }
    y[i] = at;
}
"""


def test_sizes_that_stand_in_memory_are_named(tmp_path):
    with pytest.raises(UsageError, match="--size wide=values:N"):
        loaded(tmp_path, HELD, wish((), "", ("9",)))
    kernel = loaded(tmp_path, HELD, wish(("w=37,wide=values:w,x=37*9",), "", ("9",)))
    assert kernel.inputs(kernel.problem, np.random.default_rng(0))["wide"].tolist() == [37]
    implementation = kernel.implementations[0]
    lanes = implementation.start.replace(**{"best.reduction-lanes": 8})
    program = implementation.plan(kernel.problem, lanes, None)
    assert judged(kernel, program) == ""
    late = program.source.replace("(int8)(0, 1, 2, 3, 4, 5, 6, 7)", "(int8)(1, 2, 3, 4, 5, 6, 7, 8)")
    assert judged(kernel, replace(program, source=late)) != "", "verification must catch it"


NEAREST = """__kernel void nearest(__global const float *x, __global const float *c, __global int *y, int n, int k) {
    int i = get_global_id(0);
    int at = -1;
    if (i < n) {
        float least = 1e30f;
        for (int j = 0; j < k; j++) {
            float far = x[i] > c[j] ? x[i] - c[j] : c[j] - x[i];
            if (far < least && far > 0.01f) {
                least = far;
                at = j;
            }
        }
        y[i] = at;
    }
}
"""


def test_a_branch_of_several_assignments_is_chosen_by_lanes_and_what_is_wrong_in_it_is_caught(tmp_path):
    kernel = loaded(tmp_path, NEAREST, wish(("n=53,k=9",)))
    implementation = kernel.implementations[0]
    config = implementation.start.replace(**{"nearest.outputs-per-item": "1x1x16"})
    program = implementation.plan(kernel.problem, config, None)
    assert judged(kernel, program) == ""
    assert "chosen" in program.source
    again = program.source.replace("(int16)(j), chosen", "(int16)(j), least > far")
    assert judged(kernel, replace(program, source=again)) != "", "verification must catch it"


@pytest.mark.parametrize(
    ("sizes", "entry", "told"),
    [
        (("n=9",), "rows", "--size part.x=N,part.y=N"),
        (("n=9,part=1",), "rows", "--size value=N,column=N,x=N"),
        (("n=9,part.x=9,part.y=2",), "rows", "name their elements"),
        (("n=9",), "shared", "--global shared=N --local shared=N"),
        ((), "", "or name one of its kernels: kernel.cl:rows (it has rows, total, shared)"),
        (("n=wide",), "total", "--build-option -DNAME=wide"),
    ],
)
def test_all_that_is_missing_is_named_at_once(sizes, entry, told, tmp_path):
    with pytest.raises(UsageError) as raised:
        loaded(tmp_path, SPARSE, wish(sizes), entry)
    assert told in " ".join(str(raised.value).split())


def test_the_parts_of_a_vector_are_sizes(tmp_path):
    kernel = loaded(tmp_path, SPARSE, wish(("n=40,part.x=n-3,part.y=2,value=64,column=64,x=64",)), "rows")
    program = kernel.implementations[0].plan(kernel.problem, kernel.implementations[0].start, None)
    assert program.launches[0].arguments[-1] == Raw(np.array([37, 2], np.int32).tobytes().hex())
    assert kernel.inputs(kernel.problem, np.random.default_rng(0))["y"].size == 36 * 2 + 1
    assert judged(kernel, program) == ""


def test_a_kernel_that_asks_for_no_place_is_launched_once_and_its_one_sum_may_round(tmp_path):
    kernel = loaded(tmp_path, SPARSE, wish(("n=65536",)), "total")
    program = kernel.implementations[0].plan(kernel.problem, kernel.implementations[0].start, None)
    assert program.launches[0].global_size == (1,)
    for one in (program, *(each.program for each in orders(program))):
        assert judged(kernel, one) == ""
    half = program.source.replace("i < n; i++", "i < n; i += 1 + (i == 7)")
    assert judged(kernel, replace(program, source=half)) != "", "an element that is left out is no rounding"


def test_a_text_whose_own_order_decides_says_so(tmp_path, capsys):
    (tmp_path / "kernel.cl").write_text(SPARSE.replace("last = get_local_id(0);", "last = get_global_id(0) / 8;"))
    with pytest.raises(SystemExit) as left:
        main(["check", f"{tmp_path}/kernel.cl:shared", "--size", "n=7", "--global", "64", "--local", "64"])
    assert left.value.code == 1
    assert "depend on the order of its work-items" in " ".join(capsys.readouterr().out.split())


THREES = """typedef float3 point;
__kernel void drift(__global const point *x, __global const float3 *v, __global point *y, const float dt, const int n) {
    int i = get_global_id(0);
    if (i < n) y[i] = x[i] + dt * v[i];
}
"""


def test_the_fourth_place_of_a_vector_of_three_is_anything_and_the_others_are_not(tmp_path):
    kernel = loaded(tmp_path, THREES, wish(("n=64",)))
    program = kernel.implementations[0].plan(kernel.problem, kernel.implementations[0].start, None)
    fourth = "vstore4((float4)(x[i] + dt * v[i], 77.0f), i, (__global float *)y);"
    assert judged(kernel, program) == ""
    assert judged(kernel, replace(program, source=program.source.replace("y[i] = x[i] + dt * v[i];", fourth))) == ""
    for wrong in ("1.001f * dt * v[i]", "dt * v[i].xzy", "dt * v[i ^ 1]"):
        assert judged(kernel, replace(program, source=program.source.replace("dt * v[i]", wrong))) != "", wrong
    assert not any("order" in one for one in kernel.remarks())


UNBOUND = """__attribute__((reqd_work_group_size(8, 4, 1)))
__kernel void product(__global const float *a, __global const float *b, __global float *c, __local float *row, int m, int n) {
    const int i = get_global_id(0), j = get_global_id(1);
    __global const float *own = a + i * n;
    row[get_local_id(0)] = 0.0f;
    float sum = 0.0f;
    for (int k = 0; k < n; k++) sum += own[k] * b[k * m + j];
    c[i * m + j] = sum;
}
"""


@pytest.mark.parametrize(("grid", "pinned"), [("96,80", True), ("m+16,m", False)])
def test_sizes_stay_where_plain_numbers_are_the_grid(tmp_path, grid, pinned):
    kernel = loaded(tmp_path, UNBOUND, wish(("m=80,n=70",), "", (grid,)))
    (launch,) = kernel.implementations[0].plan(kernel.problem, kernel.implementations[0].start, None).launches
    assert launch.local_size == (8, 4), "as its attribute says"
    assert launch.arguments[3] == Local(4 * 8), "as far as its text reaches"
    inputs = kernel.inputs(kernel.problem, np.random.default_rng(0))
    assert {name: value.size for name, value in inputs.items()} == {"a": 96 * 70, "b": 70 * 80, "c": 96 * 80}
    assert bool(kernel.awkward(kernel.problem)) is not pinned
    assert any("name them by sizes" in one for one in kernel.remarks()) is pinned


@pytest.mark.parametrize("body", ["y[i] = x[i] / (float)(n / 100);", "y[i % n] = x[i];"])
def test_sizes_that_do_not_go_with_what_was_named_are_left_out(body, tmp_path):
    text = f"kernel void f(global const float *x, global float *y, int n) {{ int i = get_global_id(0); {body} }}"
    kernel = loaded(tmp_path, text, wish(("n=4096,x=4096,y=4096",), "", ("4096",)))
    assert not kernel.awkward(kernel.problem)
    assert any("nothing finite" in remark for remark in kernel.remarks())


def test_groups_stay_where_the_text_asks_for_places_in_them(tmp_path):
    text = """kernel void rows(global const float *a, global const float *x, global float *y, int m, int n) {
    for (int i = 32 * get_group_id(0) + get_local_id(0); i < m; i += 32 * get_num_groups(0)) {
        float sum = 0.0f;
        for (int j = 0; j < n; j++) sum += a[i * n + j] * x[j];
        y[i] = sum;
    }
}
"""
    kernel = loaded(tmp_path, text, wish(("m=64,n=64,a=4096,x=64,y=64",), "", ("64",), ("32",)))
    config = kernel.implementations[0].start.replace(**{"rows.reduction-lanes": 16})
    program = kernel.implementations[0].plan(kernel.problem, config, None)
    assert program.launches[0].local_size == (32,)
    assert judged(kernel, program) == ""


def test_a_group_has_as_many_dimensions_as_its_launch(tmp_path):
    with pytest.raises(UsageError, match="16×16 work-items, and its launch has 1 dimension"):
        loaded(tmp_path, ROWS, wish(("n=30,m=40",), "", (), ("16,16",)))


ROWS = """// Rows times a vector.
__kernel void rows(__global const float *a, __global const float *x, __global float *y, const int n, const int m) {
    int i = get_global_id(0);
    if (i >= m) return;
    y[i] = 0;
    for (int j = 0; j < n; j++)
        y[i] += a[i * n + j] * x[j];
}
"""


def test_from_a_source_to_a_patch(tmp_path, capsys):
    source, store = tmp_path / "rows.cl", str(tmp_path / "store.db")
    source.write_text(ROWS)

    def run(*words: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as left:
            main([*words, "--store", store])
        return int(left.value.code or 0), capsys.readouterr().out

    for budget_s in ("8", "25", "90"):  # a busy machine may spend the first before there is a baseline
        code, out = run("optimize", str(source), "--size", "n=512,m=512", "--budget", budget_s, "--json", "--quiet")
        if code == 0:
            break
    assert code == 0, out
    listed = json.loads(run("history", "--json")[1])
    name = (listed if isinstance(listed, list) else listed["runs"])[0]["id"]
    patch = json.loads(run("apply", name, "--json")[1])
    assert patch["fits"]
    if patch["diff"]:  # a busy machine may confirm nothing
        assert patch["diff"].startswith("--- a/rows.cl\n+++ b/rows.cl\n")
        assert patch["launches"]
    assert run("apply", name, "--check")[0] == 0
    assert json.loads(run("apply", name, "--write", "--json")[1])["fits"]
    assert (source.read_text() != ROWS) == bool(patch["diff"]), "written, although the answer is JSON"
    source.write_text(ROWS + "// changed\n")
    assert run("apply", name, "--check")[0] == 1
    assert run("apply", name)[0] == 2


GRID = """__kernel void shift(__global const float *u, __global float *v, int n, int m) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x < n && y < m) v[y * n + x] = u[y * n + x] + 1.0f;
}
"""
SIZES = ("n=8,m=4",)


@pytest.mark.parametrize(
    ("named", "sentence"),
    [
        (wish(SIZES, globals_=("0",)), "--global shift=0 is 0; give a whole number of at least 1"),
        (wish(SIZES, globals_=("8,-4",)), "--global shift=-4 is -4"),
        (wish(SIZES, locals_=("0",)), "--local shift=0 is 0; give a whole number of at least 1"),
        (wish(SIZES, locals_=("-1",)), "--local shift=-1 is -1"),
        (wish(("n=8,m=4,u=-5",)), "--size u=-5 is -5; give a whole number of at least 1"),
        (wish(("n=8,m=4,u=0",)), "--size u=0 is 0; give a whole number of at least 1"),
        (wish(("n=8,m=4,q=4",)), "unknown size for kernel.cl 'q'; known: m, n, u, v"),
        (wish(("n=8,m=4,shft.n=4",)), "unknown size for kernel.cl 'shft.n'"),
        (wish(("n=0,m=4",)), "no launch has a work-item with n=0; name sizes of at least 1"),
        (wish(("n=8,m=-2",)), "no launch has a work-item with m=-2; name sizes of at least 1"),
        (wish(("n=8.5,m=4",)), "--size n=8.5 is no int, which n of kernel.cl is: give a whole number from -2147483648"),
        (wish(("n=8,m=4294967296",)), "--size m=4294967296 is no int"),
        (wish(SIZES, locals_=("other=4",)), "unknown kernel among the launches of kernel.cl 'other'; known: shift"),
        (wish(SIZES, globals_=("other=4",)), "unknown kernel among the launches of kernel.cl 'other'; known: shift"),
        (wish(("n=8,m=4,u=9999999999999",)), "the arrays of kernel.cl at these sizes do not fit in memory"),
    ],
)
def test_work_items_and_sizes_that_cannot_be_are_refused_in_a_sentence(named, sentence, tmp_path):
    with pytest.raises(UsageError, match=re.escape(sentence)):
        loaded(tmp_path, GRID, named)


def test_a_grid_of_fewer_dimensions_than_the_text_has_is_one_item_wide_in_the_others(tmp_path):
    kernel = loaded(tmp_path, GRID, wish(("n=8,m=4",), globals_=("8",)))
    inputs = kernel.inputs(kernel.problem, np.random.default_rng(3))
    assert len(expect(kernel, kernel.problem, inputs).outputs["v"]) == 8  # the first row of four


def test_names_that_only_expressions_kernels_and_macros_have_are_no_mistakes(tmp_path):
    named = wish(("N=8,n=N,m=R,shift.m=2,R=4", "W=3"), globals_=("n*W,m",), options=("-DLEFT=W",))
    assert loaded(tmp_path, GRID, named).problem.sizes["W"] == 3


@pytest.mark.parametrize(
    ("bound", "sizes", "items"),
    [("1u << logn", "logn=7", 128), ("(logn + 1) / 2", "logn=7", 4), ("min(logn, 5u) % 3", "logn=7", 2), ("1024 >> logn", "logn=3", 128)],
)  # fmt: skip
def test_bounds_that_the_text_computes_of_what_was_named_are_the_grid(bound, sizes, items, tmp_path):
    text = f"""__kernel void halve(__global float *x, const uint logn) {{
        const uint count = {bound};
        const uint i = get_global_id(0);
        if (i < count) x[i] = 0.5f * x[i];
    }}"""
    kernel = loaded(tmp_path, text, wish((sizes,)))
    program = kernel.implementations[0].plan(kernel.problem, kernel.implementations[0].start, None)
    assert program.launches[0].global_size == (items,)
    assert judged(kernel, program) == ""


@pytest.mark.parametrize("verb", ["optimize", "tune"])
def test_a_chip_without_its_target_is_refused(verb, capsys):
    with pytest.raises(SystemExit) as ended:
        main([verb, "gemm", "--chip", "MI300A", "--budget", "1"])
    assert ended.value.code == 2
    assert "--chip MI300A says which chip of a --target is meant; give --target NAME too" in capsys.readouterr().err


def test_what_a_launch_does_not_reach_is_no_work_of_it(tmp_path):
    text = "__kernel void part(__global const float *x, __global float2 *y, int n) { int i = get_global_id(0); if (i < n) y[i] = x[2 * i]; }"
    kernel = loaded(tmp_path, text, Wish(sizes={"n": "4", "x": "1000", "y": "1000"}))
    assert kernel.work(kernel.problem).bytes == 7 * 4 + 2 * 4 * 8


EXPECTED = {
    "vectors in a loop": ("float4", "float4 s = 0.0f; for (int k = 0; k < 9; k++) s += x[j * n + i + k]; y[j * n + i] = s;", {(0.04, 1.1)}),
    "vectors once": ("float4", "y[j * n + i] = 2.0f * x[j * n + i];", {(0.9, 5.0)}),
    "apart": ("float", "y[j * n + i] = x[3 * (j * n + i)] + x[3 * (j * n + i) + 1];", {(0.03, 1.3)}),
    "gathered in a loop": ("float", "float s = 0; for (int k = 0; k < m; k++) s += x[(j * n + i) * m + k]; y[j * n + i] = s;", {(0.2, 1.5), (1.0, 12.0)}),
    "across": ("float", "y[i * m + j] = x[j * n + i];", {(1.0, 8.0), (0.03, 1.3)}),
    "side by side": ("float", "y[j * n + i] = 2.0f * x[j * n + i];", {(0.7, 1.5), (0.3, 1.1)}),
}  # fmt: skip


@pytest.mark.parametrize(("kind", "body", "expected"), EXPECTED.values(), ids=EXPECTED)
def test_what_blocks_are_expected_to_bring_follows_from_the_text(kind, body, expected, tmp_path):
    text = (
        f"kernel void f(global {kind} *y, global const {kind} *x, int n, int m) {{\n"
        "    int i = get_global_id(0), j = get_global_id(1);\n"
        f"    if (i < n && j < m) {{\n        {body}\n    }}\n}}\n"
    )
    kernel = loaded(tmp_path, text, wish(("n=40,m=30",)))
    found = kernel.implementations[0]
    offers = found.offers(kernel.problem, found.start, bare._engine(LIMIT_S).select(""))
    gains = {(one.gain.low, one.gain.high) for one in offers if one.rule == "outputs-per-item"}
    assert gains == expected
