"""Waits of real compiler output: nothing is reported as it is, everything when a needed wait is weakened.

How the listings were made: `amdgcn/waits/README.md`. ``benchmarks/waits_proof.py`` does the same for any listing.
"""

import re
from functools import cache
from pathlib import Path

import pytest
from whatif import weakened

from hotloop.isa.amdgcn.needs import Need, audit
from hotloop.isa.amdgcn.pipeline import pipelines
from hotloop.isa.amdgcn.pressure import RegisterFile, pressure
from hotloop.isa.amdgcn.slots import Group, group_of
from hotloop.isa.amdgcn.waits import analyse
from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.isa.timing.hiding import Verdict

LISTINGS = Path(__file__).parent / "amdgcn" / "waits"
NAMES = sorted(file.stem for file in LISTINGS.glob("*.s"))


@cache
def functions(name):
    return DIALECT.parse((LISTINGS / f"{name}.s").read_text())


@pytest.mark.parametrize("name", NAMES)
def test_compiler_output_raises_no_alarm(name):
    reports = [analyse(function) for function in functions(name)]
    assert [str(found) for report in reports for found in (*report.hazards, *report.doubts)] == []


@pytest.mark.parametrize("name", ["gluon_async2_gfx950", "triton_flash_gfx950"])
def test_waits_that_only_copies_into_lds_need_are_missed_when_gone(name):
    (function,) = functions(name)
    waits = [
        w
        for w in analyse(function).waits
        if any(b.operation and group_of(b.operation) is Group.COPY for b in w.blocks_on)
    ]
    assert waits
    assert [w.instruction.line for w in waits if not analyse(weakened(function, w, None)).hazards] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_needed_wait_is_missed_when_it_is_gone_or_too_weak(name):
    survivors = []
    for function in functions(name):
        for entry in audit(function):
            if entry.need is not Need.NEEDED:
                continue
            counts = [None, entry.wait.count + 1] if entry.exact else [None]
            survivors += [
                (entry.wait.instruction.line, c)
                for c in counts
                if not analyse(weakened(function, entry.wait, c)).hazards
            ]
    assert survivors == []


@pytest.mark.parametrize("name", NAMES)
def test_few_waits_are_called_redundant(name):
    entries = [entry for function in functions(name) for entry in audit(function)]
    redundant = [entry for entry in entries if entry.need in (Need.IDLE, Need.COVERED)]
    assert len(redundant) <= 0.2 * len(entries)
    assert all((entry.consumer is not None) == (entry.need is Need.NEEDED) for entry in entries)


def stages(name):
    (function,) = functions(name)
    (found,) = pipelines(function)
    return found


@pytest.mark.parametrize("arch", ["gfx942", "gfx950"])
def test_pipelining_stages_rank_as_they_were_built(arch):
    base, first, second = (stages(f"gluon_{name}_{arch}") for name in ("base", "stage1", "stage2"))
    assert base.stage(Group.GLOBAL).verdict is Verdict.EXPOSED
    assert base.stage(Group.LDS).verdict is Verdict.EXPOSED
    for later in (first, second):
        assert later.stage(Group.GLOBAL).verdict is Verdict.HIDDEN
    assert base.stage(Group.LDS).covered < first.stage(Group.LDS).covered < second.stage(Group.LDS).covered
    assert second.stage(Group.LDS).stall_cycles < first.stage(Group.LDS).stall_cycles / 4
    assert second.stage(Group.GLOBAL).distances[0].iterations == 1
    assert base.cycles > first.cycles > second.cycles


def test_draining_the_copies_of_the_same_iteration_undoes_the_pipeline():
    right, drained = (
        stages("gluon_async2_gfx950").stage(Group.COPY),
        stages("gluon_async2drain_gfx950").stage(Group.COPY),
    )
    assert (right.verdict, drained.verdict) == (Verdict.HIDDEN, Verdict.EXPOSED)
    assert {d.iterations for d in right.distances} == {1}
    assert {d.iterations for d in drained.distances} == {0}


@pytest.mark.parametrize("name", ["gluon_stage2_gfx942", "triton_flash_gfx950"])
def test_pressure_comes_close_to_what_the_compiler_allocated(name):
    (function,) = functions(name)
    allocated = int(re.search(r"; NumVgprs: (\d+)", (LISTINGS / f"{name}.s").read_text())[1])
    (live,) = (peak.live for peak in pressure(function) if peak.file is RegisterFile.VGPR)
    assert 0.9 * allocated <= live <= allocated


def test_accumulation_registers_are_all_live_at_the_peak():
    (function,) = functions("hip_mfma_gfx908")
    assert {peak.file: peak.live for peak in pressure(function)}[
        RegisterFile.AGPR
    ] == 16  # 4 accumulators of 4 registers
