"""Orders of tiles, shares of their steps and sharing of lanes: the arithmetic of `scheduled.cl`, told again in Python."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hotloop.kernels.gemm import KERNEL
from hotloop.kernels.gemm.pipelined import PIPELINED
from hotloop.kernels.gemm.problem import DEFAULT
from hotloop.kernels.gemm.scheduled import SCHEDULED
from hotloop.kernels.gemm.scheduled.plan import Shares, plan, traits
from hotloop.kernels.gemm.scheduled.space import PARAMETERS, SPACE, START, simplicity
from hotloop.metrics.vocabulary import BY_NAME
from hotloop.model.evidence import Evidence
from hotloop.model.finding import Finding
from hotloop.model.kernel import Variant
from hotloop.model.program import Array, Value
from hotloop.registry import load_all
from hotloop.techniques.moves import answers
from hotloop.techniques.situation import Situation

PROBLEM = DEFAULT.replace(m=200, n=130, k=100)
"""12 tiles of 64 x 64 with 7 steps of 16 each."""


@pytest.fixture
def gpu(device):
    return replace(
        device,
        kind="gpu",
        runtime_key="amd",
        target="gfx1012",
        local_mem_bytes=64 << 10,
        max_workgroup=1024,
        compute_units=5,
    )


# --- the space -------------------------------------------------------------------------------------------------------


def test_start_is_valid_and_every_parameter_belongs_to_a_known_technique():
    known = {technique.name for technique in load_all("hotloop.techniques.methods", "TECHNIQUE")}
    assert SPACE.violation(START) is None
    assert {parameter.technique for parameter in PARAMETERS} <= known


def test_the_other_implementations_keep_their_parameters_and_their_order():
    assert [one.name for one in KERNEL.implementations[:5]] == [
        "opencl",
        "opencl-pipelined",
        "opencl-scheduled",
        "opencl-skinny",
        "triton",
    ]
    assert not {"ORDER", "PERSISTENT", "STREAM_K", "LANES", "FUSED"} & {p.name for p in PIPELINED.space.parameters}
    assert {p.name for p in PIPELINED.space.parameters} - {p.name for p in PARAMETERS} == {
        "SPLIT",
        "ARRIVE",
        "SLICES",
        "COPY",
        "HOIST",
        "EARLY",
        "WEAVE",
    }


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"ORDER": 1, "RASTER": 4}, "ORDER 1 leaves RASTER"),
        ({"PERSISTENT": 4, "STREAM_K": 4}, "not both"),
        ({"LANES": 32, "KUNROLL": 8}, "LANES divides NDIM"),
        ({"LANES": 16, "KUNROLL": 2}, "KUNROLL·MWI is a multiple of LANES"),
        ({"FUSED": 1}, "FUSED needs LANES of 16"),
        ({"MWI": 16, "NWI": 16}, "at most 128 sums"),
    ],
)
def test_constraints_say_what_is_wrong(change, text):
    assert text in (SPACE.violation(START.replace(**change)) or "")


def test_every_parameter_reaches_the_source(gpu):
    program = plan(DEFAULT, START, gpu)
    for parameter in PARAMETERS:
        if parameter.name != "REGISTERS":
            assert f"-D{parameter.name}={START[parameter.name]}" in program.options
            assert parameter.name in program.source
    assert simplicity(START) == 0 < simplicity(START.replace(ORDER=1)) < simplicity(START.replace(STREAM_K=1))


def moves(gpu, *suggested, **changes):
    finding = Finding(rule="case", message="a finding", share=0.5, evidence=(), suggests=suggested)
    situation = Situation(Variant(SCHEDULED, START.replace(**changes)), DEFAULT, gpu, Evidence(()), finding)
    return {move.change for move in answers(situation)}


def test_the_loop_reaches_each_of_them_in_one_step(gpu):
    assert {"PERSISTENT 0 → 8", "PERSISTENT 0 → 1"} <= moves(gpu, "persistent")
    assert {"STREAM_K 0 → 8", "STREAM_K 0 → 1"} <= moves(gpu, "stream-k")
    assert "ORDER 0 → 1" in moves(gpu, "rasterize")
    lanes = moves(gpu, "lane-broadcast")
    assert {"LANES 0 → 16 (with MWI 4 → 16)", "LANES 0 → 16, FUSED 0 → 1 (with MWI 4 → 16)"} <= lanes
    assert moves(gpu, "lane-broadcast", LANES=16, KUNROLL=4) == {"FUSED 0 → 1"}


def test_stream_k_takes_the_place_of_persistent_groups(gpu):
    assert "STREAM_K 0 → 8 (with PERSISTENT 4 → 0)" in moves(gpu, "stream-k", PERSISTENT=4)
    assert "ORDER 0 → 1 (with RASTER 8 → 1)" in moves(gpu, "rasterize", RASTER=8)


# --- the Z-order curve -----------------------------------------------------------------------------------------------


def z_order(rank: int, rows: int, columns: int) -> tuple[int, int]:
    """The function of that name in scheduled.cl."""
    row = column = 0
    side = 1
    while side < max(rows, columns):
        side *= 2
    while side > 1:
        side //= 2
        upper, lower = min(side, rows - row), min(max(rows - row - side, 0), side)
        left, right = min(side, columns - column), min(max(columns - column - side, 0), side)
        below = rank >= upper * (left + right)
        rank -= upper * (left + right) if below else 0
        height = lower if below else upper
        beyond = rank >= height * left
        rank -= height * left if beyond else 0
        row, column = row + side * below, column + side * beyond
    return row, column


@given(st.integers(1, 40), st.integers(1, 40))
def test_the_curve_visits_every_tile_of_any_grid_once(rows, columns):
    visited = [z_order(rank, rows, columns) for rank in range(rows * columns)]
    assert sorted(visited) == [(row, column) for row in range(rows) for column in range(columns)]


def test_the_curve_is_morton_order_on_a_square_and_leaves_out_what_a_rectangle_lacks():
    def code(row: int, column: int) -> int:
        return sum((row >> bit & 1) << 2 * bit + 1 | (column >> bit & 1) << 2 * bit for bit in range(6))

    for rows, columns in ((32, 32), (5, 11), (12, 3)):
        morton = sorted(((r, c) for r in range(rows) for c in range(columns)), key=lambda place: code(*place))
        assert [z_order(rank, rows, columns) for rank in range(rows * columns)] == morton


# --- shares of stream-K ----------------------------------------------------------------------------------------------


def pieces(shared: Shares) -> list[tuple[int, int, int, int]]:
    """Tile, first and last step, and slot (-1: stored at once) of everything that the groups of the main launch do."""
    found = []
    for group in range(shared.groups):
        at, end = shared.begin(group), shared.begin(group + 1)
        while at < end:
            tile, first = divmod(at, shared.steps)
            last = min(shared.steps, first + end - at)
            whole = last - first == shared.steps
            found.append((tile, first, last, -1 if whole else 2 * group if first else 2 * group + 1))
            at += last - first
    return found


def mended(shared: Shares) -> list[tuple[int, list[int]]]:
    """Tile and slots that each group of the second launch adds."""
    found = []
    for went_on in range(1, shared.groups):
        tile, inside = divmod(shared.begin(went_on), shared.steps)
        began = tile * shared.steps
        if not inside or shared.begin(went_on - 1) > began:
            continue
        slots = [2 * (went_on - 1) + 1]
        group = went_on
        while group < shared.groups and shared.begin(group) < began + shared.steps:
            slots.append(2 * group)
            group += 1
        found.append((tile, slots))
    return found


shares_of_any_kind = st.builds(
    lambda tiles, steps, part: Shares(tiles, steps, max(1, round(part * tiles * steps))),
    st.integers(1, 30),
    st.integers(1, 30),
    st.floats(0, 1),
)


@given(shares_of_any_kind)
def test_every_step_of_every_tile_is_computed_once(shared):
    done = Counter((tile, step) for tile, first, last, _ in pieces(shared) for step in range(first, last))
    assert done == Counter((tile, step) for tile in range(shared.tiles) for step in range(shared.steps))
    sizes = {shared.begin(group + 1) - shared.begin(group) for group in range(shared.groups)}
    assert max(sizes) - min(sizes) <= 1


@given(shares_of_any_kind)
def test_every_cut_tile_is_mended_once_from_all_its_pieces_in_the_order_of_k(shared):
    kept = [piece for piece in pieces(shared) if piece[3] >= 0]
    slots = [slot for *_, slot in kept]
    assert len(set(slots)) == len(slots)
    assert all(slot < 2 * shared.groups for slot in slots)
    by_tile: dict[int, list[tuple[int, int]]] = {}
    for tile, first, _, slot in kept:
        by_tile.setdefault(tile, []).append((first, slot))
    assert dict(mended(shared)) == {tile: [slot for _, slot in sorted(rows)] for tile, rows in by_tile.items()}
    assert len(mended(shared)) == len(by_tile)
    assert shared.cut == bool(by_tile)


# --- launches --------------------------------------------------------------------------------------------------------


def test_persistent_groups_are_as_many_as_asked_but_never_more_than_tiles(gpu):
    def groups(per_unit):
        (launch,) = plan(PROBLEM, START.replace(PERSISTENT=per_unit), gpu).launches
        return launch.groups

    assert [groups(per_unit) for per_unit in (0, 1, 2, 4)] == [12, 5, 10, 12]


def test_cut_tiles_are_mended_by_a_second_launch(gpu):
    program = plan(PROBLEM, START.replace(STREAM_K=1), gpu)
    main, mend = program.launches
    assert (main.entry, main.groups, main.local_size) == ("gemm", 5, (256,))
    assert (mend.entry, mend.groups, mend.phase) == ("mend", 4, "add")
    assert program.main is main
    assert [(one.name, one.scratch_bytes) for one in program.scratch] == [("work", 2 * 5 * 64 * 64 * 4)]
    assert [one.name for one in main.arguments if isinstance(one, Array)] == ["a", "b", "c", "c", "work"]
    assert mend.arguments[-2:] == (Array("work"), Value(5, "int32"))


@pytest.mark.parametrize(
    "changes", [{"m": 320, "n": 64}, {"k": 0}, {"alpha": 0.0}, {"m": 64, "n": 64, "k": 16}], ids=str
)
def test_where_no_tile_is_cut_nothing_is_mended(gpu, changes):
    """A tile for each group, no step at all, or a single one."""
    program = plan(PROBLEM.replace(**changes), START.replace(STREAM_K=1), gpu)
    assert [launch.entry for launch in program.launches] == ["gemm"]
    assert program.scratch == ()


def test_an_empty_problem_launches_nothing(gpu):
    assert plan(PROBLEM.replace(n=0), START.replace(STREAM_K=2), gpu).launches == ()


def test_more_steps_than_the_kernel_can_count_are_refused(gpu):
    with pytest.raises(ValueError, match="too many for 32-bit"):
        plan(DEFAULT.replace(m=200_000, n=200_000, k=200_000), START.replace(STREAM_K=1), gpu)


def test_traits_use_the_vocabulary_and_count_barriers_of_all_tiles(gpu):
    one, three = (traits(PROBLEM, START.replace(PERSISTENT=p), gpu)["config.barriers"] for p in (0, 1))
    assert (one, three) == (1 + 7 * 2, 3 * (1 + 7 * 2))
    stream = traits(PROBLEM, START.replace(STREAM_K=1), gpu)
    assert stream["config.barriers"] == 17 * 2 + 4  # 84 steps over 5 groups, in parts of up to four tiles
    assert set(stream) <= set(BY_NAME)
    assert SCHEDULED.traits(PROBLEM.replace(m=0), START, gpu) == {}
