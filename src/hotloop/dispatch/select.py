"""From candidates to one choice: the same shape first, else the nearest, and never without saying so.

For tensors PyTorch's own function is the last resort.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hotloop.dispatch.choice import Candidate, Choice, Origin
from hotloop.errors import UnknownNameError
from hotloop.model.near import distance
from hotloop.model.space import Config

if TYPE_CHECKING:
    from hotloop.model.device import Device
    from hotloop.model.problem import Problem
    from hotloop.model.record import Record

LOG = logging.getLogger("hotloop.ops")
NEAR = 2.1
"""Distance up to which a winner of another shape is trusted more than the family's thresholds: ln 8, all three sizes of
a product doubled. Beyond, another path may be right."""
_TRUST = tuple(Origin)
PEER = "torch"
"""Implementation name of PyTorch's own function."""
MARGIN = 0.02
"""A peer that was measured to be faster by more than this runs itself: the margin of the project's verdicts."""
GLANCED = 2
"""Kernels beside the usual one that are worth compiling for a glance at a first call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One problem on one device, as far as it decides what runs."""

    problem: Problem
    device: Device
    weights: Mapping[str, float] = field(default_factory=dict)
    """Distance that a difference adds, for each name whose value is not a number."""
    function: str = ""
    """PyTorch's own function, for reasons."""
    sizes: Record | None = None
    """The terms in which shapes are compared, where those are not the problem's sizes; candidates' sizes are in the same terms."""
    advice: str = ""
    """The command that makes this shape a known one; empty where there is none."""

    @property
    def shape(self) -> Record:
        """The sizes that are compared with those of candidates."""
        return self.problem.sizes if self.sizes is None else self.sizes


class NothingRunsError(ValueError):
    """Not even the starting configuration suits the problem and the device."""

    def __init__(self, why: str, notes: tuple[str, ...]) -> None:
        super().__init__(why)
        self.notes = notes
        """What was passed over before, with reasons."""


def choices(
    asked: Asked,
    candidates: Sequence[Candidate],
    start: Candidate,
    fit: Callable[[Candidate], Config],
    notes: tuple[str, ...] = (),
) -> Iterator[Choice]:
    """Yield what could run, best first, see `order`; the start comes last.

    `fit` returns a candidate's configuration as it suits the asked problem and device. It raises ValueError with the reason
    when it cannot; such a candidate is passed over, with a note. Whoever asks for the next choice says that the one before does not
    compile.

    Raises:
        NothingRunsError: the start does not suit either.
    """
    passed = list(notes)
    for gap, candidate in _ranked(asked, candidates):
        try:
            choice = _choice(asked, candidate, fit(candidate), gap, tuple(passed))
        except (ValueError, KeyError, UnknownNameError) as error:
            passed.append(f"passed over {candidate.source}: {error}")
            continue
        yield choice
        passed.append(f"passed over {candidate.source}: it does not compile here")
    try:
        config = fit(start)
    except ValueError as error:
        raise NothingRunsError(str(error), tuple(passed)) from None
    yield _choice(asked, start, config, None, tuple(passed))


def select(
    asked: Asked,
    candidates: Sequence[Candidate],
    start: Candidate,
    fit: Callable[[Candidate], Config],
    notes: tuple[str, ...] = (),
) -> Choice:
    """Return the first of `choices`, or PyTorch's own function where there is none."""
    try:
        return next(choices(asked, candidates, start, fit, notes))
    except NothingRunsError as error:
        return own(asked, str(error), error.notes)


def near(asked: Asked, winners: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Return the winners of the store whose shape is near enough to be believed where something safer than them can run."""
    return tuple(winner for winner in winners if distance(asked.shape, winner.sizes, asked.weights) <= NEAR)


def own(asked: Asked, why: str, notes: tuple[str, ...] = ()) -> Choice:
    """Return the choice of PyTorch's own function."""
    return Choice(
        problem=asked.problem,
        shape=asked.shape,
        device=asked.device,
        implementation=PEER,
        config=Config(),
        origin=Origin.TORCH,
        source=f"{asked.function} runs: {why}",
        measured_on=None,
        distance=None,
        advice="",
        notes=notes,
    )


def instead(choice: Choice, function: str, why: str, notes: tuple[str, ...] = ()) -> Choice:
    """Return the choice of PyTorch's own function in place of another one."""
    return own(Asked(problem=choice.problem, device=choice.device, function=function), why, notes)


def _ranked(asked: Asked, candidates: Sequence[Candidate]) -> list[tuple[float, Candidate]]:
    rows = [(distance(asked.shape, candidate.sizes, asked.weights), candidate) for candidate in candidates]
    return sorted(rows, key=lambda row: order(row[1], row[0]))


def _choice(asked: Asked, candidate: Candidate, config: Config, gap: float | None, notes: tuple[str, ...]) -> Choice:
    changed = [
        f"{name} {candidate.config.get(name)} → {config.get(name)}" for name in candidate.config.changes_to(config)
    ]
    fitted = (f"fitted to this shape: {', '.join(changed)}",) if changed else ()
    return Choice(
        problem=asked.problem,
        shape=asked.shape,
        device=asked.device,
        implementation=candidate.implementation,
        config=config,
        origin=candidate.origin,
        source=candidate.source,
        measured_on=None if gap is None else candidate.sizes,
        distance=gap,
        advice=asked.advice,
        stale=candidate.stale,
        notes=(*fitted, *notes),
    )


def order(candidate: Candidate, gap: float) -> tuple[int, float, int, bool]:
    """Return the key that sorts candidates, best first.

    The same shape, or a winner of the store for a near one; then what the family's thresholds advise; then all others. Within
    each: by distance, store before preset, fresh before stale.
    """
    return _class(candidate, gap), gap, _TRUST.index(candidate.origin), bool(candidate.stale)


def _class(candidate: Candidate, gap: float) -> int:
    if gap == 0 or (candidate.origin is Origin.STORE and gap <= NEAR):
        return 0
    return 1 if candidate.advised else 2


def report(choice: Choice) -> None:
    """Log a choice for a shape that nobody measured; call it once per shape."""
    name = f"{choice.problem.family} {choice.shape}"
    if choice.origin is Origin.START:
        LOG.warning("%s: %s", name, choice.reason)
    elif not choice.exact:
        LOG.info("%s: %s", name, choice.reason)
    if choice.stale:
        LOG.info("%s: the configuration may be out of date: %s", name, choice.stale)
