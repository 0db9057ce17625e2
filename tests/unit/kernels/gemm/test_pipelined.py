from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hotloop.app.run import seeds
from hotloop.kernels.gemm import KERNEL
from hotloop.kernels.gemm.opencl.plan import source
from hotloop.kernels.gemm.pipelined import PIPELINED
from hotloop.kernels.gemm.pipelined.plan import plan, traits
from hotloop.kernels.gemm.pipelined.space import PARAMETERS, SPACE, START, simplicity
from hotloop.kernels.gemm.problem import DEFAULT
from hotloop.kernels.gemm.shared.geometry import text
from hotloop.kernels.gemm.shared.slices import MOST_TILES
from hotloop.metrics.vocabulary import BY_NAME
from hotloop.model.program import Array, Value
from hotloop.registry import load_all

FAST = START.replace(MWI=8, NWI=8, KUNROLL=16, WIDE=4, BUFFERS=2, SWZ=4, RASTER=8)


@pytest.fixture
def gpu(device):
    return replace(device, kind="gpu", runtime_key="nvidia", target="", local_mem_bytes=48 << 10, max_workgroup=1024)


def test_what_won_on_a_card_is_shipped_for_its_target_and_fits_it(gpu):
    shipped = [preset for preset in KERNEL.presets if preset.implementation == PIPELINED.name]
    squares = [p.sizes["n"] for p in shipped if p.sizes["n"] == p.sizes["m"] == p.sizes["k"]]
    assert squares == [256, 512, 1001, 1024, 1500, 2048, 4096, 8192]
    card = replace(gpu, target="sm_90")
    for preset in shipped:
        assert SPACE.violation(preset.config) is None
        assert plan(DEFAULT.replace(m=64, n=64, k=64), preset.config, card).launches
    picked = seeds.pick(KERNEL, DEFAULT.replace(m=2048, n=2048, k=2048), PIPELINED, card, ())
    assert picked[0] == next(preset.config for preset in shipped if preset.sizes["n"] == 2048)


def test_start_is_valid_and_every_parameter_belongs_to_a_known_technique():
    known = {technique.name for technique in load_all("hotloop.techniques.methods", "TECHNIQUE")}
    assert SPACE.violation(START) is None
    assert {parameter.technique for parameter in PARAMETERS} <= known


def test_every_parameter_reaches_the_source(gpu):
    program = plan(DEFAULT, START, gpu)
    for parameter in PARAMETERS:
        if parameter.name != "REGISTERS":
            assert f"-D{parameter.name}={START[parameter.name]}" in program.options
            assert parameter.name in program.source
    limited = plan(DEFAULT, START.replace(REGISTERS=128), gpu).options
    assert {"-cl-nv-maxrregcount=128", "-DLIMITED=1"} <= set(limited)
    assert "-DLIMITED=0" in plan(DEFAULT, START, gpu).options


def test_a_limit_of_registers_leaves_the_group_size_unsaid():
    """NVIDIA's assembler ignores maxrregcount for a kernel whose group size it knows (.reqntid)."""
    for name in ("pipelined", "scheduled"):
        assert "reqd_work_group_size" not in text(f"{name}/{name}")
        assert "__kernel GROUP_OF(" in text(f"{name}/{name}")
    before, after = text("shared/stage").split("#define GROUP_OF(x, y)\n")
    assert before.endswith("#if LIMITED\n")
    assert after.startswith("#else\n#define GROUP_OF(x, y) __attribute__((reqd_work_group_size(x, y, 1)))")


@pytest.mark.parametrize(
    ("target", "change", "copies"),
    [("sm_90", {}, 1), ("", {}, 1), ("sm_75", {}, 0), ("sm_90", {"dtype": "float64"}, 0)],
)
def test_copies_past_the_registers_need_a_processor_and_a_type_that_have_them(gpu, target, change, copies):
    config = FAST.replace(BUFFERS=1, COPY=2, KWG=8, KUNROLL=8, SWZ=2)
    options = plan(DEFAULT.replace(**change), config, replace(gpu, target=target)).options
    assert f"-DPTX={copies}" in options
    assert "-DPTX=0" in plan(DEFAULT, config, replace(gpu, runtime_key="pocl")).options


