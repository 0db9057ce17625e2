from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from hotloop.kernels.gemm.pipelined import PARAMETERS, PIPELINED, SPACE, START, plan, simplicity, traits
from hotloop.kernels.gemm.plan import source
from hotloop.kernels.gemm.problem import DEFAULT
from hotloop.metrics.vocabulary import BY_NAME
from hotloop.model.program import Array, Value
from hotloop.registry import load_all

FAST = START.replace(MWI=8, NWI=8, KUNROLL=16, WIDE=4, BUFFERS=2, SWZ=4, RASTER=8)


@pytest.fixture
def gpu(device):
    return replace(device, kind="gpu", runtime_key="nvidia", target="", local_mem_bytes=48 << 10, max_workgroup=1024)


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
    assert "-cl-nv-maxrregcount=128" in plan(DEFAULT, START.replace(REGISTERS=128), gpu).options


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
    assert aligned(lda=1025) == ["B", "C", "W"]
    assert aligned(offset_b=2) == ["A", "C", "W"]


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
    assert PIPELINED.traits(DEFAULT.replace(m=0), FAST, gpu) == {}


@pytest.mark.parametrize("kwg", [8, 16, 32])
def test_the_swizzle_is_injective_and_spreads_transposed_stores_over_all_banks(kwg):
    """The index arithmetic of MOVED and PLACE in pipelined.cl, lane by lane."""
    width, swz, spread = 128, kwg // 4 if kwg < 32 else 4, 128 // kwg

    def at(k, x):
        return k * width + (x ^ ((k // 4) % swz * spread))

    assert len({at(k, x) for k, x in itertools.product(range(kwg), range(width))}) == kwg * width
    items = np.arange(32)
    x, d = items // (kwg // 4), items % (kwg // 4) * 4
    banks = [len({int(at(int(k), int(c))) % 32 for k, c in zip(d + step, x, strict=True)}) for step in range(4)]
    assert banks == [32 if kwg < 32 else 16] * 4
