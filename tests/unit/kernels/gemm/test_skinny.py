"""The skinny implementation: its space, what the source is told of the long and the short operand, and who holds which output."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hotloop.app.run import seeds
from hotloop.kernels.gemm import KERNEL
from hotloop.kernels.gemm.pipelined.rows import TARGET
from hotloop.kernels.gemm.problem import DEFAULT, gemm
from hotloop.kernels.gemm.shared.geometry import text
from hotloop.kernels.gemm.skinny import SKINNY
from hotloop.kernels.gemm.skinny.plan import plan, shape, traits
from hotloop.kernels.gemm.skinny.rows import H200, TABLES
from hotloop.kernels.gemm.skinny.sides import Sides
from hotloop.kernels.gemm.skinny.space import PARAMETERS, SPACE, START, simplicity
from hotloop.metrics.vocabulary import BY_NAME
from hotloop.model.program import Array, Value
from hotloop.registry import load_all

FAST = START.replace(ODIM=4, KDIM=32, OWI=2, VW=4, KUNROLL=8)
COLUMN = DEFAULT.replace(m=1000, n=1, k=512)
"""Rows of the long operand lie along k: strips of 8 rows, 128 steps at once."""
ROW = DEFAULT.replace(m=1, n=1000, k=512)
"""They lie across it: strips of 32 columns, 32 steps at once."""


@pytest.fixture
def gpu(device):
    return replace(
        device, kind="gpu", runtime_key="nvidia", target=TARGET, local_mem_bytes=48 << 10, max_workgroup=1024,
        compute_units=132,
    )  # fmt: skip


# --- the space -------------------------------------------------------------------------------------------------------


def test_start_is_valid_and_every_parameter_belongs_to_a_known_technique():
    known = {technique.name for technique in load_all("hotloop.techniques.methods", "TECHNIQUE")}
    assert SPACE.violation(START) is None
    assert {parameter.technique for parameter in PARAMETERS} <= known


def test_every_parameter_reaches_the_source(gpu):
    config = START.replace(ODIM=2, KDIM=64, OWI=4, FEW=8, VW=1, KUNROLL=4, SPLIT=2, ARRIVE=1)
    program = plan(COLUMN, config, gpu)
    assert SPACE.violation(config) is None
    for parameter in PARAMETERS:
        assert f"-D{parameter.name}={config[parameter.name]}" in program.options
        assert re.search(rf"^[^/]*\b{parameter.name}\b", text("skinny/skinny"), re.MULTILINE)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"ODIM": 64}, "ODIM·KDIM is at most 1024 work-items"),
        ({"ODIM": 1, "OWI": 4, "FEW": 4, "VW": 16}, "OWI·(FEW + KUNROLL)·VW is at most 256 elements"),
        ({"OWI": 2, "VW": 8, "KUNROLL": 16}, "at most 256 elements"),
        ({"ODIM": 32, "FEW": 2, "VW": 8}, "ODIM·KDIM·OWI·FEW·VW is at most 8192 sums of a group"),
        ({"ARRIVE": 1}, "ARRIVE needs SPLIT"),
    ],
)
def test_constraints_say_what_is_wrong(change, text):
    assert text in (SPACE.violation(START.replace(**change)) or "")


def test_the_largest_that_is_allowed_is_allowed():
    registers = {"ODIM": 1, "FEW": 8, "KUNROLL": 8, "VW": 16}
    for change in ({"ODIM": 32}, registers, {"ODIM": 32, "VW": 8}, {"ARRIVE": 1, "SPLIT": 2}):
        assert SPACE.violation(START.replace(**change)) is None


def test_the_dot_product_is_the_simplest():
    assert simplicity(START) == 0
    assert simplicity(START.replace(ODIM=1, KDIM=256)) == 0
    assert simplicity(FAST) == 3
    assert simplicity(FAST.replace(SPLIT=8)) == 4 < simplicity(FAST.replace(SPLIT=8, ARRIVE=1)) == 5


@pytest.mark.parametrize("row", [*itertools.chain(*TABLES.values())], ids=lambda row: "x".join(map(str, row.shape)))
def test_a_path_of_single_techniques_leads_to_what_won(row):
    config = START
    for technique in dict.fromkeys(parameter.technique for parameter in PARAMETERS):
        names = [parameter.name for parameter in PARAMETERS if parameter.technique == technique]
        config = config.replace(**{name: row.config[name] for name in names})
        assert SPACE.violation(config) is None
    assert config == row.config


@pytest.mark.parametrize("row", H200, ids=lambda row: "x".join(map(str, row.shape)))
def test_what_won_on_a_card_is_shipped_for_it_and_fits_it(gpu, row):
    m, n, k = row.shape
    problem = DEFAULT.replace(m=m, n=n, k=k, op=row.op)
    presets = [p for p in KERNEL.presets if (p.implementation, p.target) == (SKINNY.name, TARGET)]
    assert [p.config for p in presets if p.sizes == problem.sizes] == [row.config]
    (main,) = plan(problem, row.config, gpu).launches  # slices are added by the group that arrives last
    assert main.groups == shape(gemm(problem), row.config).groups * row.config.integer("SPLIT")
    assert Sides.of(gemm(problem)).along_k == row.along_k
    assert seeds.pick(KERNEL, problem, SKINNY, gpu, ())[0] == row.config


# --- the long and the short operand ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "long", "along_k", "short_along_k"),
    [
        ({"m": 90, "n": 2}, "a", True, False),
        ({"m": 90, "n": 2, "op": "nt"}, "a", True, True),
        ({"m": 90, "n": 2, "op": "tn"}, "a", False, False),
        ({"m": 90, "n": 2, "op": "tt"}, "a", False, True),
        ({"m": 2, "n": 90}, "b", False, True),
        ({"m": 2, "n": 90, "op": "nt"}, "b", True, True),
        ({"m": 2, "n": 90, "op": "tn"}, "b", False, False),
        ({"m": 2, "n": 90, "op": "tt"}, "b", True, False),
        ({"m": 90, "n": 2, "layout": "col"}, "a", False, True),
        ({"m": 90, "n": 2, "layout": "col", "op": "tt"}, "a", True, False),
        ({"m": 2, "n": 90, "layout": "col"}, "b", True, False),
        ({"m": 2, "n": 90, "layout": "col", "op": "tn"}, "b", True, True),
        ({"m": 2, "n": 90, "layout": "col", "op": "nt"}, "b", False, False),
        ({"m": 50, "n": 50}, "a", True, False),
        ({"m": 50, "n": 50, "layout": "col"}, "b", True, False),
    ],
    ids=str,
)
def test_the_longer_operand_is_the_long_one_and_the_flags_say_how_both_lie(gpu, change, long, along_k, short_along_k):
    """By the user's names of the operands: column-major ones change places."""
    problem = DEFAULT.replace(k=64, **change)
    form = gemm(problem)
    sides = Sides.of(form)
    assert (sides.matrix.name, sides.along_k, sides.short_along_k) == (long, along_k, short_along_k)
    assert sides.short.name == "ab".replace(long, "")
    assert (sides.outputs, sides.few) == (max(form.m, form.n), min(form.m, form.n))
    assert sides.matrix is (form.a if sides.long_a else form.b)
    told = {f"-DLONG_A={sides.long_a:d}", f"-DALONG_K={along_k:d}", f"-DSHORT_ALONG_K={short_along_k:d}"}
    assert told <= set(plan(problem, START, gpu).options)


