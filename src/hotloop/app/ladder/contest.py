"""The rungs of a forecast on a card, through the engine: each verified once, those that are predicted compared in pairs."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hotloop.app.events import Stage
from hotloop.app.ladder.compiled import compile_rung, rung_target, unit_of
from hotloop.app.ladder.subjects import posed, subject_of
from hotloop.app.run import timing
from hotloop.app.run.checking import check
from hotloop.app.run.inputs.workload import Workload
from hotloop.compilers.offer import Compiled
from hotloop.errors import MachineError
from hotloop.model.check import CheckReport
from hotloop.model.ladder import Expectation, Forecast, Ladder, Rung, Unit
from hotloop.model.outcome import Failure, describe
from hotloop.model.program import CODE_OBJECT, Argument, Array, Launch, Local, Program, Value
from hotloop.model.subject import Subject
from hotloop.model.verdict import Comparison
from hotloop.stats.paired import PairedTest
from hotloop.targets.target import Target

if TYPE_CHECKING:
    from hotloop.app.desk import Desk


@dataclass(frozen=True, slots=True)
class Met:
    """What became of a predicted step on a card."""

    comparison: Comparison | None
    why_not: str = ""
    """Why its rungs were not compared; empty: they were."""


class Contest:
    """Rungs that solve one problem on one card."""

    def __init__(self, desk: Desk, ladder: Ladder, forecast: Forecast, prefix: str = "") -> None:
        self.desk, self.ladder, self.forecast = desk, ladder, forecast
        self.kernel = posed(ladder, forecast.problem)
        self.workload = Workload(desk.engine, self.kernel, self.kernel.problem, desk.device, desk.seed, prefix)
        self._subjects: dict[str, Subject] = {}
        self._answers: dict[str, CheckReport | Failure] = {}

    def compare(self, step: Expectation, test: PairedTest) -> Met:
        """Return the comparison of a predicted step.

        Raises:
            MachineError: a rung that is compiled beforehand does not compile here.
        """
        self.desk.tell(Stage(f"comparing {step.rung} with {step.over}"))
        for name in (step.over, step.rung):
            answer = self.verify(name)
            if not isinstance(answer, CheckReport):
                return Met(None, describe(answer))
        duel = timing.duel(self.desk, self.workload, self._program(step.over), self._program(step.rung), test)
        return Met(duel.comparison) if isinstance(duel, timing.Duel) else Met(None, describe(duel))

    def verify(self, name: str) -> CheckReport | Failure:
        """Return whether a rung is right on the problem, asked once. Raises as `compare`."""
        if name not in self._answers:
            self._answers[name] = check(self.desk, self.workload, self._subject(name)).answer
        return self._answers[name]

    def _program(self, name: str) -> Program:
        planned = self._subject(name).plan(self.workload.problem, self.desk.device)
        assert planned is not None
        return planned.resolved(self.workload.timed().scalars)

    def _subject(self, name: str) -> Subject:
        if name not in self._subjects:
            self._subjects[name] = self._made(self.ladder.rung(name))
        return self._subjects[name]

    def _made(self, rung: Rung) -> Subject:
        problem, device = self.workload.problem, self.desk.device
        unit = unit_of(self.ladder, rung, self.forecast.target, self.forecast.problem)
        if unit is None:
            return subject_of(self.kernel, self.ladder, rung, problem, device)
        built = self._built(rung, unit)
        return Subject(rung.name, lambda _problem, _device: built, problem, device, rung.name)

    def _built(self, rung: Rung, unit: Unit) -> Program:
        """Return a unit's program with the code that the prediction is about, not what the card's own compiler would make."""
        target = rung_target(rung, Target.parse(self.forecast.target))
        made = compile_rung(self.ladder, rung, target, self.forecast.problem)
        if not isinstance(made, Compiled):
            raise MachineError(f"rung {rung.name} cannot be compiled for {target} here: {describe(made)}")
        return launched(unit, made, rung.name)


def launched(unit: Unit, made: Compiled, name: str) -> Program:
    """Return the program that launches a unit's code object."""
    x, y, z = unit.grid
    shared = (Local(unit.shared_bytes),) if unit.shared_bytes else ()
    arrays = tuple(part for name in unit.arrays for part in _array(name, described=unit.described))
    arguments = (*arrays, *(Value(number, "int32") for number in unit.numbers), *shared)
    launch = Launch(made.kernel, arguments, (x * unit.threads, y, z), (unit.threads, 1, 1))
    return Program("hip", b64encode(made.binary).decode(), made.options, (launch,), source_name=name + CODE_OBJECT)


def _array(name: str, *, described: bool) -> tuple[Argument, ...]:
    return (Array(name), Value(0, "int32")) if described else (Array(name),)
