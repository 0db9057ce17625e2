"""The conv3d ladder with a real compiler: limits as gates, reported figures, hazards, and the CUDA compiler on the same source."""

import re
from base64 import b64decode
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import strata

from hotloop.app.ladder import data as ladder_data
from hotloop.app.ladder.compiled import compile_rung, compiled, unit_of
from hotloop.app.ladder.confirm import groups
from hotloop.app.ladder.contest import launched
from hotloop.app.ladder.subjects import posed
from hotloop.compilers.offer import Compiled, Request
from hotloop.frontends.cuda import COMPILER as CUDA
from hotloop.frontends.hip import COMPILER as HIP
from hotloop.host import toolchain
from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.isa.summary.build import Source, report
from hotloop.kernels.conv3d_depthwise.ladders import hip
from hotloop.kernels.conv3d_depthwise.shape import VIDEO
from hotloop.model.program import Local
from hotloop.targets.target import Target

pytestmark = pytest.mark.skipif(toolchain.package("ziglang") is None, reason="the package ziglang is not installed")
PINNED = "22.1.8"
"""Version of clang that limits and figures were taken with; another one may give other figures, but must keep the limits."""


TARGETS = ["gfx942", "gfx950"]
OLDER = () if strata.WHOLE else ("v97-sgb", "mfma-v2", "mfma-v3", "strip", "toeplitz-low", "v84")
"""Of each kernel, and of each series, a rung that is compiled for the older of two targets, with those below it; for the newer one all are."""


@cache
def ladder(target):
    return compiled("conv3d", target, OLDER if target == TARGETS[0] else ())


def rungs(target):
    return {rung.rung.name: rung for rung in ladder(target).rungs}


@pytest.mark.parametrize("target", TARGETS)
def test_every_rung_compiles_within_its_limits(target):
    view = ladder(target)
    assert {
        rung.rung.name: rung.failure or rung.violations for rung in view.rungs if rung.failure or rung.violations
    } == {}
    assert all(rung.limited and not rung.built.hazards for rung in view.rungs)
    assert view.sound


def test_both_targets_have_rungs_of_every_kernel_and_series():
    here = {(rung.kernel, rung.series) for rung in (view.rung for view in ladder(TARGETS[0]).rungs)}
    assert here == {
        (rung.kernel, rung.series) for rung in ladder_data.ladder_for("conv3d", TARGETS[0]).chosen((), TARGETS[0])
    }


@pytest.mark.parametrize("target", TARGETS)
def test_every_weight_reaches_a_multiply_add(target):
    found = {name: [gate.passed for gate in rung.built.gates] for name, rung in rungs(target).items()}
    assert {name for name, gates in found.items() if gates != [True]} == {"strip"}


@pytest.mark.parametrize("target", TARGETS)
def test_matrix_rungs_are_executed(target):
    executed = {name for name, rung in rungs(target).items() if rung.numerics}
    assert executed == {"mfma-v1", "mfma-v2", "mfma-v3", "toeplitz", "toeplitz-low"}


def test_reported_figures_are_confirmed_or_refuted():
    found = rungs("gfx950")
    if PINNED not in found["v97"].built.compiler:
        pytest.skip(f"figures are of clang {PINNED}")
    said = {(name, c.what): (c.reported, c.here) for name, rung in found.items() for c in rung.claims}
    assert said["v97", "registers"] == (155, 89)  # not confirmed: this clang serialises reads by itself
    assert said["v97-sgb", "registers"] == (86, 87)
    assert said["v97-sgb", "waves per SIMD"] == (5, 4)  # four work-groups of 32,576 bytes, as corrected
    assert said["mfma-v1", "registers"] == (166, 166)
    assert said["jit-dot2", "bytes of LDS"] == (24_888, 24_888)
    assert found["v97-sgb-trim"].built.waves == 5


def test_shifted_weights_leave_nothing_to_unpack():
    found = rungs("gfx950")
    before, after = found["scalar-taps"].built, found["dot2-shifted"].built
    assert before.conversions == 91
    assert after.conversions <= 2
    assert after.instructions < 0.6 * before.instructions


def test_hints_save_registers_where_the_compiler_batches_reads():
    found = rungs("gfx942")
    assert found["v97-sgb"].built.vgprs < found["v97"].built.vgprs


def test_the_barrier_of_the_streaming_rung_needs_its_own_wait():
    """Without it this clang lets writes of the iteration before be in flight at the barrier, and the analysis of waits says so."""
    text = hip.source().replace("LOCAL_WRITES_DONE();\n", "\n")
    rung = hip.toeplitz(VIDEO, {})
    made = compiled_text(text, rung)
    (function,) = (f for f in DIALECT.parse(made.listing) if f.name == made.kernel)
    if "clang version 22.1.8" not in made.compiler:
        pytest.skip(f"seen with clang {PINNED}")
    hazards = report(function, Source(dialect="amdgcn", origin="x")).hazards
    assert any("in flight at the barrier" in str(hazard) for hazard in hazards)


def compiled_text(text, rung):
    made = HIP.compile(
        Request(
            source=Path("conv3d.hip"), text=text, target=Target.parse("gfx942"), kernel=rung.entry, options=rung.options
        )
    )
    assert isinstance(made, Compiled)
    return made


def test_a_card_gets_code_objects_with_their_launches():
    plan, forecast = ladder_data.ladder_for("conv3d", "gfx942"), ladder_data.forecast("conv3d", "gfx942")
    main, last = groups(plan, forecast)

    def program(name, part):
        rung = plan.rung(name)
        made = compile_rung(plan, rung, Target.parse("gfx942"), part.problem)
        return launched(unit_of(plan, rung, "gfx942", part.problem), made, name)

    first, second, channels_last = program("v97", main), program("toeplitz", main), program("v80", last)
    assert b64decode(first.source).startswith(b"\x7fELF")
    (launch,) = first.launches
    assert (launch.global_size, launch.local_size) == ((59 * 256, 512, 1), (256, 1, 1))
    assert launch.entry == "conv3d_pairs"
    assert second.main.arguments[-1] == Local(16_800)
    assert second.main.groups == 512
    assert channels_last.main.groups == 53_100
    assert posed(plan, main.problem).problem.layout == "ncdhw"
    assert posed(plan, last.problem).problem.layout == "ndhwc"


def test_the_same_source_compiles_as_cuda():
    if toolchain.package("triton") is None:
        pytest.skip("ptxas comes with the package triton")
    for kernel, changes in (("pairs", {"TAPS": 1, "MATH": 2, "OUTS": 4}), ("last", {"STAGED": 1})):
        shape = VIDEO if kernel == "pairs" else replace(VIDEO, channels_last=True)
        rung = hip.KERNELS[kernel](shape, changes)
        made = CUDA.compile(
            Request(
                source=Path("k.cu"),
                text=hip.source(),
                target=Target.parse("sm_90"),
                kernel=rung.entry,
                options=rung.options,
            )
        )
        assert isinstance(made, Compiled), made
        assert re.search(r"\bFFMA\b|\bHFMA2\b", made.listing)


def test_one_rung_is_compiled_for_another_problem():
    plan = ladder_data.ladder_for("conv3d", "gfx950")
    made = compile_rung(plan, plan.rung("v97-sgb"), Target.parse("gfx950"), {"c": 4, "h": 20, "w": 32})
    assert isinstance(made, Compiled)
    assert made.resources[0].lds_bytes == 32_576