COPIED = [
    (items, width, kwg)
    for items, kwg in ((32, 8), (64, 16), (128, 8), (256, 16), (256, 32))
    for width in (16, 32, 128, 256)
    if width * kwg % (4 * items) == 0
]
"""Items of a group, side and steps of a tile of which each item has whole vectors."""


@pytest.mark.parametrize(("items", "width", "kwg"), COPIED)
def test_items_copy_every_element_of_a_transposed_tile_once(items, width, kwg):
    """The index arithmetic of PIECE_ROW, MORE_ROWS and their like in pipelined.cl."""
    rows = min(items // 4, width)
    steps = items // rows
    parts = kwg // steps
    found = [
        (item // 4 % rows + q // parts * rows, item // 4 // rows * 4 + item % 4 + q % parts * steps)
        for item in range(items)
        for q in range(width * kwg // items)
    ]
    assert sorted(found) == list(itertools.product(range(width), range(kwg)))


@pytest.mark.parametrize("weave", [0, 1])
def test_items_that_run_together_form_a_block_and_weaving_halves_the_turns_of_half_a_wave(weave):
    """The index arithmetic of WEAVE: 16 byte reads take a turn per quarter wave, or per half where neighbours read the same."""
    lanes = np.arange(32)
    n, m = (lanes // 2 % 8, lanes // 16 * 2 + lanes % 2) if weave else (lanes % 8, lanes // 8)
    assert sorted(zip(m.tolist(), n.tolist(), strict=True)) == list(itertools.product(range(4), range(8)))
    paired = [all(x[lanes] == x[lanes ^ 1]) or all(x[lanes] == x[lanes ^ 2]) for x in (m, n)]
    assert paired == [True, bool(weave)]


def test_addresses_of_one_item_are_whole_rows_apart():
    """What AHEAD in stage.cl relies on: the vectors of a row divide the items of a group."""
    rng = np.random.default_rng(5)
    for _ in range(300):
        config = START.replace(**{p.name: int(rng.choice(p.values)) for p in PARAMETERS[:5]})
        mdim, ndim, mwi, nwi, kwg = (config.integer(p.name) for p in PARAMETERS[:5])
        assert all(mdim * ndim % vectors == 0 for vectors in (kwg // 4, mdim * mwi // 4, ndim * nwi // 4))


def test_the_register_limit_is_nvidias_word(gpu):
    other = replace(gpu, runtime_key="amd")
    assert plan(DEFAULT, START.replace(REGISTERS=128), other).options == plan(DEFAULT, START, other).options


def test_a_path_of_single_techniques_leads_to_the_fast_configuration():
    rungs = (
        START,
        START.replace(MWI=8, NWI=8),
        START.replace(MWI=8, NWI=8, WIDE=4),
        START.replace(MWI=8, NWI=8, WIDE=4, BUFFERS=2),
        START.replace(MWI=8, NWI=8, WIDE=4, BUFFERS=2, KUNROLL=16),
        START.replace(MWI=8, NWI=8, WIDE=4, BUFFERS=2, KUNROLL=16, SWZ=4),
        FAST,
        FAST.replace(HOIST=1),
        FAST.replace(HOIST=1, EARLY=1),
        FAST.replace(HOIST=1, EARLY=1, WEAVE=1),
    )
    for before, after in itertools.pairwise(rungs):
        assert SPACE.violation(after) is None
        assert len({SPACE[name].technique for name in before.changes_to(after)}) == 1
    assert simplicity(START) == 0 < simplicity(FAST)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"MWI": 16, "NWI": 16}, "at most 128 sums"),
        ({"NDIM": 32, "MWI": 4, "KWG": 16}, "whole vectors"),
        ({"KUNROLL": 32}, "KUNROLL is at most KWG"),
        ({"SLICES": 4}, "SLICES leaves every item whole vectors"),
        ({"MWI": 16, "NWI": 8, "SLICES": 2, "KUNROLL": 16}, "SLICES leaves every item whole vectors"),
        ({"EARLY": 1}, "EARLY needs HOIST"),
        ({"ARRIVE": 1}, "ARRIVE needs SPLIT"),
        ({"MWI": 4, "MDIM": 4, "KWG": 64, "SWZ": 8}, "divides both sides"),
        ({"NDIM": 4, "WEAVE": 1}, "WEAVE needs NDIM of at least 8"),
        ({"COPY": 2, "BUFFERS": 2}, "COPY has its own buffers"),
        ({"COPY": 3, "HOIST": 1}, "COPY has its own buffers"),
        ({"MDIM": 4, "NDIM": 4, "MWI": 4, "NWI": 4, "SWZ": 4}, "divides both sides"),
    ],
)
def test_constraints_say_what_is_wrong(change, text):
    assert text in (SPACE.violation(START.replace(**change)) or "")


def test_slices_are_added_by_a_second_launch(gpu):
    program = plan(DEFAULT.replace(m=100, n=70, k=64), FAST.replace(SPLIT=4), gpu)
    main, finish = program.launches
    assert (main.entry, main.global_size, main.local_size) == ("gemm", (1 * 16, 16 * 4), (16, 16))
    assert (finish.entry, finish.phase, finish.global_size) == ("add_slices", "add", (18, 100))
    assert [(s.name, s.scratch_bytes) for s in program.scratch] == [("work", 4 * 4 * 100 * 70)]
    assert program.main is main
    assert [x.name for x in main.arguments if isinstance(x, Array)] == ["a", "b", "c", "c", "work"]


@pytest.mark.parametrize(("key", "options"), [("nvidia", {"-DPTX=1"}), ("intel", {"-DPTX=0", "-cl-std=CL2.0"})])
def test_whoever_arrives_last_adds_in_the_same_launch(gpu, key, options):
    device = replace(gpu, runtime_key=key, target="sm_90")
    program = plan(DEFAULT.replace(m=100, n=70, k=64), FAST.replace(SPLIT=4, ARRIVE=1), device)
    (main,) = program.launches
    assert (main.global_size, main.local_size) == ((16, 16 * 4), (16, 16))
    assert [(s.name, s.scratch_bytes) for s in program.scratch] == [("work", 4 * 4 * 128 * 128)]  # of whole tiles
    assert {"-DARRIVE=1", "-DSPLIT=2", *options} <= set(program.options)


@pytest.mark.parametrize(
    ("key", "target", "change"),
    [
        ("amd", "gfx942", {}),
        ("nvidia", "sm_75", {}),
        ("nvidia", "sm_90", {"dtype": "float64"}),
        ("nvidia", "sm_90", {"m": 128 * 65, "n": 128 * 64}),
    ],
)
def test_slices_get_a_second_launch_where_counters_cannot_be_kept_or_are_too_few(gpu, key, target, change):
    device = replace(gpu, runtime_key=key, target=target)
    config = FAST.replace(BUFFERS=1, SPLIT=4)
    program = plan(DEFAULT.replace(**change), config.replace(ARRIVE=1), device)
    assert [launch.entry for launch in program.launches] == ["gemm", "add_slices"]
    assert program == plan(DEFAULT.replace(**change), config, device)


def test_there_are_as_many_counters_as_the_plan_says():
    assert f"#define COUNTERS {MOST_TILES}\n" in text("shared/slices")


def test_one_build_serves_every_number_of_slices(gpu):
    few, many = (plan(DEFAULT, FAST.replace(SPLIT=split), gpu) for split in (3, 16))
    assert few.build_key == many.build_key != plan(DEFAULT, FAST, gpu).build_key
    assert [program.launches[0].global_size[1] for program in (few, many)] == [16 * 3, 16 * 16]
    assert [x.value for x in few.launches[1].arguments[:3] if isinstance(x, Value)] == [1024, 1024, 3]


def test_parts_of_a_group_share_a_tile_without_scratch(gpu):
    config = START.replace(MDIM=8, NDIM=8, KWG=32, KUNROLL=8, SLICES=4)
    assert SPACE.violation(config) is None
    program = plan(DEFAULT.replace(m=64, n=64, k=64), config, gpu)
    assert (len(program.launches), program.scratch) == (1, ())
    assert (program.launches[0].global_size, program.launches[0].local_size) == ((4 * 8, 8 * 4), (8, 8 * 4))
    with pytest.raises(ValueError, match="256 work-items"):
        plan(DEFAULT, config, replace(gpu, max_workgroup=128))


def test_one_slice_needs_no_scratch_and_nothing_is_launched_for_an_empty_problem(gpu):
    program = plan(DEFAULT.replace(m=100, n=70, k=64), FAST, gpu)
    assert (len(program.launches), program.scratch) == (1, ())
    assert [x.value for x in program.launches[0].arguments[:3] if isinstance(x, Value)] == [100, 70, 64]
    assert plan(DEFAULT.replace(m=0), FAST, gpu).launches == ()


def test_vectors_are_read_only_where_every_row_is_aligned(gpu):
    def aligned(**change):
        options = plan(DEFAULT.replace(**change), FAST, gpu).options
        return [name for name in "ABCW" if f"-DALIGNED_{name}=1" in options]

    assert aligned() == ["A", "B", "C", "W"]
    assert aligned(n=1022) == ["A"]
    assert aligned(n=1022, ldb=1024, ldc=1024) == ["A", "B"]  # of C whole vectors only
    assert aligned(lda=1025) == ["B", "C", "W"]
    assert aligned(offset_b=2) == ["A", "C", "W"]


def test_the_source_knows_whether_tiles_divide_c(gpu):
    def even(**change):
        return "-DEVEN=1" in plan(DEFAULT.replace(**change), FAST, gpu).options

    assert even(m=256, n=384, k=5)
    assert not even(m=256, n=392)
    assert not even(m=264, n=384)


def test_the_source_knows_which_operand_has_vectors_that_an_edge_cuts(gpu):
    def cut(**change):
        options = plan(DEFAULT.replace(**change), FAST, gpu).options
        return [name for name in "AB" if f"-DCUT_{name}=1" in options]

    assert cut() == []
    assert [cut(k=1023), cut(n=1023), cut(m=1023)] == [["A"], ["B"], []]
    assert [cut(op="tt", k=1023), cut(op="tt", n=1023), cut(op="tt", m=1023)] == [["B"], [], ["A"]]


def test_what_lies_beyond_a_short_side_reads_the_last_row_or_whole_vector(gpu):
    def held(config=FAST, **change):
        options = plan(DEFAULT.replace(**change), config, gpu).options
        return [name for name in "AB" if f"-DHOLD_{name}=1" in options]

    assert held() == []
    assert held(m=127, n=124) == ["A", "B"]
    assert held(n=127) == []  # a vector would reach into the next row
    assert held(m=127, n=127, op="tt") == ["B"]
    assert held(m=124, n=127, op="tt") == ["A", "B"]
    assert held(m=124, op="tt", lda=127) == []
    assert held(FAST.replace(BUFFERS=1, COPY=2, KWG=8, KUNROLL=8, SWZ=2), m=127, n=124) == []


def test_a_contiguous_column_of_b_is_read_along_k(gpu):
    column = plan(DEFAULT.replace(n=1, k=1021), FAST, gpu)
    assert {"-DTRANSB=1", "-DALIGNED_B=1", "-DCUT_B=1", "-DHOLD_B=1"} <= set(column.options)
    for change in ({"op": "nt"}, {"ldb": 4}, {"n": 2}):
        problem = DEFAULT.replace(n=1, k=1021).replace(**change)
        assert ("-DTRANSB=1" in plan(problem, FAST, gpu).options) == ("op" in change)


EXTENTS = (st.integers(1, 700), st.sampled_from((16, 32, 64, 128, 256)), st.booleans())
"""Of a side of C, of a tile along it, and whether tiles end where the last vector of a padded row does (END_N in stage.cl)."""


def tiles(extent: int, side: int, padded: bool) -> list[tuple[int, int]]:
    """Return of each tile what it owns from and where it begins: MOVED_BACK in stage.cl."""
    end = -(-extent // 4) * 4 if padded else extent
    return [(own, max(min(own, end - side), 0)) for own in range(0, extent, side)]


@given(*EXTENTS)
def test_what_tiles_have_in_common_is_stored_once(extent, side, padded):
    """OWN_WHOLE, OWN_PART, OWN_FROM and OWN_TO in stage.cl: whole vectors and parts together are all columns, each once."""
    stored: Counter[int] = Counter()
    for own, begin in tiles(extent, side, padded):
        for column in range(begin, begin + side, 4):
            whole = column >= own and column + 4 <= extent
            first, last = max(own - column, 0), min(extent - column, 4)
            if not whole and first < last:
                assert extent % 4 != 0  # else the source leaves the parts out
            if whole or first < last:
                stored.update(range(column + first, column + last))
    assert stored == Counter(range(extent))


@given(*EXTENTS)
def test_tiles_that_begin_earlier_reach_no_further_than_the_padding_of_a_row(extent, side, padded):
    furthest = -(-extent // 4) * 4 if padded else extent
    for own, begin in tiles(extent, side, padded):
        assert begin % 4 == 0 or not (padded or extent % 4 == 0)
        assert 0 <= begin <= own
        assert begin + side <= furthest or begin == 0


def test_the_device_can_refuse(gpu):
    with pytest.raises(ValueError, match="local memory"):
        plan(DEFAULT, FAST.replace(NWI=16, KWG=32), gpu)
    with pytest.raises(ValueError, match="work-items"):
        plan(DEFAULT, FAST, replace(gpu, max_workgroup=128))


def test_the_two_implementations_share_their_epilogue_and_nothing_of_the_other_kernel(gpu):
    ours, theirs = plan(DEFAULT, FAST, gpu).source, source()
    assert "ACCV activate(ACCV x)" in ours
    assert ours.count("__kernel") == 2
    assert "BUFFERS" not in theirs


def test_traits_use_the_vocabulary_and_count_barriers(gpu):
    one, two = (traits(DEFAULT, FAST.replace(BUFFERS=b), gpu) for b in (1, 2))
    assert set(one) <= set(BY_NAME)
    assert (one["config.barriers"], two["config.barriers"]) == (129, 65)
    assert (one["config.local_bytes"], two["config.local_bytes"]) == (16384, 32768)
    three = traits(DEFAULT, FAST.replace(BUFFERS=1, COPY=3, PAD=4), gpu)
    assert (three["config.barriers"], three["config.local_bytes"]) == (65, 3 * 16 * 2 * 132 * 4)
    assert PIPELINED.traits(DEFAULT.replace(m=0), FAST, gpu) == {}


@pytest.mark.parametrize("kwg", [8, 16, 32, 64])
def test_the_swizzle_is_injective_and_spreads_transposed_stores_over_all_banks(kwg):
    """The index arithmetic of MOVED and PLACE in pipelined.cl, lane by lane."""
    width, swz, spread = 128, {8: 2, 16: 4, 32: 4, 64: 8}[kwg], max(4, 128 // kwg)

    def at(k, x):
        return k * width + (x ^ ((k // 4) % swz * spread))

    assert len({at(k, x) for k, x in itertools.product(range(kwg), range(width))}) == kwg * width
    items = np.arange(32)
    x, d = items // (kwg // 4), items % (kwg // 4) * 4
    banks = [len({int(at(int(k), int(c))) % 32 for k, c in zip(d + step, x, strict=True)}) for step in range(4)]
    assert banks == [32 if kwg < 32 else 16] * 4
