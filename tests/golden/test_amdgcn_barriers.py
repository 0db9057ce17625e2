"""Writes of local memory in flight at a barrier, in listings of compilers that are wrong and right; see `amdgcn/barriers/README.md`."""

from pathlib import Path

import pytest

from hotloop.app.code import analysis as isa
from hotloop.isa.amdgcn.findings import HazardKind
from hotloop.isa.amdgcn.waits import analyse
from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.isa.summary.limits import Limits, check

LISTINGS = Path(__file__).parent / "amdgcn" / "barriers"
WRONG = ("ring_gfx942", "ring_gfx950", "ring_gfx1012", "ring_gfx1100", "toeplitz_gfx942", "triton_product_gfx1100")
RIGHT = sorted({file.stem for file in LISTINGS.glob("*.s")} - {*WRONG})


def hazards(text):
    return [hazard for function in DIALECT.parse(text) for hazard in analyse(function).hazards]


def listing(name):
    return (LISTINGS / f"{name}.s").read_text()


@pytest.mark.parametrize("name", WRONG)
def test_a_dropped_wait_is_found_at_the_barrier_of_the_loop(name):
    found = hazards(listing(name))
    assert found
    assert {hazard.kind for hazard in found} == {HazardKind.BARRIER}
    assert {hazard.consumer.mnemonic for hazard in found} == {"s_barrier"}
    assert all(hazard.operation.mnemonic.startswith(("ds_write", "ds_store")) for hazard in found)
    assert all(hazard.operation.line > hazard.consumer.line for hazard in found)  # across the back edge


@pytest.mark.parametrize("name", RIGHT)
def test_code_with_the_wait_raises_no_alarm(name):
    assert hazards(listing(name)) == []


@pytest.mark.parametrize("name", WRONG)
def test_the_wait_before_the_barrier_mends_it(name):
    mended = listing(name).replace("\ts_barrier", "\ts_waitcnt lgkmcnt(0)\n\ts_barrier")
    assert hazards(mended) == []


def test_reports_and_gates_tell_it():
    wrong, right = (
        isa.analyse(isa.Request(text=str(LISTINGS / f"{name}.s"))) for name in ("ring_gfx942", "ring_waits_gfx942")
    )
    assert "in flight at the barrier" in wrong[0].hazards[0]
    assert "lgkmcnt(0)" in wrong[0].hazards[0]
    assert [c.passed for reports in (wrong, right) for c in check(reports, Limits(max_hazards=0))] == [False, True]
