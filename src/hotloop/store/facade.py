"""The one door to the store."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from hotloop.model.trial import Trial
from hotloop.store.handle import RunHandle
from hotloop.store.records import Calibration, JournalEntry, Known, RunInfo, RunKind, Timing, Winner

if TYPE_CHECKING:
    from hotloop.ports import Clock
    from hotloop.store.database import Database


_LATEST = 32
"""Runs that are asked for what holds of the machine."""


class Store:
    """Trials, journals, winners and calibration of all runs; open it with `Store.open`, close it or use ``with``."""

    def __init__(self, database: Database) -> None:
        from hotloop.store.calibration import Calibrations
        from hotloop.store.journal import Journals
        from hotloop.store.runs import Runs
        from hotloop.store.trials import Trials
        from hotloop.store.winners import Winners
        from hotloop.version import VERSION

        hotloop = VERSION
        self._database = database
        self._runs = Runs(database, hotloop)
        self._trials = Trials(database)
        self._journals = Journals(database)
        self._winners = Winners(database, hotloop)
        self._calibrations = Calibrations(database)

    @classmethod
    def open(
        cls,
        location: str | Path | None = None,
        *,
        read_only: bool = False,
        busy_timeout_s: float = 15.0,
        clock: Clock | None = None,
    ) -> Self:
        """Open a store: a file, a SQLAlchemy URL, or, for None, ``store.sqlite`` in the user's data folder.

        A missing file is created and an older schema upgraded, unless `read_only`. `busy_timeout_s` is how long a
        write waits for another process's; `clock` is the system's unless given.

        Raises:
            StoreError: corrupt, locked, read-only, of a newer schema, not reachable, or the disk is full.
            MissingExtraError: the database's driver is not installed.
        """
        from hotloop.host.clock import SystemClock
        from hotloop.store.database import Database

        return cls(
            Database.open(location, read_only=read_only, busy_timeout_s=busy_timeout_s, clock=clock or SystemClock())
        )

    @property
    def location(self) -> str:
        """Return where the store is, without any password."""
        return str(self._database.location)

    def begin_run(self, kind: RunKind | str, request: str, title: str, *, conditions: str = "{}") -> RunHandle:
        """Start a new run; `request` and `conditions` are JSON texts.

        Raises:
            ValueError: an unknown kind, or a request that is not JSON.
            StoreError: the store cannot be written.
        """
        from hotloop.store.runs import NewRun

        info = self._runs.begin(NewRun(RunKind(kind), request, title, conditions))
        return RunHandle(info, self._journals, self._trials, self._runs, resumed=False)

    def resume_or_begin(self, kind: RunKind | str, request: str, title: str, *, conditions: str = "{}") -> RunHandle:
        """Continue the newest unfinished run of the same request whose process is gone, or start a new run.

        Raises:
            ValueError: an unknown kind, or a request that is not JSON.
            StoreError: a live process works on the request, or the store cannot be written.
        """
        from hotloop.store.runs import NewRun

        info, resumed = self._runs.resume_or_begin(NewRun(RunKind(kind), request, title, conditions))
        return RunHandle(info, self._journals, self._trials, self._runs, resumed=resumed)

    def runs(self, kind: RunKind | str | None = None, limit: int = 50) -> tuple[RunInfo, ...]:
        """Return runs, newest first."""
        return self._runs.recent(None if kind is None else RunKind(kind), limit)

    def run(self, name: str) -> RunInfo:
        """Return a run by its identity or a unique prefix of it.

        Raises:
            UsageError: no run, or several, begin so.
        """
        return self._runs.one(name)

    def add_trial(self, trial: Trial) -> None:
        """Append a trial; runs do it through their handle."""
        self._trials.add(trial)

    def trials(
        self,
        *,
        run: str | None = None,
        family: str | None = None,
        problem: str | None = None,
        limit: int | None = None,
    ) -> tuple[Trial, ...]:
        """Return trials, oldest first; `run` is a full identity, `problem` a key, `limit` keeps the newest."""
        return self._trials.find(run, family, problem, limit)

    def timings(self, family: str, implementation: str, limit: int) -> tuple[Timing, ...]:
        """Return the newest trials of an implementation by what they say about configurations, oldest first."""
        return self._trials.timings(family, implementation, limit)

    def journal_entries(self, run: str, *, after: int = 0) -> tuple[JournalEntry, ...]:
        """Return what a run (full identity) recorded, oldest first; without the first `after` entries."""
        return self._journals.entries(run, after)

    def lately(self, key: str, since: str) -> JournalEntry | None:
        """Return what one of the last runs on this machine, since it was started, recorded under a key after a UTC time."""
        from hotloop.store.owner import Owner

        return self._journals.lately(key, Owner.current(), since, _LATEST)

    def add_winner(self, winner: Winner) -> None:
        """Append a verified and confirmed winner."""
        self._winners.add(winner)

    def best(self, family: str, problem: str, device: str, *, fingerprint: str | None = None) -> Known | None:
        """Return the best-known winner of a problem (key) on a device (key), or None.

        Of each variant the newest confirmation counts, of the variants the one with the lowest `call_ns`. Give the
        device's current `fingerprint` to have older drivers' results flagged stale; without it the newest recorded one
        counts as current.
        """
        winner = self._winners.known(family, device, problem, fingerprint)
        return winner[0] if winner else None

    def winners_near(self, family: str, device: str, *, fingerprint: str | None = None) -> tuple[Known, ...]:
        """Return the best-known winners of all problems of a family on a device, for nearest-shape look-up."""
        return self._winners.known(family, device, fingerprint=fingerprint)

    def all_best(self) -> tuple[Known, ...]:
        """Return the best-known winners of every problem of every family on every device."""
        return tuple(winner for pair in self._winners.pairs() for winner in self._winners.known(*pair))

    def add_calibration(self, row: Calibration) -> None:
        """Append a prediction with its outcome."""
        self._calibrations.add(row)

    def calibration(
        self, *, technique: str | None = None, rule: str | None = None, target: str | None = None
    ) -> tuple[Calibration, ...]:
        """Return predictions with their outcomes, oldest first."""
        return self._calibrations.find(technique, rule, target)

    def close(self) -> None:
        """Close the database. Safe to call twice."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()
