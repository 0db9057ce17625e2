"""Kernels whose source alone tries to win without the work: none may be called faster, none may be kept with a time.

The table is data: tests/planted/cheats/source.toml. All share one worker and one incumbent, the honest kernel.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from hotloop.app import session
from hotloop.app.desk import Desk
from hotloop.app.run import checking, faceoff, timing
from hotloop.app.run.attempt import Attempts
from hotloop.app.run.inputs.workload import Workload
from hotloop.app.verify.checker import _Shelf
from hotloop.errors import MachineError
from hotloop.model.check import Accuracy, CheckReport
from hotloop.model.kernel import Empty, Implementation, Kernel, Tolerance, Variant
from hotloop.model.outcome import WrongResult, describe
from hotloop.model.problem import Problem, Work
from hotloop.model.program import Array, Launch, Program, Value
from hotloop.model.record import Record
from hotloop.model.space import Config, Space
from hotloop.model.subject import Subject
from hotloop.model.verdict import Verdict
from hotloop.ports import Engine
from hotloop.stats.paired import PairedTest

N = 8192
STEPS = 400
TRIES = 12
CHEATS = tomllib.loads((Path(__file__).parent / "cheats" / "source.toml").read_text())["cheat"]
PRELUDE = f"""
#define N {N}
float f(float x) {{
    float v = x;
    for (int s = 0; s < {STEPS}; ++s) v += 0.0025f * (1.0f - v * v * v);
    return 1.0f + v;
}}
"""
serial = count()


def source(body: str, state: str = "") -> str:
    return (
        f"{state}\n{PRELUDE}\n__kernel void k(__global float *x, __global float *y, const int n) {{\n"
        f"    const int i = get_global_id(0);\n    if (i >= n) return;\n    {body}\n}}\n"
    )


def kernel(text: str) -> Kernel:
    def plan(p: Problem, _c: object, _d: object) -> Program:
        n = p.integer("n")
        launch = Launch("k", (Array("x"), Array("y"), Value(n, "int32")), (-(-n // 64) * 64,), (64,))
        return Program("opencl", text, ("-cl-std=CL2.0",), (launch,))

    return Kernel(
        family="relax",
        problem=Problem("relax", Record(n=N)),
        inputs=lambda p, rng: {"x": 2 * rng.random(p.integer("n"), np.float32), "y": Empty((p.integer("n"),))},
        reference=reference,
        work=lambda p: Work(4.0 * STEPS * p.integer("n"), 8.0 * p.integer("n")),
        implementations=(Implementation("k", "opencl", Space(()), Config(), plan),),
        tolerance=Tolerance(terms=lambda _p: 64.0),
        awkward=lambda p: tuple(p.replace(n=n) for n in (1, 61, 1000)),
        origin="cheat.py",
        varied=True,
    )


def reference(_p: Problem, arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    v = np.asarray(arrays["x"], np.float64)
    for _ in range(STEPS):
        v = v + 0.0025 * (1.0 - v * v * v)
    return {"y": 1.0 + v}


HONEST = kernel(source("y[i] = f(x[i]);"))


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    try:
        with session.desk(session.Options(limit_s=20)) as opened:
            if opened.device.runtime_key != "intel":
                pytest.skip("the cheats keep results in variables that outlive a call, which only Intel's runtime has")
            yield opened
    except MachineError as reason:
        pytest.skip(f"no OpenCL runtime: {reason}")


@pytest.fixture(scope="module")
def workload(desk: Desk) -> Workload:
    return stand_for(desk)


def stand_for(desk: Desk) -> Workload:
    """Return what all contests at a desk share."""
    return Workload(cast("Engine", _Shelf(desk.engine, "relax.")), HONEST, HONEST.problem, desk.device, desk.seed)


def contest(desk: Desk, workload: Workload, cheat: Kernel) -> tuple[bool, str]:
    """Do what `compare` does: verify, then the duel with the honest kernel; returns whether the cheat won, and why (not)."""
    honest = Variant(HONEST.implementations[0], Config())
    variant = variant_of(cheat)
    verified = checking.check(desk, workload, Subject.of(variant, workload.problem, desk.device), "quick").answer
    if not isinstance(verified, CheckReport):
        return False, describe(verified)
    found = timing.duel(desk, workload, workload.program(honest), workload.program(variant), PairedTest())
    if not isinstance(found, timing.Duel):
        return False, describe(found)
    if found.comparison.verdict is Verdict.FASTER:
        subject = Subject.of(variant, workload.problem, desk.device)
        narrow = faceoff._narrow(desk, workload, Subject.of(honest, workload.problem, desk.device), subject)
        if narrow is not None:
            return False, describe(narrow)
    return found.comparison.verdict is Verdict.FASTER, f"{found.comparison.verdict}, {found.comparison.speedup:.3f}"


def test_the_honest_kernel_is_as_fast_as_itself(desk, workload):
    won, why = contest(desk, workload, HONEST)
    assert not won, why


def test_a_kernel_that_is_really_faster_wins(desk, workload):
    """The guards refuse cheats, not speed: twice the work is the incumbent here. A busy machine may say UNCLEAR for a while."""
    honest = Variant(HONEST.implementations[0], Config())
    program = workload.program(honest)
    twice, verdict, tries = replace(program, launches=program.launches * 2), Verdict.UNCLEAR, 0
    while verdict is Verdict.UNCLEAR and (tries := tries + 1) <= TRIES:
        found = timing.duel(desk, workload, twice, program, PairedTest())
        assert isinstance(found, timing.Duel), describe(found)
        verdict = found.comparison.verdict
    assert verdict is Verdict.FASTER


@pytest.mark.parametrize(
    ("body", "words"), [("y[i] = f(x[i]);", ""), ("if (i < 10000) y[i] = f(x[i]);", "65601"), ("if (n < 2000 || n % 64 == 0 || i < n / 64 * 64) y[i] = f(x[i]);", "8191")],
)  # fmt: skip
def test_a_winner_must_be_right_at_other_sizes_than_the_asked_one(desk, workload, body, words):
    subjects = [
        Subject.of(variant_of(kernel(source(text))), workload.problem, desk.device)
        for text in ("y[i] = f(x[i]);", body)
    ]
    found = faceoff._narrow(desk, workload, *subjects)
    assert (words in describe(found)) if words and found else found is None
    assert bool(words) == (found is not None)


def variant_of(made: Kernel) -> Variant:
    """Return a kernel's variant under a name of its own."""
    implementation = Implementation(f"cheat{next(serial)}", "opencl", Space(()), Config(), made.implementations[0].plan)
    return Variant(implementation, Config())


