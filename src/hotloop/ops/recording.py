"""What a program calls while it runs: products of arrays by hotloop, and whatever PyTorch's dispatcher runs.

A call is timed on the processor by the clock, on a GPU by events on its stream, and both see what PyTorch really runs: leaves of
its dispatcher, the backward pass too. Code that `torch.compile` made runs as written while it is watched.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Self, TypeVar

from hotloop.dispatch import watching
from hotloop.dispatch.observed import summed
from hotloop.errors import MachineError, UsageError
from hotloop.model import tally as tallies
from hotloop.model.tally import Line, Tally

if TYPE_CHECKING:
    from hotloop.model.problem import Problem

SOURCE = "ops.record"
Form = TypeVar("Form", bound=Hashable)

_MUCH_SLOWER = 10
_WORTH_SAYING = 0.05
"""Share of the whole time in forms that were called once from which it is worth a note."""


class Recording:
    """A context in which calls are counted and timed; afterwards `tally` has them."""

    def __init__(self) -> None:
        self._arrays: list[tuple[Problem, float]] = []
        self._torch: Any = None
        self._stack = ExitStack()
        self._tally: Tally | None = None

    def __enter__(self) -> Self:
        if self._tally is not None:
            raise UsageError("a recording is used once; begin another one with ops.record().")
        watching.WATCHERS.append(self._met)
        self._stack.callback(watching.WATCHERS.remove, self._met)
        if "torch" in sys.modules:
            from hotloop.ops.dispatched import Watch

            self._torch = self._stack.enter_context(Watch())
        return self

    def __exit__(self, *_failure: object) -> None:
        self._stack.close()
        self._tally = self._counted()

    @property
    def tally(self) -> Tally:
        """All calls. Raises UsageError while the recording goes on."""
        if self._tally is None:
            raise UsageError("the recording has not ended: ask for its calls after the with block.")
        return self._tally

    def save(self, path: str | Path) -> None:
        """Write the file that ``hotloop tune --workload`` takes. Raises MachineError where it cannot be written."""
        try:
            Path(path).write_text(tallies.text_of(self.tally), encoding="utf-8")
        except OSError as error:
            raise MachineError(f"cannot write {path}: {error.strerror}; choose another path.") from None

    def __str__(self) -> str:
        from hotloop.report.workload import text

        return text(self.tally)

    def _met(self, problem: Problem, ns: float) -> None:
        self._arrays.append((problem, ns))

    def _counted(self) -> Tally:
        calls, late = settled(self._torch.calls() if self._torch else [])
        arrays, later = settled(self._arrays)
        lines = summed((seen, 1, ns) for seen, ns in calls)
        whole = [ns for _, ns in (*calls, *arrays) if ns is not None]
        notes: tuple[str, ...] = (
            () if self._torch else ("PyTorch was not imported before the recording began, so its calls are not in it",)
        )
        notes = (*notes, *_cold([*calls, *arrays], late + later))
        return Tally(
            source=SOURCE,
            device=self._torch.device if self._torch and calls else "cpu",
            lines=(*_of_arrays(arrays), *lines),
            total_ns=sum(whole) if whole else None,
            notes=notes,
        )


def settled(calls: Sequence[tuple[Form, float | None]]) -> tuple[list[tuple[Form, float | None]], int]:
    """Return calls by form with their times in ns, those much slower than others of their form with the median of those, and their number.

    What happens once, such as a compilation at a first call, is nothing that another kernel would spare.
    """
    groups: dict[Form, list[float]] = {}
    for form, ns in calls:
        if ns is not None:
            groups.setdefault(form, []).append(ns)
    limits = {form: _MUCH_SLOWER * min(times) for form, times in groups.items()}
    usual = {form: median(ns for ns in times if ns <= limits[form]) for form, times in groups.items()}
    late = [ns is not None and ns > limits[form] for form, ns in calls]
    made = [(form, usual[form] if slow else ns) for (form, ns), slow in zip(calls, late, strict=True)]
    return made, sum(late)


def _cold(calls: Sequence[tuple[object, float | None]], late: int) -> Iterator[str]:
    """Say what happened once: left out of calls that have others of their form beside them, perhaps in the time of single ones."""
    if late:
        yield (
            f"{late} calls took more than {_MUCH_SLOWER} times as long as the fastest one of their form, and count as the others do: "
            "what happens once is left out"
        )
    counts = Counter(form for form, _ in calls)
    single = sum(ns or 0.0 for form, ns in calls if counts[form] == 1)
    whole = sum(ns or 0.0 for _, ns in calls)
    if single > _WORTH_SAYING * whole:
        yield (
            f"{100 * single / whole:.0f} % of the time is in forms that were called once, and may be what happens at a first call; record "
            "several calls of the program"
        )


def _of_arrays(met: Sequence[tuple[Problem, float | None]]) -> Iterator[Line]:
    groups: dict[Problem, list[float]] = {}
    for problem, ns in met:
        groups.setdefault(problem, []).append(ns or 0.0)
    for problem, times in groups.items():
        yield Line(
            call=f"hotloop.ops.{problem.family}", operands="NumPy arrays", count=len(times), total_ns=sum(times),
            family=problem.family, sizes=problem.sizes,
        )  # fmt: skip


def record() -> Recording:
    """Return a context that counts and times what is called in it.

    >>> from hotloop import ops
    >>> with ops.record() as run:
    ...     pass
    >>> run.tally.lines
    ()
    """
    return Recording()
