from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from hotloop.kernels.gemm import KERNEL
from hotloop.kernels.gemm.opencl.plan import fitted, plan
from hotloop.kernels.gemm.opencl.rows import CPU, TABLES
from hotloop.kernels.gemm.opencl.space import NAIVE, PARAMETERS, SPACE, simplicity
from hotloop.kernels.gemm.opencl.traits import traits
from hotloop.kernels.gemm.problem import DEFAULT, awkward, gemm
from hotloop.metrics.vocabulary import BY_NAME
from hotloop.model.program import Array, Value

TILE = CPU.replace(MWI=6, NWI=16, VW=8, KUNROLL=4)
PACKED = TILE.replace(PACK=2)


def test_start_and_known_configurations_are_valid():
    assert SPACE.violation(NAIVE) is None
    for rows in TABLES.values():
        for row in rows:
            assert SPACE.violation(row.config) is None, row


def test_every_parameter_reaches_the_source():
    options = plan(DEFAULT, NAIVE, _plain()).options
    for parameter in PARAMETERS:
        assert f"-D{parameter.name}={NAIVE[parameter.name]}" in options
        assert parameter.doc
    source = plan(DEFAULT, NAIVE, _plain()).source
    assert all(parameter.name in source for parameter in PARAMETERS)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"VW": 2}, "NWI is a multiple of VW"),
        ({"MWI": 14, "NWI": 8, "VW": 1}, "at most 64 vectors"),
        ({"SA": 2}, "do not mix"),
        ({"SA": 0, "SB": 2, "PACK": 1}, "packed or staged"),
        ({"SA": 0, "SB": 0, "KWG": 32}, "KWG is 16"),
        ({"KWG": 8, "KUNROLL": 16}, "KUNROLL is at most"),
        ({"SA": 0, "SB": 0, "PAD": 1}, "PAD is 0"),
        ({"SA": 0, "SB": 0, "SWZ": 4}, "SWZ is 1"),
        ({"MDIM": 2, "SWZ": 4}, "rows of a staged A"),
        ({"NDIM": 2, "SWZ": 4}, "vectors of a staged B"),
    ],
)
def test_constraints_say_what_is_wrong(change, text):
    assert text in (SPACE.violation(NAIVE.replace(**change)) or "")


def test_the_documented_ladder_changes_one_technique_at_a_time():
    """The path that optimize can travel: every rung valid, every step within parameters of one technique."""
    rungs = (
        NAIVE,
        NAIVE.replace(MWI=4, NWI=4),
        NAIVE.replace(MWI=4, NWI=8, VW=8),
        CPU.replace(MDIM=16, NDIM=16, MWI=4, NWI=8, VW=8),
        CPU.replace(MWI=4, NWI=8, VW=8),
        CPU.replace(MWI=6, NWI=16, VW=8),
        CPU.replace(MWI=6, NWI=16, VW=8, PACK=2),
        CPU.replace(MWI=6, NWI=16, VW=8, PACK=2, MPI=22, NPI=16),
        CPU.replace(MWI=6, NWI=16, VW=8, PACK=2, MPI=22, NPI=16, KC=256),
        CPU.replace(MWI=6, NWI=16, VW=8, PACK=2, MPI=22, NPI=16, KC=256, KUNROLL=4),
    )
    for before, after in itertools.pairwise(rungs):
        assert SPACE.violation(after) is None
        techniques = {SPACE[name].technique for name in before.changes_to(after)}
        assert len(techniques - {"register-tile"}) <= 1, before.changes_to(after)


def test_geometry_of_the_naive_tile():
    (main,) = plan(DEFAULT.replace(m=33, n=16, k=5), NAIVE, _plain()).launches
    assert (main.entry, main.global_size, main.local_size) == ("gemm", (3 * 16, 16), (16, 16))


def test_packed_plan_fills_padded_panels_first():
    program = plan(DEFAULT.replace(m=13, n=17, k=65), PACKED, _plain())
    assert [(la.entry, la.phase, la.global_size) for la in program.launches] == [
        ("pack_a", "pack", (3, 2)),
        ("pack_b", "pack", (2, 2)),
        ("gemm", "main", (6, 1)),
    ]
    assert {s.name: s.scratch_bytes for s in program.scratch} == {"panels_a": 4 * 18 * 65, "panels_b": 4 * 32 * 65}
    assert program.main is not None
    names = [a.name for a in program.main.arguments if isinstance(a, Array)]
    assert names == ["panels_a", "panels_b", "c", "c"]


def test_nothing_is_packed_when_nothing_is_read():
    program = plan(DEFAULT.replace(alpha=0.0, m=8, n=8, k=8), PACKED, _plain())
    assert [la.entry for la in program.launches] == ["gemm"]
    assert len(program.scratch) == 2