def test_a_contiguous_single_column_or_row_lies_along_k_whatever_its_flag_says():
    for change in ({"m": 90, "n": 1}, {"m": 1, "n": 90, "op": "tn"}, {"m": 1, "n": 90, "layout": "col"}):
        assert Sides.of(gemm(DEFAULT.replace(k=64, **change))).short_along_k
    for change in ({"m": 90, "n": 1, "ldb": 4}, {"m": 1, "n": 90, "op": "tn", "lda": 2}):
        assert not Sides.of(gemm(DEFAULT.replace(k=64, **change))).short_along_k


def test_a_dot_product_lies_along_k_and_is_aligned_whatever_its_rows_would_be():
    for op in ("nn", "tn", "nt", "tt"):
        sides = Sides.of(gemm(DEFAULT.replace(m=1, n=1, k=64, op=op)))
        assert (sides.along_k, sides.short_along_k) == (True, True)
    odd = Sides.of(gemm(DEFAULT.replace(m=1, n=1, k=64, lda=65)))
    assert (odd.aligned(4), odd.along_k) == (True, True)
    assert not Sides.of(gemm(DEFAULT.replace(m=1, n=1, k=64, offset_a=2))).aligned(4)
    assert not Sides.of(gemm(DEFAULT.replace(m=1, n=1, k=64, op="tn", lda=2))).along_k


def told(gpu, name, problem, config=FAST):
    options = plan(problem, config, gpu).options
    (value,) = (option.partition("=")[2] for option in options if option.startswith(f"-D{name}="))
    return int(value)


