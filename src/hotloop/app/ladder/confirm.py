"""Committed predictions about a ladder, checked on a card."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import log
from pathlib import Path
from statistics import median
from typing import Any

from hotloop.app import userfile
from hotloop.app.events import Listener, Stage
from hotloop.app.ladder import data as ladder_data
from hotloop.app.ladder.compiled import compile_rung, config_of, rung_target, source_of, unit_of
from hotloop.app.run import timing
from hotloop.app.run.checking import check
from hotloop.app.run.workload import Workload
from hotloop.app.session import Options, desk
from hotloop.compilers.offer import Compiled
from hotloop.errors import MachineError, MissingExtraError, NoDeviceError, UsageError
from hotloop.host import toolchain
from hotloop.host.process import Child, ChildDiedError, ChildSilentError
from hotloop.model.check import CheckReport
from hotloop.model.kernel import Variant
from hotloop.model.ladder import Expectation, Forecast, Ladder, Rung
from hotloop.model.outcome import describe
from hotloop.model.record import Record
from hotloop.model.subject import Subject
from hotloop.model.verdict import Comparison, Verdict
from hotloop.report.ladder.view import Confirmation, Outcome
from hotloop.stats.paired import LOOKS, PairedTest
from hotloop.targets.target import Target

CHILD = "hotloop.app.ladder.measure"
_DRIVER = Path("/dev/kfd")
"""The device file of AMD's compute driver."""


def confirm(family: str, target: str, options: Options, listener: Listener, *, margin: float = 0.02) -> Confirmation:
    """Measure what is predicted for a target.

    Raises:
        UsageError: there is no prediction for the target.
        MachineError: this machine has no such card, or cannot run kernels on it.
    """
    ladder = ladder_data.ladder_for(family, target)
    forecast = ladder_data.forecast(family, target)
    if forecast is None:
        raise UsageError(
            f"nothing is predicted for {family} on {target}; compile it: hotloop ladder {family} --target {target}."
        )
    if not _DRIVER.exists():
        raise NoDeviceError(
            f"predictions for {target} need that GPU, and this machine has no AMD GPU ({_DRIVER} is missing); "
            f"run this on one, or compile here with: hotloop ladder {family} --target {target}."
        )
    test = PairedTest(margin=margin)
    run = _by_torch if ladder.source else _by_opencl
    device, compared = run(ladder, forecast, options, listener, test)
    return judge(forecast, device, compared)


def judge(forecast: Forecast, device: str, compared: Mapping[tuple[str, str], Comparison | str]) -> Confirmation:
    """Return which predictions held: the measured interval meets the predicted one; a failure is a text.

    The winner is the rung that ends highest when every step's measured speedup is multiplied along the way.
    """
    outcomes = tuple(_outcome(step, compared[step.rung, step.over]) for step in forecast.steps)
    return Confirmation(forecast, device, outcomes, winner(outcomes))


def _outcome(step: Expectation, found: Comparison | str) -> Outcome:
    if isinstance(found, str):
        return Outcome(step, None, held=False, reason=found)
    if step.low <= found.low and found.high <= step.high:
        return Outcome(step, found, held=True, reason="the measured interval lies in the predicted one")
    if found.high < step.low or found.low > step.high:
        side = "above" if found.low > step.high else "below"
        reason = f"measured {found.low:.2f} to {found.high:.2f}, {side} the predicted interval"
        return Outcome(step, found, held=False, reason=reason)
    if found.verdict is Verdict.UNCLEAR:
        return Outcome(step, found, held=False, reason=f"unclear: {found.reason}")
    return Outcome(step, found, held=True, reason="the measured interval meets the predicted one")


def winner(outcomes: Sequence[Outcome]) -> str:
    """Return the fastest rung by the measured steps; empty when nothing was measured."""
    heights: dict[str, float] = {}
    for outcome in outcomes:
        step, found = outcome.expected, outcome.comparison
        if found is not None:
            below = heights.setdefault(step.over, 0.0)
            heights[step.rung] = below + log(found.speedup)
    return max(heights, key=lambda name: heights[name], default="")


# -- OpenCL -----------------------------------------------------------------------------------------------------------


def _by_opencl(
    ladder: Ladder, forecast: Forecast, options: Options, listener: Listener, test: PairedTest
) -> tuple[str, dict[tuple[str, str], Comparison | str]]:
    kernel = userfile.find(ladder.family)
    with desk(options.running(kernel.implementation()), listener) as made:
        if made.device.target.partition(":")[0] != forecast.target:
            raise NoDeviceError(
                f"the OpenCL device here is {made.device.name} ({made.device.target}), not {forecast.target}."
            )
        problem = kernel.problem.replace(**forecast.problem)
        workload = Workload(made.engine, kernel, problem, made.device, made.seed)
        found: dict[tuple[str, str], Comparison | str] = {}
        for step in forecast.steps:
            made.tell(Stage(f"comparing {step.rung} with {step.over}"))
            rungs = [ladder.rung(name) for name in (step.over, step.rung)]
            pair = [
                Variant(
                    kernel.implementation(ladder.implementation(rung)),
                    config_of(kernel, ladder, rung, forecast.target),
                )
                for rung in rungs
            ]
            answers = [
                check(made, workload, Subject.of(variant, workload.problem, workload.device)).answer for variant in pair
            ]
            wrong = next((a for a in answers if not isinstance(a, CheckReport)), None)
            if wrong is not None:
                found[step.rung, step.over] = describe(wrong)
                continue
            under, over = (workload.program(variant) for variant in pair)
            duel = timing.duel(made, workload, under, over, test)
            found[step.rung, step.over] = duel.comparison if isinstance(duel, timing.Duel) else describe(duel)
        return made.device.name, found