@pytest.mark.parametrize("change", [{"m": 0}, {"n": 0}])
def test_empty_problems_build_and_launch_nothing(change):
    program = plan(DEFAULT.replace(**change), PACKED, _plain())
    assert program.launches == ()
    assert program.options


def test_column_major_passes_b_first():
    program = plan(DEFAULT.replace(layout="col", m=20, n=30, k=10), TILE, _plain())
    (main,) = program.launches
    assert [a.name for a in main.arguments if isinstance(a, Array)] == ["b", "a", "c", "c"]
    assert [a.value for a in main.arguments[:3] if isinstance(a, Value)] == [30, 20, 10]


def test_narrow_problems_pack_b_instead_of_reading_past_it():
    assert fitted(gemm(DEFAULT.replace(n=7)), TILE).PACK == 1
    assert fitted(gemm(DEFAULT.replace(n=8)), TILE).PACK == 0
    assert fitted(gemm(DEFAULT.replace(n=7)), TILE.replace(SB=2)).PACK == 0


def test_sums_in_half_precision_matrices_are_not_split():
    assert fitted(gemm(DEFAULT.replace(dtype="float16")), PACKED.replace(KC=256)).KC == 0
    assert fitted(gemm(DEFAULT.replace(dtype="float16", accumulate="float16")), PACKED.replace(KC=256)).KC == 256


def test_the_device_can_refuse():
    with pytest.raises(ValueError, match="work-items per group"):
        plan(DEFAULT, NAIVE, replace(_plain(), max_workgroup=128))
    with pytest.raises(ValueError, match="local memory"):
        plan(DEFAULT.replace(k=8192), TILE.replace(SB=2), _plain())
    with pytest.raises(ValueError, match="no float64"):
        plan(DEFAULT.replace(dtype="float64"), NAIVE, replace(_plain(), fp64=False))
    with pytest.raises(ValueError, match="not in float64"):
        plan(DEFAULT.replace(dtype="float16", accumulate="float64"), NAIVE, _plain())


def test_prefetch_asks_for_the_language_that_has_it_only_where_known():
    config = TILE.replace(PREFETCH=1)
    assert "-cl-std=CL2.0" in plan(DEFAULT, config, _plain()).options
    assert "-cl-std=CL2.0" not in plan(DEFAULT, config, replace(_plain(), runtime_key="pocl")).options
    assert "-cl-std=CL2.0" not in plan(DEFAULT, TILE, _plain()).options


def test_traits_use_the_vocabulary_and_tell_the_naive_tile_from_the_good_one(device):
    naive, good = (traits(DEFAULT, c, device) for c in (NAIVE, PACKED.replace(KC=256, MPI=22)))
    assert set(naive) | set(good) <= set(BY_NAME)
    assert (naive["config.barriers"], good["config.barriers"]) == (128, 0)
    assert (naive["config.local_bytes"], good["config.local_bytes"]) == (2048, 0)
    assert (naive["config.accumulator_registers"], good["config.accumulator_registers"]) == (1, 12)
    assert good["config.working_set_bytes"] == 256 * 16 * 4
    assert good["config.stride_bytes"] == good["config.contiguous_bytes"] == 64
    assert traits(DEFAULT, TILE, device)["config.stride_bytes"] == 4096


def test_simplicity_prefers_fewer_features():
    assert simplicity(TILE) < simplicity(PACKED) < simplicity(PACKED.replace(KC=256, MPI=22))


def test_programs_are_pure_for_all_awkward_problems():
    for problem in awkward(DEFAULT):
        for config in (NAIVE, TILE, PACKED, TILE.replace(SB=2, KC=128)):
            assert plan(problem, config, _plain()).fingerprint == plan(problem, config, _plain()).fingerprint


def test_the_blas_peer_takes_plain_problems_only(device):
    peer = KERNEL.peers[0]
    program = peer.plan(DEFAULT.replace(op="tn", layout="col"), device)
    assert program is not None
    assert program.launches[0].entry == "sgemm"
    assert [a.value for a in program.launches[0].arguments[:3] if isinstance(a, Value)] == [101, 111, 112]
    for change in ({"epilogue": "relu"}, {"dtype": "float16"}, {"offset_a": 4}, {"m": 0}, {"k": 0}):
        assert peer.plan(DEFAULT.replace(**change), device) is None


def _plain():
    from hotloop.model.device import Device

    return Device(
        name="two cores",
        kind="cpu",
        backend="opencl",
        runtime="Intel OpenCL",
        runtime_key="intel",
        target="x86-64-avx2",
        compute_units=2,
        local_mem_bytes=256 << 10,
        max_workgroup=8192,
        fp16=True,
        fp64=True,
    )
