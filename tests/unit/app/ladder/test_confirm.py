"""Predictions against measurements: rungs through the engine, on the null backend and on a virtual AMD card."""

import importlib.util
import json
import os
import re
import sys
from dataclasses import replace
from math import log
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from hotloop import api, registry
from hotloop.app import session
from hotloop.app.desk import Desk, MemoryJournal
from hotloop.app.events import Silent
from hotloop.app.ladder import confirm as ladder_confirm
from hotloop.app.ladder import contest, subjects
from hotloop.app.ladder import data as ladder_data
from hotloop.app.ladder.contest import Met
from hotloop.app.session import Options
from hotloop.cli.commands.ladder import COMMAND
from hotloop.compilers.offer import Compiled
from hotloop.drivers import jit
from hotloop.engine.local import LocalEngine
from hotloop.errors import MachineError, NoDeviceError, UsageError
from hotloop.host.clock import SystemClock
from hotloop.isa.rungs import Collection
from hotloop.kernels.gemm.ladders.program import DEPTH, TILE
from hotloop.model.check import CheckReport
from hotloop.model.jit import parse
from hotloop.model.kernel import Implementation, Kernel
from hotloop.model.ladder import Expectation, Forecast, Ladder, Rung, Unit
from hotloop.model.outcome import CompileFailed, WrongResult
from hotloop.model.problem import Problem, Work
from hotloop.model.program import Array, Launch, Local, Program
from hotloop.model.record import Record
from hotloop.model.space import Config, Parameter, Space
from hotloop.model.verdict import Verdict
from hotloop.stats.paired import PairedTest
from hotloop.verify.cases import Case, draw
from hotloop.verify.oracle import expect

FAKES = Path(__file__).parents[3] / "fakes"
SPEEDS = (100, 105, 106, 137, 140, 145, 200)
SPACE = Space((Parameter("SPEED", SPEEDS), Parameter("FAULT", ("", "wrong", "compile"), ordinal=False)))


def plan(problem, config, device):
    recipe = {"compute": "copy", "call_ns": 4e8 / config.SPEED, "noise": 0.001, "fault": config.FAULT}
    return Program("null", json.dumps(recipe), launches=(Launch("copy", (Array("x"), Array("y")), (64,), (16,)),))


KERNEL = Kernel(
    family="fake",
    problem=Problem("fake", Record(n=256)),
    inputs=lambda p, rng: {"x": rng.standard_normal(p.n, "f4"), "y": api.empty(p.n)},
    reference=lambda p, arrays: {"y": arrays["x"].astype("f8")},
    work=lambda p: Work(flops=p.n, bytes=8 * p.n),
    implementations=(Implementation("copy", "null", SPACE, Config(SPEED=100, FAULT=""), plan),),
)
FORECAST = Forecast(
    target="gfx942",
    ladder="cdna",
    problem=Record(n=64),
    winner="stage2",
    steps=(Expectation("stage1", "base", 1.1, 1.8, "waits"), Expectation("stage2", "stage1", 0.97, 1.1, "waits")),
    compiler="triton 3.9.0",
    made="2026-11-21",
    file="x.toml",
)
NAMES = ("base", "stage1", "stage2")


def ladder(*changes, source="", targets=("gfx942",)):
    rungs = [
        Rung(name=name, change="", after=after, config=Record(**change))
        for name, after, change in zip(NAMES, ("", *NAMES), changes, strict=False)
    ]
    return Ladder(name="cdna", family="fake", title="", targets=targets, rungs=tuple(rungs), source=source)


@pytest.fixture
def fake(monkeypatch):
    """Make the family known, with a package of ladders that holds nothing."""
    monkeypatch.setattr(subjects.userfile, "find", lambda family: KERNEL)
    monkeypatch.setattr(ladder_data, "collection", lambda family: Collection(__name__))


@pytest.fixture(scope="module")
def opened():
    with session.desk(Options(language="null", limit_s=20), Silent()) as made:
        yield made


@pytest.fixture
def measured(opened, fake):
    def measure(*changes):
        test = PairedTest()
        compared = ladder_confirm.compared(opened, ladder(*changes), FORECAST, test)
        return ladder_confirm.judge(FORECAST, "a card", compared), compared

    return measure


@pytest.fixture
def confirmed(measured):
    return lambda *speeds: measured(*({"SPEED": speed} for speed in speeds))[0]


# --- judgement -------------------------------------------------------------------------------------------------------


def test_predictions_hold_when_measured_intervals_meet_them(confirmed):
    found = confirmed(100, 140, 145)
    assert [o.held for o in found.outcomes] == [True, True]
    assert found.winner == "stage2"
    assert found.held


def test_a_measurement_outside_of_the_interval_refutes(confirmed):
    found = confirmed(100, 105, 106)
    assert [o.held for o in found.outcomes] == [False, True]
    assert "below the predicted interval" in found.outcomes[0].reason
    assert not found.held


