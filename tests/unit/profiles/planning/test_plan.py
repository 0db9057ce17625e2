"""Passes: legal, complete, and never more than an exhaustive search needs."""

import itertools
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hotloop.errors import UnknownNameError, UsageError
from hotloop.profiles.planning.plan import (
    ACCUMULATOR,
    WAVES,
    known_limits,
    limits,
    plan,
    rocprof_files,
    rocprofv3_json,
    rocprofv3_yaml,
)

ARCH = "gfx942"
ASKABLE = [
    *(f"SQ_INSTS_{c}" for c in "ABCDEFGHIJKLM"), "SQC_ICACHE_REQ", "SQC_TC_REQ", "SQ_LEVEL_WAVES", "SQ_LEVEL_WAVES_ACCUM", "SQ_INST_LEVEL_LDS_ACCUM",
    "SQ_INST_LEVEL_SMEM_ACCUM", WAVES, "SQ_WAVES_sum", *(f"TCC_{c}_sum" for c in "ABCDEF"), *(f"TCC_{c}[{i}]" for c in "ABCDEFG" for i in range(3)),
    *(f"TA_{c}_sum" for c in "ABC"), "TA_A_max", "GRBM_COUNT", "GRBM_GUI_ACTIVE", "GRBM_SPI_BUSY",
]  # fmt: skip


def slot(name):
    """(block, counter, instance or None)."""
    base, _, instance = name.partition("[")
    base = re.sub(r"_(sum|max|min|avr)$", "", base)
    return (
        {"SQC": "SQ", "SP": "SQ"}.get(base.split("_")[0], base.split("_")[0]),
        base,
        int(instance[:-1]) if instance else None,
    )


def legal(names, architecture=ARCH):
    """The rule itself, apart from the planner: in each instance no more distinct counters than the block has."""
    slots = {slot(name) for name in names}
    if sum(name == ACCUMULATOR for name in names) > 1:
        return False
    for block, limit in limits(architecture).counters:
        mine = {(base, i) for b, base, i in slots if b == block}
        everywhere = {base for base, i in mine if i is None}
        for instance in {i for _, i in mine}:
            if len(everywhere | {base for base, i in mine if i == instance}) > limit:
                return False
    return True


def asked(names):
    """What a set of requests means for one pass."""
    wanted = [WAVES]
    for name in names:
        wanted += [name.removesuffix("_ACCUM"), ACCUMULATOR] if name.endswith("_ACCUM") else [name]
    return wanted


def fits(names, number):
    """Exhaustive: can the requests be divided among so many legal passes? Equal passes are tried once."""
    parts = [[] for _ in range(number)]

    def place(rest):
        if not rest:
            return True
        tried = set()
        for part in parts:
            key = frozenset(part)
            if key in tried:
                continue
            tried.add(key)
            part.append(rest[0])
            if legal(asked(part)) and place(rest[1:]):
                return True
            part.pop()
        return False

    return place(list(names))


@settings(max_examples=150, deadline=None)
@given(names=st.lists(st.sampled_from(ASKABLE), min_size=1, max_size=12, unique=True))
def test_a_plan_is_legal_complete_and_minimal(names):
    passes = plan(names, ARCH)
    for one in passes:
        assert one.counters[0] == WAVES
        assert legal(one.counters)
        assert len(set(one.counters)) == len(one.counters)
    collected = set(itertools.chain.from_iterable(p.counters for p in passes))
    assert {n for n in names if not n.endswith("_ACCUM")} <= collected
    for level in (n.removesuffix("_ACCUM") for n in names if n.endswith("_ACCUM")):
        assert any((level, ACCUMULATOR) in itertools.pairwise(p.counters) for p in passes)
    assert fits(names, len(passes))
    assert len(passes) == 1 or not fits(names, len(passes) - 1)


@settings(max_examples=100, deadline=None)
@given(names=st.lists(st.sampled_from(ASKABLE), min_size=1, max_size=len(ASKABLE), unique=True))
def test_large_sets_stay_legal(names):
    assert all(legal(p.counters) for p in plan(names, ARCH))


def test_a_known_number_of_passes():
    """22 SQ counters beside SQ_WAVES need ⌈22 / 7⌉ = 4 passes of eight; five channels' counters ride along."""
    passes = plan([f"SQ_X{i}" for i in range(22)] + [f"TCC_Y{i}[3]" for i in range(5)], ARCH)
    assert len(passes) == 4
    assert [sum(c.startswith("SQ_") for c in p.counters) for p in passes] == [8, 8, 8, 2]


def test_nothing_asked_is_one_pass_of_waves():
    assert [p.counters for p in plan([], ARCH)] == [(WAVES,)]


@pytest.mark.parametrize(
    "name",
    [
        "FETCH_SIZE",
        "MemUnitBusy",
        "XYZ_COUNT",
        "SQ_WAVES\npmc: X",
        "SQ WAVES",
        "",
        ACCUMULATOR,
        "TCC_LEVEL_ACCUM",
        "SQ_[3]",
    ],
)
def test_what_is_no_hardware_counter_is_refused(name):
    with pytest.raises(UsageError):
        plan([name], ARCH)


def test_an_unknown_architecture_lists_the_known_ones():
    with pytest.raises(UnknownNameError, match="gfx942"):
        plan([WAVES], "gfx000")


def test_every_limit_has_a_source():
    for known in known_limits():
        assert known.source
        assert all(1 <= limit <= 16 for _, limit in known.counters)
        assert known.of("SQ") >= 3  # waves, a level and its accumulator


def test_input_files():
    passes = plan([f"SQ_X{i}" for i in range(9)] + ["TCC_HIT[0]"], ARCH)
    first, second = rocprof_files(passes, "gemm_kernel.kd")
    assert first == "pmc: SQ_WAVES SQ_X0 SQ_X1 SQ_X2 SQ_X3 SQ_X4 SQ_X5 SQ_X6 TCC_HIT[0]\nkernel: gemm_kernel.kd\n"
    assert second == "pmc: SQ_WAVES SQ_X7 SQ_X8\nkernel: gemm_kernel.kd\n"
    jobs = json.loads(rocprofv3_json(passes, 'k"[a-z]+'))["jobs"]
    assert jobs[1] == {"pmc": ["SQ_WAVES", "SQ_X7", "SQ_X8"], "kernel_include_regex": 'k"[a-z]+'}
    assert (
        rocprofv3_yaml(passes[1:], "k\n")
        == 'jobs:\n  - pmc: ["SQ_WAVES", "SQ_X7", "SQ_X8"]\n    kernel_include_regex: "k\\n"\n'
    )
    with pytest.raises(UsageError, match="plain name"):
        rocprof_files(passes, "k\npmc: X")