def test_vectors_of_the_long_operand_are_read_where_all_its_rows_begin_at_one(gpu):
    for problem, ld, offset in ((COLUMN, "lda", "offset_a"), (ROW, "ldb", "offset_b")):
        assert told(gpu, "ALIGNED", problem) == 1
        for change in ({ld: 1003}, {offset: 2}, {ld: 1004, offset: 7}):
            assert told(gpu, "ALIGNED", problem.replace(**change)) == 0
        assert told(gpu, "ALIGNED", problem.replace(**{ld: 1004, offset: 8})) == 1
        assert told(gpu, "ALIGNED", problem.replace(**{ld: 1003}), FAST.replace(VW=1)) == 1
    assert told(gpu, "ALIGNED", COLUMN.replace(k=511)) == 0
    assert told(gpu, "ALIGNED", ROW.replace(k=511)) == 1
    assert told(gpu, "ALIGNED", COLUMN.replace(offset_b=3)) == 1  # of the short one


def test_the_source_knows_whether_a_vector_of_outputs_is_cut(gpu):
    assert [told(gpu, "CUT", ROW.replace(n=n)) for n in (1000, 1001, 1002)] == [0, 1, 1]
    assert told(gpu, "CUT", ROW.replace(n=1002), FAST.replace(VW=2)) == 0


@pytest.mark.parametrize(
    ("change", "wide"),
    [
        ({"n": 1}, 1),  # a contiguous column
        ({"n": 1, "offset_b": 4}, 1),
        ({"n": 1, "offset_b": 2}, 0),
        ({"n": 1, "ldb": 4}, 0),
        ({"n": 1, "op": "nt", "ldb": 515}, 1),  # of a single row the distance to the next is nobody's
        ({"n": 2}, 0),
        ({"n": 2, "op": "nt"}, 1),
        ({"n": 2, "op": "nt", "ldb": 515}, 0),
        ({"n": 2, "op": "nt", "offset_b": 6}, 0),
        ({"n": 2, "op": "nt", "lda": 515, "offset_a": 3}, 1),  # of the long one
    ],
    ids=str,
)
def test_the_short_operand_is_read_in_vectors_where_each_row_begins_at_one_and_lies_along_k(gpu, change, wide):
    assert told(gpu, "SHORT_WIDE", COLUMN.replace(**change)) == wide


# --- launches --------------------------------------------------------------------------------------------------------


def test_groups_strips_and_local_memory():
    along, across = (shape(gemm(p.replace(k=64)), FAST.replace(FEW=2)) for p in (COLUMN, ROW))
    assert (along.tile_m, along.tile_n, along.tiles_m, along.tiles_n, along.groups) == (8, 2, 125, 1, 125)
    assert (across.tile_m, across.tile_n, across.tiles_m, across.tiles_n, across.groups) == (2, 32, 1, 32, 32)
    assert (along.stage_k, across.stage_k) == (128, 32)
    assert (along.local_bytes, across.local_bytes) == (128 * 2 * 2 * 4, 128 * 2 * 2 * 4 * 4)
    halves, doubles = (shape(gemm(ROW.replace(dtype=d)), FAST.replace(FEW=2)) for d in ("float16", "float64"))
    assert (halves.local_bytes, doubles.local_bytes) == (across.local_bytes, 2 * across.local_bytes)
    assert shape(gemm(COLUMN.replace(n=5)), FAST.replace(FEW=2)).groups == 125 * 3
    arriving = shape(gemm(COLUMN.replace(k=64)), FAST.replace(FEW=2, SPLIT=2, ARRIVE=1))
    assert arriving.local_bytes == along.local_bytes + 4  # how many arrived before


def test_one_launch_without_scratch_where_k_is_whole(gpu):
    program = plan(COLUMN, FAST, gpu)
    (main,) = program.launches
    assert (main.entry, main.global_size, main.local_size) == ("gemm", (125 * 128, 1), (128, 1))
    assert program.scratch == ()
    assert [x.value for x in main.arguments[:5] if isinstance(x, Value)] == [1000, 1, 512, 1.0, 0.0]
    assert [x.name for x in main.arguments if isinstance(x, Array)] == ["a", "b", "c", "c", "c"]


@pytest.mark.parametrize(("key", "options"), [("nvidia", {"-DPTX=1"}), ("intel", {"-DPTX=0", "-cl-std=CL2.0"})])
def test_whoever_arrives_last_adds_in_the_same_launch(gpu, key, options):
    program = plan(COLUMN, FAST.replace(SPLIT=6, ARRIVE=1), replace(gpu, runtime_key=key))
    (main,) = program.launches
    assert (main.global_size, main.local_size) == ((125 * 128, 6), (128, 1))
    assert [(s.name, s.scratch_bytes) for s in program.scratch] == [("work", 6 * 1000 * 4)]
    assert [x.name for x in main.arguments if isinstance(x, Array)] == ["a", "b", "c", "c", "work"]
    assert {"-DARRIVE=1", "-DSPLIT=2", *options} <= set(program.options)