def test_another_winner_refutes_although_every_step_holds(confirmed):
    found = confirmed(100, 140, 137)
    assert all(o.held for o in found.outcomes)
    assert found.outcomes[1].comparison.verdict is not Verdict.FASTER
    assert (found.winner, found.held) == ("stage1", False)


def test_what_could_not_be_measured_did_not_hold():
    found = ladder_confirm.judge(
        FORECAST, "a card", dict.fromkeys([("stage1", "base"), ("stage2", "stage1")], Met(None, "crashed"))
    )
    assert not any(o.held for o in found.outcomes)
    assert found.winner == ""


def test_speedups_are_those_of_the_rounds(measured):
    _, compared = measured({"SPEED": 100}, {"SPEED": 200}, {"SPEED": 200})
    assert log(compared["stage1", "base"].comparison.speedup) == pytest.approx(log(2.0), abs=0.01)


@pytest.mark.parametrize(("fault", "words"), [("wrong", "wrong"), ("compile", "compile")])
def test_a_rung_that_is_not_right_is_told_and_not_timed(measured, fault, words):
    found, compared = measured({"SPEED": 100}, {"SPEED": 140, "FAULT": fault}, {"SPEED": 145, "FAULT": ""})
    assert words in compared["stage1", "base"].why_not
    assert compared["stage1", "base"] == compared["stage2", "stage1"]
    assert not any(o.held for o in found.outcomes)


# --- which card ------------------------------------------------------------------------------------------------------

without_card = pytest.mark.skipif(Path("/dev/kfd").exists(), reason="this machine has an AMD GPU")


@without_card
def test_confirming_needs_a_card():
    with pytest.raises(NoDeviceError, match="no AMD GPU") as caught:
        ladder_confirm.confirm("gemm", "gfx942", Options(), Silent())
    assert caught.value.exit_code == 3


def test_confirming_needs_a_target():
    with pytest.raises(UsageError, match="--target"):
        CliRunner().invoke(COMMAND, ["gemm", "--confirm"], standalone_mode=False, catch_exceptions=False)


# --- code objects on a virtual card ----------------------------------------------------------------------------------

TEXT = """
/*fake {name}: y[:64] = {value}*/
/*time {name}: {time_ns}*/
extern "C" __global__ void {name}(const float *x, float *y) {{}}
"""
RUNGS = {"base": ("x[:64]", 3e6), "stage1": ("x[:64]", 2e6), "stage2": ("x[:64] + 1", 1e6)}


def unit(ladder, rung, target, sizes):
    return Unit(
        language="hip", name="copy.hip", text="", entry=rung.name, grid=(2, 1, 1), threads=32, shared_bytes=512,
        arrays=("x", "y"),
    )  # fmt: skip


def built(ladder, rung, target, sizes):
    value, time_ns = RUNGS[rung.name]
    text = TEXT.format(name=rung.name, value=value, time_ns=time_ns)
    image = json.dumps({"text": text, "macros": {}, "symbols": {rung.name: rung.name}}).encode()
    return Compiled(
        kernel=rung.name, language="hip", target="gfx942", listing="", dialect="amdgcn", binary=image, resources=(),
        compiler="clang",
    )  # fmt: skip


@pytest.fixture
def card(monkeypatch):
    """A desk with a virtual MI300X, and the family's rungs as code objects for it."""
    monkeypatch.setattr(subjects.userfile, "find", lambda family: KERNEL)
    monkeypatch.setattr(ladder_data, "collection", lambda family: Collection(__name__, unit=unit))
    monkeypatch.setattr(contest, "compile_rung", built)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(FAKES), *sys.path])}
    with LocalEngine(environment, run_limit_s=20) as engine:
        yield Desk(engine, engine.select("", "hip"), MemoryJournal(), SystemClock())


def test_code_objects_are_verified_and_compared_on_a_card(card):
    compared = ladder_confirm.compared(card, ladder({}, {}, {}, source="copy.hip"), FORECAST, PairedTest())
    assert compared["stage1", "base"].comparison.speedup == pytest.approx(1.5, rel=0.05)
    assert "wrong" in compared["stage2", "stage1"].why_not


def test_every_rung_is_verified_once(card, monkeypatch):
    asked = []
    monkeypatch.setattr(contest, "compile_rung", lambda *given: asked.append(given[1].name) or built(*given))
    one = contest.Contest(card, ladder({}, {}, {}, source="copy.hip"), FORECAST)
    assert isinstance(one.verify("base"), CheckReport)
    assert isinstance(one.verify("stage2"), WrongResult)
    assert one.verify("stage2") is one.verify("stage2")
    assert asked == ["base", "stage2"]


def test_a_rung_that_does_not_compile_here_is_the_machines_fault(card, monkeypatch):
    monkeypatch.setattr(contest, "compile_rung", lambda *given: CompileFailed("no such builtin"))
    one = contest.Contest(card, ladder({}, {}, {}, source="copy.hip"), FORECAST)
    with pytest.raises(MachineError, match="rung base cannot be compiled for gfx942 here"):
        one.verify("base")


