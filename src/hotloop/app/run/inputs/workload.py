"""Inputs, references and input sets of one kernel on one problem: made once, used by every variant of a run."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from statistics import median_low
from typing import TYPE_CHECKING, TypeVar

from hotloop.app.run.inputs.legal import supposed
from hotloop.app.run.inputs.prepared import Content, Prepared
from hotloop.app.run.inputs.reach import Reach
from hotloop.app.run.inputs.sizes import least_bytes, rotation_bytes, scalars, sharing, size_bytes
from hotloop.app.run.inputs.stopwatch import Stopwatch
from hotloop.app.run.inputs.truth import Truth, asked
from hotloop.errors import BadShapeError, HotloopError, KernelFileError
from hotloop.host import memory
from hotloop.host.clock import SystemClock
from hotloop.model.kernel import Kernel, Variant
from hotloop.model.subject import Subject
from hotloop.verify.cases import Case, Level, UnvariedError, cases, draw
from hotloop.verify.distributions import NORMAL
from hotloop.verify.oracle import Expected, conditioned
from hotloop.verify.sizes import affordable, surpassed

if TYPE_CHECKING:
    from hotloop.model.device import Device
    from hotloop.model.kernel import Inputs
    from hotloop.model.problem import Problem
    from hotloop.model.program import Program
    from hotloop.model.space import Config
    from hotloop.ports import Dataset, Engine

_MOST_SETS = 64
_PASSES = 4
"""Work may count an array's bytes several times, in place or in several passes: beyond so many nothing fits for sure."""
_MOST_PLANNED = 4096
_ANSWERS, _ANSWER_SETS, _ANSWER_BYTES = 4, 4, 64 * 2**20
"""Answers for fresh content that are kept in any case; how many times an input set's bytes one takes, by estimate; and what all may take: whoever
is called faster meets content that others have met, whose references would be computed again, half of the time of such a look."""
_PATIENCE_S = 3.0
"""Time limit in s for those cases of one problem that hotloop adds by itself."""
_SMALL_BYTES = 2**20
"""Largest size in bytes of a problem whose cases take negligible time."""
_LONG_BYTES = 64 * 2**20  # of an added problem at most that is tried because its reference turned out to be quick
_SERIAL = count()  # numbers the fresh contents of a process, so that those of different workloads have different names
T = TypeVar("T")