# -- code objects, Triton and Gluon -----------------------------------------------------------------------------------


def _by_torch(
    ladder: Ladder, forecast: Forecast, options: Options, listener: Listener, test: PairedTest
) -> tuple[str, dict[tuple[str, str], Comparison | str]]:
    if toolchain.package("torch") is None:
        raise MachineError("running a ladder's kernels on an AMD card needs PyTorch; install its build for ROCm.")
    child = Child(CHILD, toolchain.environment(TRITON_DEFAULT_FP_FUSION="1"))
    found: dict[tuple[str, str], Comparison | str] = {}
    try:
        card = _ask(child, {"ask": "device"}, options.limit_s)
        if card["target"] != forecast.target:
            raise NoDeviceError(f"the GPU here is {card['name']} ({card['target']}), not {forecast.target}.")
        with tempfile.TemporaryDirectory(prefix="hotloop-") as folder:
            for group in groups(ladder, forecast):
                names = tuple(dict.fromkeys(name for step in group.steps for name in (step.over, step.rung)))
                asked = question(ladder, group, names, Path(folder), seed=options.seed, rounds=LOOKS[-1])
                listener.notify(Stage(f"verifying and timing {', '.join(names)}"))
                found |= paired(group, names, _ask(child, asked, 10 * options.limit_s)["rounds"], test)
    finally:
        child.kill()
    return card["name"], found


def groups(ladder: Ladder, forecast: Forecast) -> tuple[Forecast, ...]:
    """Return a forecast in parts that each solve one problem, so that their rungs can share inputs."""
    parts: dict[Record, list[Expectation]] = {}
    for step in forecast.steps:
        parts.setdefault(ladder.rung(step.rung).problem, []).append(step)
    return tuple(
        replace(forecast, problem=Record({**forecast.problem, **own}), steps=tuple(steps))
        for own, steps in parts.items()
    )


def question(
    ladder: Ladder, forecast: Forecast, names: Sequence[str], folder: Path, *, seed: int, rounds: int
) -> dict[str, Any]:
    """Return what the child is asked; rungs that are compiled beforehand leave their code objects in `folder`.

    Raises:
        MissingExtraError: Triton is needed, or the compiler, and is not installed.
        MachineError: a rung does not compile here.
    """
    kernel = None if ladder_data.collection(ladder.family).unit else _jitted
    make = kernel or partial(_built, folder=folder)
    return {
        "ask": "rungs",
        "card": ladder_data.collection(ladder.family).card,
        "problem": {**ladder.problem, **forecast.problem},
        "kernels": [make(ladder, ladder.rung(name), forecast) for name in names],
        "rounds": rounds,
        "seed": seed,
    }


def _jitted(ladder: Ladder, rung: Rung, forecast: Forecast) -> dict[str, Any]:
    if toolchain.package("triton") is None:
        raise MissingExtraError("running Triton and Gluon kernels on a card", "torch")
    name = f"{rung.kernel}_{forecast.target}"
    return {"name": name, "path": str(source_of(ladder)), "language": ladder.language}


def _built(ladder: Ladder, rung: Rung, forecast: Forecast, *, folder: Path) -> dict[str, Any]:
    target = rung_target(rung, Target.parse(forecast.target))
    made, unit = (
        compile_rung(ladder, rung, target, forecast.problem),
        unit_of(ladder, rung, target.name, forecast.problem),
    )
    if not isinstance(made, Compiled) or unit is None:
        reason = "it has no source" if isinstance(made, Compiled) else describe(made)
        raise MachineError(f"rung {rung.name} cannot be compiled for {target} here: {reason}")
    binary = folder / f"{rung.name}.hsaco"
    binary.write_bytes(made.binary)
    return {
        "name": rung.name, "binary": str(binary), "entry": made.kernel, "grid": unit.grid, "threads": unit.threads,
        "shared_bytes": unit.shared_bytes,
    }  # fmt: skip


def _ask(child: Child, message: Mapping[str, Any], limit_s: float) -> dict[str, Any]:
    try:
        answer = child.ask(message, limit_s)
    except ChildSilentError:
        raise MachineError(
            f"the card did not answer within {limit_s:.0f} s; raise --limit or look at its driver."
        ) from None
    except ChildDiedError as died:
        raise MachineError(
            f"the process that runs kernels on the card ended ({died.returncode}); see rocm-smi."
        ) from None
    if "failed" in answer:
        raise MachineError(f"the card cannot run the ladder: {answer['failed']}.")
    return answer


def paired(
    forecast: Forecast, names: Sequence[str], rounds: Sequence[Sequence[float]], test: PairedTest
) -> dict[tuple[str, str], Comparison | str]:
    """Return the comparison of every predicted step from the ns per call of all rungs in interleaved rounds."""
    at = {name: place for place, name in enumerate(names)}
    found: dict[tuple[str, str], Comparison | str] = {}
    for step in forecast.steps:
        ratios = [log(one[at[step.over]] / one[at[step.rung]]) for one in rounds]
        decided = test.decide(ratios)
        found[step.rung, step.over] = decided or f"not decided after {len(ratios)} rounds, median {median(ratios):.3f}"
    return found
