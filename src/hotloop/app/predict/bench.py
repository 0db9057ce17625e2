"""Variants of one kernel on one problem, predicted for one card: inputs are drawn once, what was asked is remembered."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from hotloop.app import userfile
from hotloop.app.code import analysis, offline
from hotloop.app.emulate import compiled
from hotloop.app.predict.answer import of_task
from hotloop.app.predict.crew import Crew, UnfinishedError, digest_of
from hotloop.app.predict.kept import Kept, key_of
from hotloop.app.predict.quiet import Quiet
from hotloop.diagnose.code import Launched, placed
from hotloop.emulate.errors import EmulateError
from hotloop.errors import HotloopError, MissingExtraError, UsageError
from hotloop.metrics.device import device_facts
from hotloop.metrics.launch import launch
from hotloop.model.evidence import Evidence
from hotloop.predict.card import Card, card
from hotloop.predict.ranking import Ranked
from hotloop.targets.target import Target

if TYPE_CHECKING:
    from hotloop.app.emulate.task import Task
    from hotloop.model.device import Device
    from hotloop.model.kernel import Implementation, Inputs, Kernel
    from hotloop.model.problem import Problem
    from hotloop.model.program import Program
    from hotloop.model.space import Config
    from hotloop.predict.sequence import Sequel

_QUOTED = re.compile(r'^\s*#\s*include\s*"', re.MULTILINE)
"""An included file, which may change while the text does not."""


@dataclass(slots=True)
class Bench:
    """Where variants are predicted; nothing is measured."""

    kernel: Kernel
    implementation: Implementation
    problem: Problem
    target: Target
    card: Card
    seed: int = 1
    kept: Kept | None = None
    """Where predictions are looked up and kept; None: nowhere."""
    device: Device = field(init=False)
    """The device facts that plans and techniques ask for."""
    _inputs: Inputs | None = field(init=False, default=None)
    _known: dict[Config, Ranked] = field(init=False, default_factory=dict)
    _codes: dict[str, compiled.Code] = field(init=False, default_factory=dict)
    crew: Crew | None = field(init=False, default=None)
    """Processes that predict; None: this one does it."""
    _drawn: threading.Lock = field(init=False, default_factory=threading.Lock)
    _digest: str = field(init=False, default="")

    def __post_init__(self) -> None:
        """Make the device out of what is known of the chip."""
        card_ = self.card
        self.device = replace(
            offline.device_for(self.target),
            name=card_.name,
            compute_units=card_.units * card_.unit_simds // card_.simds,
            l1_bytes=card_.l1_bytes,
            l2_bytes=card_.l2_bytes,
        )

    def candidate(self, config: Config) -> Ranked:
        """Return a configuration with its prediction, or with the reason why there is none; any thread may ask."""
        if config not in self._known:
            try:
                self._known[config] = Ranked(config=config, prediction=self._foreseen(self._program(config)))
            except UnfinishedError as reason:  # not so the next time, perhaps
                return Ranked(config=config, prediction=None, why_not=str(reason))
            except MissingExtraError:  # no configuration could be predicted without it
                raise
            except HotloopError as reason:
                self._known[config] = Ranked(config=config, prediction=None, why_not=str(reason))
        return self._known[config]

    def staffed(self, limit_s: float) -> Crew:
        """Return processes that predict for this bench from now on; none of them takes longer than `limit_s` for a prediction."""
        self.crew = Crew(self.target.name, self.card.name, self.implementation.name, self._given, limit_s)
        return self.crew

    def _foreseen(self, program: Program) -> Sequel:
        if self.kept is None or not _whole(program):
            return self._made(program)
        name = program.source_name or program.language
        key = key_of(program.fingerprint, name, self.implementation.name, self._contents(), self.target.name, self.card)
        found = self.kept.get(key)
        if found is None:
            try:
                found = self._made(program)
            except compiled.UnbuiltError:
                raise
            except (UsageError, EmulateError) as reason:
                found = str(reason)
            self.kept.put(key, found)
        if isinstance(found, str):
            raise UsageError(found)
        return found

    def _made(self, program: Program) -> Sequel:
        if self.crew is not None:
            return self.crew.predict(program)
        return of_task(self._task(program), self.card)

    def _given(self) -> Inputs:
        with self._drawn:
            if self._inputs is None:
                self._inputs = self.kernel.inputs(self.problem, Quiet(self.seed))
            return self._inputs

    def _contents(self) -> str:
        if not self._digest:
            self._digest = digest_of(self._given())
        return self._digest

    def evidence(self, config: Config) -> Evidence:
        """Return what code, launch and device say of a configuration; no time is among it, as none was measured."""
        program = self._program(config)
        facts = device_facts(self.device).merged(launch(program, self.device))
        main = program.main
        if main is None:
            return facts
        code, _ = self._compiled(program).serving(main)
        reports = analysis.of_text(code.listing, program.source_name or program.language, code.target)
        report = next((listed for listed in reports if main.entry in listed.kernel), reports[0])
        size = int(np.prod(main.local_size)) if main.local_size else None
        return facts.merged(placed(report, Launched(workgroup=size)).evidence)

    def _program(self, config: Config) -> Program:
        variant = userfile.starting(self.kernel, self.implementation.name, dict(config))
        try:
            return variant.program(self.problem, offline.device_for(self.target))
        except ValueError as reason:
            raise UsageError(f"{variant.label} on {self.problem.key}: {reason}.") from None

    def _compiled(self, program: Program) -> compiled.Code:
        if program.build_key not in self._codes:
            self._codes = {
                program.build_key: compiled.compiled(program, self.target)
            }  # only the latest: texts are long
        return self._codes[program.build_key]

    def _task(self, program: Program) -> Task:
        return compiled.task(self.implementation.name, program, self._compiled(program), self._given())


def _whole(program: Program) -> bool:
    """Tell whether a program's text and options are all that its code is made of: no other files."""
    named = any(option.startswith(("-I", "-i")) for option in program.options)
    return program.language in ("opencl", "hip") and not named and _QUOTED.search(program.source) is None


def bench(
    kernel: Kernel, implementation: Implementation, problem: Problem, target: str, chip: str = "", seed: int = 1,
    kept: Kept | None = None,
) -> Bench:  # fmt: skip
    """Return a bench for a card that is not here.

    Raises:
        UsageError: the target is no AMD GPU, no chip is known for it, or the chip is of another target.
    """
    aim = Target.parse(target)
    device = card(chip or aim.name)
    if device.target.name != aim.name:
        raise UsageError(
            f"{device.name} is a {device.target.name}, not a {aim.name}: give --target {device.target.name}."
        )
    return Bench(kernel, implementation, problem, aim, device, seed, kept)