@dataclass(slots=True)
class Workload:
    """Lazily made inputs of one problem."""

    engine: Engine
    kernel: Kernel
    problem: Problem
    device: Device
    seed: int = 1
    prefix: str = ""  # of the names of its datasets, where an engine serves several workloads
    patience_s: float = math.inf  # for all large cases that nobody asked for
    _cases: dict[tuple[Level, int], tuple[Case, ...]] = field(default_factory=dict)
    _prepared: dict[Case, Prepared] = field(default_factory=dict)
    _attempts: dict[Case, Prepared | None] = field(default_factory=dict)
    _preparing_s: dict[Problem, list[float]] = field(default_factory=dict)  # that inputs and references of cases took
    _alone_s: dict[Problem, list[float]] = field(default_factory=dict)  # the same without the time that others had
    _slow_s: dict[Problem, float] = field(default_factory=dict)  # that attempts at a problem took
    _truth: Truth | None = None
    _sets: tuple[Dataset, ...] = ()
    set_bytes: int = 0  # of one timing set, known once they are made
    set_s: float = 0.0  # what drawing and laying out one of them takes
    reference_s: float = 0.0  # what the latest reference of a timing set took
    once_s: float = 0.0  # what inputs, references and laying them out took so far: what is made once and kept
    began_s: float = field(default_factory=lambda: SystemClock().monotonic_s())
    _contents: list[Content] = field(default_factory=list)
    _answers: dict[Case, tuple[Inputs, Expected]] = field(default_factory=dict)  # of fresh content that was judged
    _answered: dict[Case, Expected] = field(default_factory=dict)  # from which the outputs' names were learnt
    cleared: dict[str, float] = field(default_factory=dict)  # by program: least lead (ln) that it kept on new content
    _met: dict[str, set[int]] = field(default_factory=dict)  # by place and program: seeds of met content
    _names: tuple[str, ...] = ()  # of the outputs
    _scalars: Mapping[str, float] = field(default_factory=dict)
    _first: Inputs = field(default_factory=dict)
    _planned: dict[tuple[int, Config, Problem], tuple[Variant, Program]] = field(default_factory=dict)
    """Programs by the identity of their implementation (two may have one name), which is kept so that it stays unique."""
    _subjects: dict[tuple[int, Config], Subject] = field(default_factory=dict)  # by the same; each keeps its variant
    _fitting: set[Problem] = field(default_factory=set)  # of which a program was planned within the memory there is
    _reach: Reach = field(default_factory=Reach)

    def cases(self, level: Level, seed: int) -> tuple[Case, ...]:
        """Return the cases of a check, worked out once."""
        if (made := self._cases.get((level, seed))) is None:
            made = self._cases[level, seed] = cases(self.kernel, self.problem, level, seed)
        return made

    def prepare(self, case: Case, *, sure: bool = False) -> Prepared:
        """Return a verification case with inputs laid out and reference computed, once; `sure`: see `Truth.expected`.

        Raises:
            KernelFileError: the kernel's own inputs or reference raise, or the reference is unusable.
        """
        case = self._shared(case)
        prepared = self._prepared.get(case)  # one look: each costs the hash of a whole problem
        if prepared is not None and sure and prepared.expected.scales is not None:
            expected = self.truth.sure(case.problem, prepared.inputs, prepared.expected)
            prepared = self._prepared[case] = replace(prepared, expected=expected)
        if prepared is None:
            watch = Stopwatch()
            inputs = self._drawn(case)
            expected = self._expected(case.problem, inputs, sure=sure)
            if self.kernel.varied:
                expected = conditioned(self.kernel, case.problem, inputs, expected)
            spent_s = watch.took_s
            dataset = self._laid_out(f"case{len(self._prepared)}", inputs, tuple(expected.outputs), case.poison)
            spent_s = watch.took_s if self._prepared else spent_s  # the first one waits for the worker's start
            prepared = self._prepared[case] = Prepared.of(case, inputs, expected, dataset)
            spent_s = self.truth.usual_s(spent_s)
            self._preparing_s.setdefault(case.problem, []).append(spent_s)
            self._alone_s.setdefault(case.problem, []).append(watch.alone_s(self.device.kind, spent_s))
        return prepared

    def _shared(self, case: Case) -> Case:
        """Return a timing set in the place of inputs that are like them, where a reference is a launch that takes seconds."""
        if not (self.kernel.launched and self._sets and case == Case(self.problem, NORMAL, self.seed, 0)):
            return case
        self.timed()
        for known in (self._preparing_s, self._alone_s):
            known.setdefault(self.problem, [self.truth.took_s + self.set_s])
        return self._timed_case(0)

    @property
    def truth(self) -> Truth:
        """Where references are computed."""
        if self._truth is None:
            self._truth = Truth(self.engine, self.kernel, self.problem, self.seed)
        return self._truth

    def prepared(self, case: Case) -> bool:
        """Tell whether a case is at hand."""
        return self._shared(case) in self._prepared or case in self._attempts

    def spent_s(self) -> float:
        """Return what preparing all cases took so far, on a CPU without the time that other processes have."""
        return sum(sum(spent) for spent in self._alone_s.values()) + sum(self._slow_s.values())

    def preparing_s(self) -> dict[Problem, float]:
        """Return by problem what preparing one of its cases took on average."""
        return {problem: sum(spent) / len(spent) for problem, spent in self._preparing_s.items()}

    def attempt(self, case: Case) -> Prepared | None:
        """Return a case that nobody promised to be legal; None where the file's functions refuse it, or it says nothing.

        That is: no such inputs can be drawn, the reference raises, or answers with infinities or numbers near the type's end.
        """
        if case not in self._attempts:
            self._attempts[case] = self._attempt(case)
        return self._attempts[case]

    def _attempt(self, case: Case) -> Prepared | None:
        if not self._bearable(case) or self._slow_s.get(case.problem, 0.0) > _PATIENCE_S or self._impatient(case):
            return None
        watch = Stopwatch()
        try:
            inputs = draw(self.kernel, case)
            answer = partial(self._answer, sure=True)
            expected = supposed(self.kernel, case, inputs, answer, partial(self._usual, case.problem))
            if expected is None:
                return None
            dataset = self._laid_out(f"attempt{len(self._attempts)}", inputs, tuple(expected.outputs), case.poison)
        except (UnvariedError, KernelFileError, BadShapeError, MemoryError, ValueError):
            return None
        except Exception:  # noqa: BLE001 - the user's functions may raise anything on what nobody promised them
            return None
        finally:
            if (
                not case.marks
            ):  # what others do on the machine, or another candidate has, must not leave out the kinds that come last
                self._slow_s[case.problem] = self._slow_s.get(case.problem, 0.0) + watch.alone_s("cpu")
        return Prepared.of(case, inputs, expected, dataset)

    def _impatient(self, case: Case) -> bool:
        """Tell whether others have used up the time for such cases, and this one is large."""
        return sum(self._slow_s.values()) > self.patience_s and not self.light(case)

    def light(self, case: Case) -> bool:
        """Tell whether a case is promised to be legal, or made in no time: only of such is anything to be prepared before its turn.

        Others can have any size, and most of these are never tried: planning one may draw inputs that take minutes.
        """
        return not case.added or least_bytes(self.kernel, case.problem) <= _SMALL_BYTES

    def _bearable(self, case: Case) -> bool:
        """Tell whether the reference of a case takes seconds at most, and no longer problem has made it needless."""
        tried = [one.problem for one, prepared in self._attempts.items() if prepared is not None]
        if case.distribution == NORMAL and surpassed(self.problem, case.problem, tried):
            return False
        asked_s = median_low(self._alone_s.get(self.problem, [0.0]))
        if affordable(self.problem, case.problem, asked_s):
            return True
        small = least_bytes(self.kernel, case.problem) <= _LONG_BYTES
        return small and self._reach.reaches(
            self.problem, case.problem, lambda one: self._asking_s(replace(case, problem=one))
        )

    def _asking_s(self, case: Case) -> float | None:
        """Return what inputs and reference of a case take, on a CPU without the time that others have; None where there are none."""
        watch = Stopwatch()
        try:
            self._expected(case.problem, draw(self.kernel, case))
        except Exception:  # noqa: BLE001 - the user's functions may raise anything on what nobody promised them
            return None
        return watch.alone_s(self.device.kind)

    def _usual(self, problem: Problem) -> Expected | None:
        """Return what is expected of inputs as the file draws them, if that is known."""
        alike = (p.expected for c, p in self._prepared.items() if (c.problem, c.distribution) == (problem, NORMAL))
        return next(alike, None)

    def _answer(self, case: Case, inputs: Inputs, *, sure: bool) -> Expected:
        return self._expected(case.problem, inputs, sure=sure)

    def sets(self) -> tuple[Dataset, ...]:
        """Return the input sets for timing: together larger than the last-level cache, at least two."""
        if not self._sets:
            self._first = self._drawn(self._timed_case(0))
            outputs = self._output_names()
            self.set_bytes = max(1, sum(size_bytes(value) for value in self._first.values()))
            sets = max(2, min(_MOST_SETS, -(-rotation_bytes(self.device) // self.set_bytes)))
            drawn = (self._numbered(self._timed_case(index)) if index else self._first for index in range(sets))
            began_s = SystemClock().monotonic_s()
            made = tuple(self._laid_out(f"set{index}", inputs, outputs) for index, inputs in enumerate(drawn))
            self.set_s = (SystemClock().monotonic_s() - began_s) / sets
            self._sets, self._scalars = made, scalars(self._first)
        return self._sets

    def timed(self, index: int = 0) -> Prepared:
        """Return a timing set as a case, to judge what timed calls computed."""
        dataset, case = self.sets()[index], self._timed_case(index)
        if case not in self._prepared:
            inputs = self._numbered(case) if index else self._first
            expected = self._answered.pop(case, None) or self._expected(self.problem, inputs)
            self._prepared[case] = Prepared.of(case, inputs, expected, dataset)
        return self._prepared[case]

    def known_sets(self) -> tuple[int, ...]:
        """Return the timing sets whose references are known."""
        return tuple(index for index in range(len(self.sets())) if self._timed_case(index) in self._prepared)

    def fresh(self, met_by: str, count: int) -> tuple[Content, ...]:
        """Return content that `met_by`, a program at a place, has never met, `count` times; what others have met may be among it."""
        met = self._met.setdefault(met_by, set())
        while len(unmet := [content for content in self._contents if content.case.seed not in met]) < count:
            self._contents.append(self._content(len(self._contents)))
        # One call is judged by what is known already.
        answered = [content for content in unmet if content.case in self._answers]
        chosen = answered[:1] if count == 1 and answered else random.SystemRandom().sample(unmet, count)
        met |= {content.case.seed for content in chosen}
        return tuple(chosen)

    def _content(self, index: int) -> Content:
        case = Case(self.problem, "normal", 3_000_000 + 1_000 * self.seed + index, 0)
        inputs = self._numbered(case)
        dataset = self._laid_out(f"fresh{next(_SERIAL)}", inputs, self._output_names())
        return Content(case, dataset, scalars(inputs))

    def expected_of(self, content: Content) -> tuple[Inputs, Expected]:
        """Return the inputs of fresh content and what a right program makes of them."""
        if content.case not in self._answers:
            if len(self._answers) >= max(_ANSWERS, _ANSWER_BYTES // (_ANSWER_SETS * max(1, self.set_bytes))):
                self._answers.pop(next(iter(self._answers)))
            inputs = self._numbered(content.case)
            self._answers[content.case] = inputs, self._expected(content.case.problem, inputs)
        return self._answers[content.case]

    def program(self, variant: Variant) -> Program:
        """Return the variant's program for the timing sets. Raises ValueError when it does not apply."""
        self.sets()  # first: what is wrong with a user's inputs is told as theirs, not as a plan's
        return self.resolved(self.planned(variant, self.problem))

    def resolved(self, program: Program) -> Program:
        """Return a program with the numbers that the timing sets have."""
        self.sets()
        return program.resolved(self._scalars)

    @property
    def scalars(self) -> Mapping[str, float]:
        """Numbers among the inputs of the timing sets."""
        self.sets()
        return self._scalars

    def discard(self) -> None:
        """Free all datasets, for a desk that goes on to another problem."""
        cases, contents = self._prepared.values(), self._contents
        for dataset in {*self._sets, *(made.dataset for made in cases), *(each.dataset for each in contents)}:
            self.engine.discard(dataset)
        self._prepared.clear()
        self._contents.clear()
        self._met.clear()
        self._answers.clear()
        self._sets = ()

    def subject(self, variant: Variant) -> Subject:
        """Return a variant on this problem and device, made once: its identity takes a whole program."""
        key = id(variant.implementation), variant.config
        if key not in self._subjects:
            plan = partial(self._plan, variant)
            self._subjects[key] = Subject.of(variant, self.problem, self.device, plan, judge=self.kernel.judge)
        return self._subjects[key]

    def _plan(self, variant: Variant, problem: Problem, _device: Device) -> Program:
        return self.planned(variant, problem)

    def planned(self, variant: Variant, problem: Problem) -> Program:
        """Return the variant's program on a problem; planned once while it is in use. Raises ValueError where it does not apply."""
        key = id(variant.implementation), variant.config, problem
        kept = self._planned.get(key)
        if kept is None:
            if len(self._planned) >= _MOST_PLANNED:
                self._planned.clear()
            kept = self._planned[key] = variant, self._program(variant, problem)
        return kept[1]

    def _timed_case(self, index: int) -> Case:
        return Case(self.problem, "normal", 1_000_000 + 1_000 * self.seed + index, 0)

    def _output_names(self) -> tuple[str, ...]:
        """Return the output names, from a problem with less than half of the data where there is one: references can be slow."""
        if not self._names:
            most_bytes = least_bytes(self.kernel, self.problem) / 2
            others = self.kernel.awkward(self.problem)
            small = next((other for other in others if least_bytes(self.kernel, other) <= most_bytes), None)
            case = self._timed_case(0) if small is None else Case(small, "normal", self.seed, 0)
            inputs = self._first if small is None else self._drawn(case)
            expected = self._expected(case.problem, inputs)
            self._names = tuple(expected.outputs)
            if small is None:
                self._answered[case] = expected
        return self._names

    def _expected(self, problem: Problem, inputs: Inputs, *, sure: bool = False) -> Expected:
        return self._once(lambda: asked(lambda: self.truth.expected(problem, inputs, sure=sure)))

    def _laid_out(self, name: str, inputs: Inputs, outputs: tuple[str, ...], poison: int = 0) -> Dataset:
        return self._once(lambda: self.engine.dataset(f"{self.prefix}{name}", inputs, outputs, poison))

    def _once(self, make: Callable[[], T]) -> T:
        """Return what is made once, and count its time."""
        began_s = SystemClock().monotonic_s()
        try:
            return make()
        finally:
            self.once_s += SystemClock().monotonic_s() - began_s

    def _program(self, variant: Variant, problem: Problem) -> Program:
        """Return a program; planning the first one of a problem may draw a user's inputs to learn their order and types."""
        if problem in self._fitting:
            return variant.program(problem, self.device)
        try:
            with memory.limited():  # which costs more than most plans
                program = variant.program(problem, self.device)
        except MemoryError:
            raise self._too_large() from None
        self._fitting.add(problem)
        return program

    def _drawn(self, case: Case) -> Inputs:
        if least_bytes(self.kernel, case.problem) > _PASSES * (memory.available_bytes() or math.inf):
            raise self._too_large()  # before minutes of drawing numbers that are thrown away
        inputs = self._once(lambda: self._guarded(lambda: draw(self.kernel, case)))
        if not isinstance(inputs, Mapping) or not inputs:
            raise KernelFileError(f"inputs of kernel {self.kernel.family} must return a dict of arrays and numbers.")
        if unknown := sorted(set(self.kernel.linear) - set(inputs)):
            raise KernelFileError(
                f"linear of kernel {self.kernel.family} names {', '.join(unknown)}, which inputs does not return; "
                f"it returns {', '.join(inputs)}."
            )
        return inputs

    def _numbered(self, case: Case) -> Inputs:
        """Return drawn inputs with the numbers of the first timing set, which the timed program has."""
        return sharing(self._first, self._drawn(case))

    def _where(self) -> str:
        return f"inputs of kernel {self.kernel.family}" + (f" ({self.kernel.origin})" if self.kernel.origin else "")

    def _too_large(self) -> BadShapeError:
        return BadShapeError(f"{self._where()}: {self.problem.sizes} does not fit in memory; choose a smaller shape.")

    def _guarded(self, make: Callable[[], T]) -> T:
        """Run the user's own function; whatever it raises becomes one sentence."""
        try:
            return asked(make)
        except HotloopError:
            raise
        except MemoryError:
            raise self._too_large() from None
        except Exception as error:
            raise KernelFileError(f"{self._where()} raises {type(error).__name__}: {error}.") from error
