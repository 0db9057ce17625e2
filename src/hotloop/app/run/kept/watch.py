"""A run that another process does, perhaps on another machine, as its journal in the store tells of it.

Who watches opens the store for reading only and asks for what was recorded since; the run knows nothing of it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hotloop.app.events import Event, Notice, Searched, Took, Worker, Working
from hotloop.app.run.kept.record import HEAD, STEP
from hotloop.errors import StoreError
from hotloop.model.codec import decode
from hotloop.model.step import STANDING, Step
from hotloop.store import RunState

if TYPE_CHECKING:
    from hotloop.store import JournalEntry, Store

LOOK_S = 2.0
"""Interval in s at which the store is read."""
QUIET_S = 60.0
"""Time in s without news after which a watcher is told so: whether a process on another machine still runs cannot be seen from here."""
_GLANCE = "glance "


def events(store: Store, run: str, rest: Callable[[float], None], now_s: Callable[[], float]) -> Iterator[Event]:
    """Yield what a run (full identity) does until it ends, what it did before first.

    Args:
        store: opened for reading.
        run: full identity.
        rest: waits for so many seconds.
        now_s: a clock that never goes back.
    """
    reported, seen, news_s, quiet = _Told(), 0, now_s(), False
    while True:
        state = store.run(run).state  # before its entries: what it recorded last is among those that come now
        entries = store.journal_entries(run, after=seen)
        seen += len(entries)
        yield from reported.of(entries)
        if state is not RunState.RUNNING:
            return
        if entries:
            news_s, quiet = now_s(), False
        elif now_s() - news_s > QUIET_S and not quiet:
            quiet = True
            yield Notice(f"nothing new for {QUIET_S:.0f} s: it may be at something long, or its process is gone")
        rest(LOOK_S)


@dataclass(slots=True)
class _Told:
    """What the entries so far said."""

    evaluated: int = 0
    failed: int = 0
    best: float | None = None
    places: Counter[str] = field(default_factory=Counter)
    incumbent_ns: float | None = None
    roof: float | None = None

    def of(self, entries: tuple[JournalEntry, ...]) -> Iterator[Event]:
        """Yield what some entries tell; looks of a search in one event, steps each in its place."""
        before, done = self.evaluated, self.places.copy()
        for entry in entries:
            if entry.key.startswith(HEAD):  # of a further walk, too
                yield Notice(f"{json.loads(entry.data)['title']}, begun {entry.created}")
            elif entry.key.startswith(STEP):
                yield self._took(entry)
                self.best = None
            elif entry.key.startswith(_GLANCE):
                self._looked(entry)
        if self.evaluated > before:
            yield Searched(self.evaluated, self.failed, self.best)
            if len(self.places) > 1:
                yield Working(tuple(_worker(place, done[place], now) for place, now in sorted(self.places.items())))

    def _took(self, entry: JournalEntry) -> Took:
        try:
            step = decode(json.loads(entry.data), Step)
        except ValueError as error:
            raise StoreError(f"step {entry.key.removeprefix(STEP)} was written by another hotloop: {error}.") from error
        if step.decision in STANDING:
            self.incumbent_ns = getattr(step.outcome, "call_ns", None)
            self.roof = step.evidence.get("roof.fraction")
        return Took(step, self.incumbent_ns, self.roof)

    def _looked(self, entry: JournalEntry) -> None:
        """Count a look."""
        row: Any = json.loads(entry.data)["data"]
        ratio = row.get("ratio")
        self.evaluated += 1
        self.failed += ratio is None
        self.best = ratio if ratio is not None and (self.best is None or ratio < self.best) else self.best
        if place := row["outcome"].get("conditions", {}).get("place"):  # what failed does not say where
            self.places[place] += 1


def _worker(place: str, before: int, now: int) -> Worker:
    return Worker(place, now, "measuring" if now > before else "")