def test_the_launch_of_a_unit_is_the_programs():
    made = built(None, Rung(name="base", change=""), None, {})
    program = contest.launched(replace(unit(None, Rung(name="base", change=""), "", {}), grid=(2, 3, 4)), made, "base")
    (launch,) = program.launches
    assert (launch.global_size, launch.local_size, launch.groups) == ((64, 3, 4), (32, 1, 1), 24)
    assert launch.arguments == (Array("x"), Array("y"), Local(512))


# --- the families' own rungs -----------------------------------------------------------------------------------------

SMALL = {
    "gemm": {"m": 128, "n": 256, "k": 192},
    "attention": {"heads": 2, "queries": 5, "keys": 7},
    "conv3d_depthwise": {"n": 1, "c": 2, "d": 4, "h": 6, "w": 8},
}


@pytest.mark.parametrize("family", SMALL)
def test_what_a_rung_is_launched_with_are_the_inputs_of_its_problem(family):
    plan = ladder_data.ladder_for(family, "gfx942")
    kernel = subjects.posed(plan, SMALL[family])
    drawn = draw(kernel, Case(kernel.problem, "normal", 1, 0))
    assert kernel.awkward(kernel.problem) == ()
    outputs = expect(kernel, kernel.problem, drawn).outputs
    assert all(outputs[name].shape == drawn[name].shape for name in outputs)
    unit = contest.unit_of(plan, plan.rungs[0], "gfx942", SMALL[family])
    assert unit is None or set(unit.arrays) == set(drawn)


def test_packed_weights_give_the_same_convolution():
    plan = ladder_data.ladder_for("conv3d", "gfx942")
    sizes = SMALL["conv3d_depthwise"] | {"layout": "ndhwc"}
    packed = subjects.posed(plan, sizes)
    own = replace(subjects.userfile.find("conv3d_depthwise"), problem=packed.problem)
    case = Case(packed.problem, "normal", 1, 0)
    left, right = (expect(kernel, packed.problem, draw(kernel, case)).outputs["y"] for kernel in (packed, own))
    assert draw(packed, case)["weights"].shape == (3, 5, 5, 2)
    assert np.array_equal(left, right)


def gluon(rung, target="gfx942", **sizes):
    plan = ladder_data.ladder_for("gemm", target)
    kernel = subjects.posed(plan, SMALL["gemm"] | sizes)
    device = type("Card", (), {"target": target})()
    return subjects.subject_of(kernel, plan, plan.rung(rung), kernel.problem, device).plan(kernel.problem, device)


@pytest.mark.skipif(importlib.util.find_spec("triton") is None, reason="Triton is not installed")
@pytest.mark.parametrize(
    ("rung", "target"), [("base", "gfx942"), ("stage2-drained", "gfx950"), ("stage2-deep", "gfx942")]
)
def test_a_gluon_rung_has_the_values_that_it_is_compiled_with(tmp_path, rung, target):
    from hotloop.kernels.gemm.ladders import stages

    program = gluon(rung, target)
    module = jit.loaded(program, parse(program.options), tmp_path)
    kernel = ladder_data.ladder_for("gemm", target).rung(rung).kernel
    declared = stages.DECLARED[f"{kernel}_{target}"]
    assert {name: value for name, value in module.values.items() if name != "num_warps"} == declared
    assert (declared["M"], declared["N"]) == (TILE, TILE)
    assert DEPTH % declared["K"] == 0
    (launch,) = program.launches
    placed = jit.placed(jit.function(module, launch.entry), module, launch, lambda argument: argument)
    assert [placed[name].value for name in ("m", "n", "k", "sa", "sb", "sc")] == [128, 256, 192, 192, 256, 256]
    assert launch.groups == 2


def test_sizes_that_a_gluon_rung_has_no_masks_for_are_refused():
    with pytest.raises(ValueError, match="base takes m, n and k in multiples of 128, 128 and 64"):
        gluon("base", m=100)
    assert gluon("base-ragged", m=100, k=48).launches[0].groups == 2
    with pytest.raises(ValueError, match="multiples of 1, 16 and 16"):
        gluon("base-ragged", k=50)


# --- the script ------------------------------------------------------------------------------------------------------


def test_the_device_script_uses_commands_that_exist():
    script = (Path(__file__).parents[3] / "device" / "mi300x.sh").read_text(encoding="utf-8")
    calls = re.findall(r"^\s*hotloop (\w+)", script, re.MULTILINE)
    assert {"doctor", "ladder", "explain"} == set(calls)
    assert set(calls) <= set(registry.names("hotloop.cli.commands"))
    known = {name for parameter in COMMAND.params for name in parameter.opts}
    assert set(re.findall(r"(--[a-z]+)", "".join(re.findall(r"hotloop ladder[^>\n]*", script)))) <= known
