"""Facts about waits of the hot loop on the Gluon pipelining stages; expected figures counted by hand in the listings."""

from pathlib import Path

import pytest

from hotloop.diagnose.engine import diagnose, rules
from hotloop.isa import dialect
from hotloop.isa.instruction import Function
from hotloop.isa.summary.build import Source, report

LISTINGS = Path(__file__).parent / "amdgcn"
COVER, DRAINS = "static.global_load_cover", "static.local_drains_per_matrix"
PIPELINING = [rule for rule in rules() if rule.name in ("exposed-loop-loads", "exposed-local-reads")]
STAGES = [
    # listing, matrix instructions, least of them between a global load and its wait, waits that drain reads
    ("gluon_base_gfx942", 32, 0, 18),
    ("gluon_stage1_gfx942", 32, 14, 1),
    ("gluon_stage2_gfx942", 32, 32, 1),
    ("gluon_base_gfx950", 16, 0, 4),
    ("gluon_stage1_gfx950", 16, 13, 4),
    ("gluon_stage2_gfx950", 16, 16, 2),
    ("gluon_async2_gfx950", 16, 16, 2),
    ("gluon_async2drain_gfx950", 16, 0, 2),
]


def kernel(name: str) -> Function:
    return dialect.load("amdgcn").parse((LISTINGS / f"{name}.s").read_text(encoding="utf-8"))[0]


def wait_evidence(function: Function):
    return report(function, Source(dialect="amdgcn", origin="listing")).evidence


@pytest.mark.parametrize(("name", "matrices", "ahead", "drains"), STAGES, ids=[s[0] for s in STAGES])
def test_stages(name, matrices, ahead, drains):
    found = wait_evidence(kernel(f"waits/{name}"))
    assert found.get(COVER) == ahead / matrices
    assert found.get(DRAINS) == drains / matrices
    assert all(f.source.startswith("listing, loop of depth 1") for f in found.facts if f.name in (COVER, DRAINS))


def test_the_baseline_exposes_global_loads_and_stage_one_leaves_local_reads():
    def fires(name: str) -> dict[str, float]:
        function = kernel(f"waits/{name}")
        return {f.rule: f.share for f in diagnose(wait_evidence(function), PIPELINING).findings}

    assert fires("gluon_base_gfx950").keys() == {"exposed-loop-loads", "exposed-local-reads"}
    assert fires("gluon_stage1_gfx950").keys() == {"exposed-local-reads"}
    assert 0.05 < fires("gluon_base_gfx942")["exposed-loop-loads"] < 0.2, "as its timeline says"
    assert "exposed-loop-loads" not in fires("gluon_stage1_gfx942"), "14 of 32 cover the latency"
    assert fires("gluon_stage2_gfx942") == {}


@pytest.mark.parametrize("name", ["waits/hip_mixed_gfx1030", "triton_scale_gfx90a"])
def test_without_matrix_instructions_in_a_loop_they_are_absent(name):
    found = wait_evidence(kernel(name))
    assert (found.get(COVER), found.get(DRAINS)) == (None, None)
    assert "no matrix instruction in a loop" in found.why_absent(DRAINS)


def test_a_loop_that_waits_for_no_global_load_has_drains_only():
    text = (LISTINGS / "waits/gluon_base_gfx950.s").read_text(encoding="utf-8")
    without = "\n".join(line for line in text.splitlines() if "buffer_load" not in line and "global_load" not in line)
    found = wait_evidence(dialect.load("amdgcn").parse(without)[0])
    assert found.get(COVER) is None
    assert found.why_absent(COVER) == "no global load and matrix instruction in a loop whose waits are known"
    assert found.get(DRAINS) == 4 / 16


def test_an_unmodelled_processor_is_said():
    function = kernel("waits/gluon_base_gfx950")
    other = wait_evidence(Function(function.name, function.instructions, target="gfx700"))
    assert (other.get(COVER), other.get(DRAINS)) == (None, None)
    assert "no wait model for processor gfx700" in other.why_absent("isa.stall_share")
