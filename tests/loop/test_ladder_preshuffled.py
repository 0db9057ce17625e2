"""The ladder of products with weights in the operands' order, with real compilers: limits as gates, and what unpacking costs."""

from functools import cache

import pytest
import strata

from hotloop.app.emulate.ask import Request, emulate
from hotloop.app.ladder import data as ladder_data
from hotloop.app.ladder.compiled import compiled
from hotloop.host import toolchain
from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.kernels.gemm_preshuffled.ladders import counts, layout_of

pytestmark = pytest.mark.skipif(toolchain.package("ziglang") is None, reason="the package ziglang is not installed")
(LADDER,) = ladder_data.ladders("gemm_preshuffled")


TARGETS = ("gfx942", "gfx950")


@cache
def rungs(target):
    """Return the rungs of a target; of the newer one those that the older one has not, with those below them, unless the whole is asked for."""
    older, newer = ({rung.name for rung in LADDER.on(one)} for one in TARGETS)
    named = () if strata.WHOLE or target == TARGETS[0] else sorted(newer - older)
    return {view.rung.name: view for view in compiled("gemm_preshuffled", target, named).rungs}


def test_every_rung_is_compiled_for_one_of_the_targets():
    assert {name for target in TARGETS for name in rungs(target)} == {rung.name for rung in LADDER.rungs}


@pytest.mark.parametrize("target", TARGETS)
def test_every_rung_compiles_within_its_limits_and_is_executed(target):
    found = {name: view for name, view in rungs(target).items() if view.built or view.failure}
    assert {
        name: view.failure or view.violations for name, view in found.items() if view.failure or view.violations
    } == {}
    assert all(view.limited and not view.built.hazards and view.numerics.passed for view in found.values())
    assert {name: view.built.gates for name, view in found.items() if not all(g.passed for g in view.built.gates)} == {}
    left_out = set(rungs(target)) - set(found)
    assert all(name.startswith("flydsl") for name in left_out)
    assert toolchain.package("flydsl") is None or not left_out


def gate(view, name):
    return next(gate.words for gate in view.built.gates if gate.name == name)


def test_preshuffled_weights_touch_no_local_memory():
    found = rungs("gfx942")
    assert gate(found["staged"], "LDS") == "6 stores and 12 reads per step of 32 products"
    assert gate(found["preshuffled"], "LDS") == "2 stores and 8 reads per step of 32 products"
    assert found["preshuffled"].built.lds_bytes == 8192


@pytest.mark.parametrize(
    ("rung", "operations"), [("w4a8", "7"), ("w4a8-upper", "3"), ("w4a16", "34"), ("w4a16-convert", "13")]
)
def test_unpacking_is_counted(rung, operations):
    assert gate(rungs("gfx942")[rung], "unpacking") == f"{operations} vector operations for eight weights"


def test_exclusive_or_leaves_no_conflicts():
    before, after = (rungs("gfx942")[name].built for name in ("ping-pong", "swizzle"))
    assert before.conflict_cycles > 0
    assert after.conflict_cycles == 0


def test_a_loop_that_is_no_whole_step_is_refused():
    code = "k:\n.LBB0_1:\n\tv_mfma_f32_16x16x16_bf16 v[0:3], v[4:5], v[6:7], v[0:3]\n\ts_cbranch_scc1 .LBB0_1\n\ts_endpgm\n"
    (function,) = DIALECT.parse(code)
    (found,) = counts.gates(layout_of(LADDER, LADDER.rung("swizzle"), "gfx942"), function)
    assert not found.passed
    assert found.words == "1 matrix instructions in the loop, a step has 32"


EXECUTED = ("swizzle", "fp8-fnuz", "w4a16-convert", "w4a8")
EXECUTED_950 = ("wide", "mxfp8")


@pytest.mark.parametrize(
    ("target", "rung"), [*(("gfx942", name) for name in EXECUTED), *(("gfx950", name) for name in EXECUTED_950)]
)
def test_rungs_compute_the_product_when_executed(target, rung):
    done = emulate(Request(text="gemm_preshuffled", target=target, rung=rung))
    assert done.passed
    assert done.findings == ()