STEPS_TOGETHER = (
    "float v = x[i]; const float h = 0.0025f; for (int s = 0; s < STEPS / K; ++s) { const float g = 1.0f - v * v * v;"
    " v += h * g * (K - 1.5f * h * K * (K - 1) * v * v); } y[i] = 1.0f + v;"
)
"""K steps of the rule by a polynomial: less work, right on every input, with larger errors the more steps are taken together."""


def test_a_rule_that_gives_up_accuracy_within_the_tolerance_is_told_and_refused_where_the_file_says_so(desk):
    """A faster rule is no cheat; what it costs is told: two steps at once are as accurate as one, five use up much of the tolerance."""
    text = lambda k: source(STEPS_TOGETHER.replace("STEPS / K", str(STEPS // k)).replace("K", str(k)))  # noqa: E731
    variants = [Variant(kernel(text(k)).implementations[0], Config()) for k in (1, 2, 5)]
    careful = replace(HONEST, tolerance=replace(HONEST.tolerance, loss=3.0))
    workload = Workload(
        cast("Engine", _Shelf(desk.engine, "careful.")), careful, careful.problem, desk.device, desk.seed
    )
    attempts = Attempts(desk, workload, None, PairedTest())
    start, pairs, fives = (attempts._verified(variant) for variant in variants)
    assert Accuracy.of(start.report, pairs.report).warning == ""
    assert "less accurate: uses" in Accuracy.of(start.report, fives.report).warning
    attempts.start = start.report
    assert attempts._verified(variants[1]).report.passed
    refused = attempts._verified(variants[2]).outcome
    assert isinstance(refused, WrongResult)
    assert "less accurate than allowed" in describe(refused)
    assert (
        Attempts(replace(desk, loss=50.0), workload, None, PairedTest(), start=start.report)
        ._verified(variants[2])
        .report
    )


EVERY = bool(os.environ.get("HOTLOOP_EVERY_CHEAT"))
FAST = [one for one in CHEATS if one["half"] < 4][::3] + [one for one in CHEATS if one.get("fast")]


@pytest.mark.parametrize("cheat", CHEATS if EVERY else FAST, ids=lambda cheat: cheat["name"].replace(" ", "-"))
def test_no_cheat_wins(desk, workload, cheat):
    won, why = contest(desk, workload, kernel(source(cheat["body"], cheat.get("state", ""))))
    print(f"{'WON' if won else 'refused'}: {cheat['name']}: {why}")
    assert not won or cheat.get("right"), f"{cheat['name']}: {why}"