@pytest.mark.parametrize(
    ("key", "target", "change"),
    [
        ("amd", "gfx942", {}),
        ("pocl", "", {}),
        ("nvidia", "sm_75", {}),
        ("nvidia", TARGET, {"dtype": "float64"}),
        ("nvidia", TARGET, {"m": 8 * 4096 + 1}),
    ],
)
def test_elsewhere_and_of_too_many_strips_a_second_launch_adds(gpu, key, target, change):
    device, problem = replace(gpu, runtime_key=key, target=target), COLUMN.replace(**change)
    program = plan(problem, FAST.replace(SPLIT=6, ARRIVE=1), device)
    main, finish = program.launches
    assert program == plan(problem, FAST.replace(SPLIT=6), device)
    assert program.main is main
    assert (finish.entry, finish.phase, finish.global_size) == ("add_slices", "add", (1, problem.integer("m")))
    assert "-DARRIVE=0" in program.options
    (across,) = plan(ROW.replace(n=1001), FAST.replace(SPLIT=6), device).launches[1:]
    assert across.global_size == (251, 1)  # a vector of 4 for each item


def test_a_bias_is_an_array_of_its_own_in_both_launches(gpu):
    problem = COLUMN.replace(epilogue="bias")
    for launch in plan(problem, FAST.replace(SPLIT=2), gpu).launches:
        assert "bias" in {x.name for x in launch.arguments if isinstance(x, Array)}


def test_one_build_serves_every_number_of_slices(gpu):
    for arrive in (0, 1):
        few, many = (plan(COLUMN, FAST.replace(SPLIT=split, ARRIVE=arrive), gpu) for split in (3, 64))
        assert few.build_key == many.build_key != plan(COLUMN, FAST, gpu).build_key
        assert [program.launches[0].global_size[1] for program in (few, many)] == [3, 64]


def test_nothing_is_launched_for_an_empty_problem(gpu):
    for change in ({"m": 0}, {"n": 0}):
        program = plan(COLUMN.replace(**change), FAST.replace(SPLIT=4, ARRIVE=1), gpu)
        assert (program.launches, program.scratch) == ((), ())
    assert plan(COLUMN.replace(k=0, beta=2.0), FAST, gpu).launches


def test_the_device_can_refuse(gpu):
    with pytest.raises(ValueError, match="256 work-items per group exceed the device's 128"):
        plan(COLUMN, START, replace(gpu, max_workgroup=128))
    with pytest.raises(ValueError, match="1024 B of local memory exceed the device's 1000 B"):
        plan(COLUMN, START, replace(gpu, local_mem_bytes=1000))
    with pytest.raises(ValueError, match="no float64"):
        plan(COLUMN.replace(dtype="float64"), START, replace(gpu, fp64=False))
    with pytest.raises(ValueError, match="no float16"):
        plan(COLUMN.replace(dtype="float16"), START, replace(gpu, fp16=False))
    with pytest.raises(ValueError, match="OpenCL C has no bfloat16"):
        plan(COLUMN.replace(dtype="bfloat16"), START, gpu)
    with pytest.raises(ValueError, match="32-bit indices"):
        plan(COLUMN.replace(m=2**31), START, gpu)


def test_the_source_holds_the_shared_parts_and_nothing_of_the_tiles(gpu):
    source = plan(COLUMN, FAST, gpu).source
    assert "void store_edge(" in source
    assert source.count("__kernel") == 2  # the second is for slices only
    assert "BUFFERS" not in source


def test_traits_use_the_vocabulary(gpu):
    along, across = (traits(p, FAST.replace(FEW=2), gpu) for p in (COLUMN, ROW))
    assert set(along) == set(across) <= set(BY_NAME)
    assert (along["config.local_bytes"], across["config.local_bytes"]) == (2048, 8192)
    assert along["config.barriers"] == 6  # five for the halves of 32 items along k, and one before the outputs
    assert traits(COLUMN, FAST.replace(SPLIT=4, ARRIVE=1), gpu)["config.barriers"] == 8
    assert (along["config.contiguous_bytes"], along["config.stride_bytes"]) == (16, 32 * 16)
    assert across["config.stride_bytes"] == 32 * 1000 * 4
    assert traits(COLUMN.replace(dtype="float64"), FAST, gpu)["config.contiguous_bytes"] == 32
    assert traits(COLUMN.replace(m=0), FAST, gpu) == {}
    assert SKINNY.traits is traits


