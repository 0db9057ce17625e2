"""Writing a run to its journal as it goes, and reading it back for reports, finished or not."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from hotloop.app.run.kept.result import Result
from hotloop.errors import StoreError, UsageError
from hotloop.model.codec import decode, encode
from hotloop.model.device import Ceilings, Device
from hotloop.model.energy import Objective
from hotloop.model.finding import Finding
from hotloop.model.problem import Work
from hotloop.model.step import Decision, PeerResult, Step
from hotloop.model.verdict import Comparison
from hotloop.report.view import RunRecord, SearchSummary

if TYPE_CHECKING:
    from hotloop.ports import Journal
    from hotloop.store import Store

HEAD, STEP, TAIL = "record head", "record step ", "record tail "
_WALK = " of walk "


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """What is known when a run begins."""

    title: str
    kind: str
    command: tuple[str, ...]
    started: str
    device: Device
    problem: str
    work: Work
    objective: Objective = Objective.TIME


@dataclass(frozen=True, slots=True, kw_only=True)
class Tail:
    """What is known when a run ends, for whatever reason."""

    finished: str
    stop_reason: str
    state: str
    decisions: tuple[tuple[str, str], ...]
    """(decision, reason) of every step, as they stand after the final verification."""
    peers: tuple[PeerResult, ...] = ()
    findings: tuple[Finding, ...] = ()
    ceilings: Ceilings | None = None
    noise: float | None = None
    search: SearchSummary | None = None
    overall: Comparison | None = None
    conditions: tuple[tuple[str, str], ...] = ()


def write_head(journal: Journal, head: Head) -> None:
    """Record the head of a run; a resumed run keeps its first."""
    journal.record(HEAD, json.dumps(encode(head)))


@dataclass(slots=True)
class Walk:
    """Writes the steps of a run as they are decided.

    A run that is continued first repeats the steps that it has recorded. Where it takes another one, because the kernel's file or the driver
    was changed meanwhile, all steps are recorded again as those of a new walk, and only the latest walk of a run counts.
    """

    journal: Journal
    head: Head
    number: int = 0
    steps: list[Step] = field(default_factory=list)

    def __post_init__(self) -> None:
        while self.journal.recall(_step_key(self.number + 1, 0)) is not None:
            self.number += 1

    def write(self, step: Step) -> None:
        """Record a step, unless it repeats a recorded one."""
        self.steps.append(step)
        known = self.journal.recall(_step_key(self.number, step.index))
        if known is None:
            self._record(step)
        elif _result(json.loads(known)) != _result(encode(step)):
            self.number += 1
            self.journal.record(f"{HEAD}{_WALK}{self.number}", json.dumps(encode(self.head)))
            for taken in self.steps:
                self._record(taken)

    def _record(self, step: Step) -> None:
        self.journal.record(_step_key(self.number, step.index), json.dumps(encode(step)))


def _step_key(walk: int, index: int) -> str:
    return f"{STEP}{index}" + (f"{_WALK}{walk}" if walk else "")


def _result(step: Mapping[str, object]) -> str:
    """Return what a step came to, whatever time it took."""
    return json.dumps({**step, "elapsed_s": 0.0})


def write_tail(journal: Journal, tail: Tail) -> None:
    """Record the end of a run; a resumed run records a second one, which counts."""
    number = 0
    while journal.recall(f"{TAIL}{number}") is not None:
        number += 1
    journal.record(f"{TAIL}{number}", json.dumps(encode(tail)))


def tail_of(result: Result, finished: str, state: str, conditions: tuple[tuple[str, str], ...]) -> Tail:
    """Return the end of a run from its result."""
    search = result.search
    return Tail(
        finished=finished,
        stop_reason=result.stop_reason or "interrupted",
        state=state,
        decisions=tuple((step.decision.value, step.reason) for step in result.steps),
        peers=tuple(result.peers),
        findings=result.findings,
        ceilings=result.ceilings,
        noise=result.noise,
        search=SearchSummary(
            evaluated=search.evaluated,
            invalid=search.invalid,
            failures=search.failures,
            curve=search.curve,
            points=search.points,
        )
        if search
        else None,
        overall=result.overall,
        conditions=conditions,
    )


def compose(head: Head, steps: tuple[Step, ...], tail: Tail | None) -> RunRecord:
    """Return the record that reports are made from; without a tail the run is still going or was killed."""
    if tail is not None:
        steps = tuple(
            replace(step, decision=Decision(decision), reason=reason)
            for step, (decision, reason) in zip(steps, tail.decisions, strict=False)
        )
    kept = [step.index for step in steps if step.decision in (Decision.BASELINE, Decision.KEEP)]
    end = tail or Tail(finished="", stop_reason="the run has not ended", state="running", decisions=())
    return RunRecord(
        title=head.title,
        kind=head.kind,
        command=head.command,
        started=head.started,
        finished=end.finished,
        state=end.state,
        stop_reason=end.stop_reason,
        device=head.device,
        problem=head.problem,
        work=head.work,
        steps=steps,
        winner=kept[-1] if kept else 0,
        ceilings=end.ceilings,
        peers=end.peers,
        findings=end.findings,
        conditions=end.conditions,
        noise=end.noise,
        search=end.search,
        overall=end.overall,
        objective=head.objective,
    )


def read(store: Store, name: str) -> RunRecord:
    """Return a run from the store by its identity or a unique prefix of it.

    Raises:
        UsageError: no such run, or one without steps (a check or a comparison).
        StoreError: its record is damaged.
    """
    info = store.run(name)
    entries = {entry.key: entry.data for entry in store.journal_entries(info.id)}
    if HEAD not in entries:
        raise UsageError(f"run {info.id[:8]} ({info.kind.value}) has nothing to report; see hotloop history.")
    try:
        record = _composed(entries)
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        raise StoreError(
            f"the record of run {info.id[:8]} cannot be understood: it was written by another hotloop, or the store "
            f"{store.location} is damaged."
        ) from error
    return record if record.state != "running" else replace(record, state=info.state.value)


def _composed(entries: Mapping[str, str]) -> RunRecord:
    walks = [(int(key.partition(_WALK)[2] or 0), data) for key, data in entries.items() if key.startswith(STEP)]
    latest = max((walk for walk, _ in walks), default=0)
    steps = [decode(json.loads(data), Step) for walk, data in walks if walk == latest]
    ends = [key for key in entries if key.startswith((STEP, TAIL))]  # in the order in which they were recorded
    last = ends[-1] if ends and ends[-1].startswith(TAIL) else None  # a run that was continued since has not ended
    tail = decode(json.loads(entries[last]), Tail) if last else None
    head = decode(json.loads(entries.get(f"{HEAD}{_WALK}{latest}", entries[HEAD])), Head)
    return compose(head, tuple(sorted(steps, key=lambda s: s.index)), tail)
