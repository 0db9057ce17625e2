"""The desk: everything the steps of a run share (engine, device, journal, clock, listener), and `remember`, which makes runs resumable.

Every expensive answer is recorded in the run's journal under a key before it is used. A run that is started again
walks the same path, finds the recorded answers, and continues where the first one was cut off.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast, runtime_checkable

from hotloop.app.events import Event, Listener, Notice, Silent
from hotloop.errors import MovedError, SpentError, StoreError
from hotloop.host import settings
from hotloop.model.codec import decode, encode
from hotloop.model.energy import Objective
from hotloop.model.language import language
from hotloop.ports import ROTATED, Foresighted, Placed

if TYPE_CHECKING:
    from hotloop.model.device import Device
    from hotloop.model.trial import Trial
    from hotloop.ports import Clock, Engine, Journal

T = TypeVar("T")


@runtime_checkable
class Leaving(Protocol):
    """An engine that can leave a request that is under way."""

    def leave_after(self, limit_s: float) -> None:
        """Leave a request that is still under way in `limit_s` seconds, with SpentError for whoever made it; infinity: never."""


@dataclass(slots=True)
class Desk:
    """Everything that the steps of a run share."""

    engine: Engine
    device: Device
    journal: Journal
    clock: Clock
    run_id: str = ""
    listener: Listener = field(default_factory=Silent)
    seed: int = 1
    """Seed of the random inputs."""
    mode: str = ROTATED
    """How warm the caches are when calls are timed; one of `hotloop.ports.MODES`."""
    objective: Objective = Objective.TIME
    """Quantity that the run minimises."""
    loss: float | None = None
    """Largest growth of errors that a faster variant may cause; None: what the kernel's tolerance says."""
    spent_s: float = 0.0
    """Wall time so far, in this process and, as the journal says, in earlier ones; time between two answers counts with the
    second."""
    search_seed: int = 1
    """Seed of the search's random choices."""
    recalled: int = 0
    """Number of answers that were read from the journal."""
    began_s: float | None = None
    """Reading of `clock` from which time counts; None: from the first answer."""
    earlier: Callable[[str], str | None] = lambda _key: None
    """Looks up what a run on this machine recorded under a key a short while ago."""
    latest_s: float = 0.0
    """Duration of the latest answer."""
    until_s: float = inf
    """Reading of `clock` at which what is under way is left, see `bounded`."""

    def tell(self, event: Event) -> None:
        """Pass an event to the listener."""
        self.listener.notify(event)

    @contextmanager
    def bounded(self, limit_s: float) -> Iterator[None]:
        """Raise SpentError out of the block where it takes longer: out of a request to an engine that can leave one, or by `due`.

        Within such a block another one can end sooner, but not later.
        """
        engine = cast("Leaving", self.engine) if _offers(self.engine, Leaving) else None
        before_s, began_s = self.until_s, self.clock.monotonic_s()
        self.until_s = min(before_s, began_s + limit_s)
        if engine is not None:
            engine.leave_after(self.until_s - began_s)
        try:
            yield
        finally:
            self.until_s = before_s
            if engine is not None:
                engine.leave_after(before_s - self.clock.monotonic_s())

    def due(self) -> None:
        """Raise SpentError where the time of `bounded` is over."""
        if self.clock.monotonic_s() > self.until_s:
            raise SpentError("the budget ended in the middle of this; give more with --budget.")

    def remember(self, key: str, kind: object, make: Callable[[], T], trial: Callable[[T], Trial] | None = None) -> T:
        """Return the recorded answer for a key, or make it, record it and return it.

        `kind` is the answer's type, or a union of `hotloop.model` for answers that carry their own type name. `trial`
        makes the trial that is kept together with an answer.
        """
        recorded = self.journal.recall(key)
        if recorded is not None:
            elapsed_s, recalled = self._recorded(key, recorded, kind)
            self.spent_s += elapsed_s
            self.latest_s = elapsed_s
            self.recalled += 1
            return recalled  # type: ignore[no-any-return]
        if self.began_s is None:
            self.began_s = self.clock.monotonic_s()
        answer = self._made(make)
        ended_s = self.clock.monotonic_s()
        self.latest_s = round(ended_s - self.began_s, 3)
        self.spent_s += self.latest_s
        self.began_s = ended_s
        entry = json.dumps({"elapsed_s": self.latest_s, "data": encode(answer, kind)})
        self.journal.record(key, entry, trial(answer) if trial else None)
        return answer

    def _made(self, make: Callable[[], T]) -> T:
        """Make an answer; if a device was lost meanwhile, make it again on the device that replaces it."""
        while True:
            try:
                return make()
            except MovedError as moved:
                self.tell(Notice(str(moved)))

    def _recorded(self, key: str, recorded: str, kind: object) -> tuple[float, Any]:
        try:
            entry = json.loads(recorded)
            return float(entry["elapsed_s"]), decode(entry["data"], kind)  # type: ignore[arg-type]
        except (ValueError, TypeError, LookupError, RecursionError) as error:
            raise StoreError(
                f"what run {self.run_id[:8]} recorded for {key.split(maxsplit=1)[0]!r} cannot be understood: it was written by "
                "another hotloop, or the store is damaged; begin anew with --fresh."
            ) from error


def foresighted(desk: Desk, name: str) -> Foresighted | None:
    """Return the engine if it compiles programs of a language ahead of their use, else None."""
    facts = language(name)
    offline = desk.device.kind == "gpu" and facts.cross_compiled and settings.AHEAD.get() != "off"
    compiled = facts.separable or offline
    return cast("Foresighted", desk.engine) if compiled and _offers(desk.engine, Foresighted) else None


def placed(engine: object) -> Placed | None:
    """Return an engine if it says where it is, else None."""
    return cast("Placed", engine) if _offers(engine, Placed) else None


_OFFERED: dict[tuple[type, object], bool] = {}
"""Whether a class has the members of a port, by class and port: Python's own check inspects every member each time, which took longer than
the question that followed."""


def _offers(engine: object, port: type) -> bool:
    """Tell whether an engine has a port; of hotloop's own classes each instance answers alike."""
    key = type(engine), port
    if key[0].__module__.partition(".")[0] != "hotloop":
        return isinstance(engine, port)
    if key not in _OFFERED:
        _OFFERED[key] = isinstance(engine, port)
    return _OFFERED[key]


@dataclass(slots=True)
class MemoryJournal:
    """A journal in memory, for tests and for uses that are never resumed."""

    entries: dict[str, str] = field(default_factory=dict)
    trials: list[Trial] = field(default_factory=list)

    def recall(self, key: str) -> str | None:
        """Return the JSON recorded under a key, or None."""
        return self.entries.get(key)

    def record(self, key: str, data: str, trial: Trial | None = None, *, late: bool = False) -> None:  # noqa: ARG002 - memory
        """Record JSON under a key once, with its trial."""
        if key not in self.entries and trial is not None:
            self.trials.append(trial)
        self.entries.setdefault(key, data)