# --- the numbering of outputs and of steps of k ----------------------------------------------------------------------


def numbering(**names):
    """Return the functions of q that skinny.cl defines, of its own text: its integers are Python's, but for the signs."""
    for name, body in re.findall(r"^#define (\w+)\(q\) (.+)$", text("skinny/skinny"), re.MULTILINE):
        python = re.sub(r"\((\w+) \? (\w+) : (\w+)\)", r"(\2 if \1 else \3)", body)
        for old, new in (("(size_t)", ""), ("/", "//"), ("&&", "and")):
            python = python.replace(old, new)
        names[name] = eval(f"lambda q: {python}", names)
    return names


WHOLE = st.sampled_from((1, 2, 4, 8))


@given(
    odim=WHOLE, kdim=WHOLE, owi=st.sampled_from((1, 2, 4)), few=st.sampled_from((1, 2, 4)), vw=st.sampled_from((1, 2, 4, 16)),
    along_k=st.booleans(), long_a=st.booleans(), outputs=st.integers(1, 70), rows=st.integers(1, 9),
)  # fmt: skip
def test_every_output_is_stored_once_from_the_sum_that_belongs_to_it(
    odim, kdim, owi, few, vw, along_k, long_a, outputs, rows
):
    """What items leave in local memory is told again here; where an output is read from and goes is the source's own text."""
    lanes = 1 if along_k else vw
    strip, items, strips_f = odim * owi * lanes, odim * kdim, -(-rows // few)
    sums = {}
    for item, i, f, v in itertools.product(range(items), range(owi), range(few), range(lanes)):
        in_k, in_o = (item % kdim, item // kdim) if along_k else (item // odim, item % odim)
        sums[((i * few + f) * lanes + v) * items + item] = {((i * odim + in_o) * lanes + v, f): {in_k}}
    neighbour, half = (1 if along_k else odim), kdim // 2
    while half:
        for v, item in itertools.product(range(owi * few * lanes), range(items)):
            in_k = item % kdim if along_k else item // odim
            if in_k < half:
                ((mine, have),) = sums[v * items + item].items()
                ((theirs, more),) = sums[v * items + item + half * neighbour].items()
                assert mine == theirs
                assert not have & more
                have |= more
        half //= 2
    stored = Counter()
    for group in range(-(-outputs // strip) * strips_f):
        first_o, first_f = group // strips_f * strip, group % strips_f * few
        place_of = (lambda o, f: o, lambda o, f: f)
        q_of = numbering(
            STRIP=strip, LANES=lanes, ODIM=odim, KDIM=kdim, FEW=few, ALL_ITEMS=items, ALONG_K=along_k,
            first_o=first_o, first_f=first_f, EXTENT_O=outputs, EXTENT_F=rows, N=rows if long_a else outputs,
            M_OF=place_of[not long_a], N_OF=place_of[long_a],
        )  # fmt: skip
        for q in range(strip * few):
            o, f = q_of["O_OF"](q), q_of["F_OF"](q)
            assert sums[q_of["SUM_AT"](q)] == {(o - first_o, f - first_f): set(range(kdim))}
            if q_of["PRESENT"](q):
                assert q_of["PLACE"](q) == (o * rows + f if long_a else f * outputs + o)
                stored[o, f] += 1
    assert stored == Counter(itertools.product(range(outputs), range(rows)))


@given(
    k=st.integers(0, 700), kdim=WHOLE, vw=st.sampled_from((1, 2, 4, 16)), unroll=st.sampled_from((1, 2, 4)),
    slices=st.sampled_from((1, 2, 3, 24)), along_k=st.booleans(),
)  # fmt: skip
def test_every_step_of_k_is_taken_once(k, kdim, vw, unroll, slices, along_k):
    """Shares of the slices, whole rounds of an item, what is left of them, and the part of a vector at the end: as in skinny.cl."""
    needed = vw if along_k else 1
    steps = kdim * needed
    share = (-(-k // steps) + slices - 1) // slices * steps
    taken = Counter()
    for slice_, in_k in itertools.product(range(slices), range(kdim)):
        first = min(slice_ * share, k)
        last = min(first + share, k)
        at = first + in_k * needed
        while at + (unroll - 1) * steps + needed <= last:
            taken.update(x for u in range(unroll) for x in range(at + u * steps, at + u * steps + needed))
            at += unroll * steps
        while at + needed <= last:  # the guarded round, at most: unroll - 1 of these
            taken.update(range(at, at + needed))
            at += steps
        taken.update(range(at, last))
        assert needed > 1 or at >= last
    assert taken == Counter(range(k))
