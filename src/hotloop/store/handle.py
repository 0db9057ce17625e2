"""The run that is under way in this process, as the core sees it: a `hotloop.ports.Journal`."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Self

from hotloop.errors import MachineError, StoreError
from hotloop.model.trial import SEARCH, Trial
from hotloop.store.records import RunInfo, RunState

if TYPE_CHECKING:
    from hotloop.store.journal import Journals
    from hotloop.store.runs import Runs
    from hotloop.store.trials import Trials


class RunHandle:
    """Records what a run does; no end of this process can lose what a method has returned from.

    Everything is on the disk then, too, but for the quick looks of a search and their order: a power failure may cost those of the last 5 s.

    As a context manager it closes the run: finished, or failed by an error, or interrupted (so that the same request
    resumes it) by Ctrl-C or by a failure of the machine.
    """

    def __init__(self, info: RunInfo, journals: Journals, trials: Trials, runs: Runs, *, resumed: bool) -> None:
        self.info = info
        self.resumed = resumed
        """True when the run was begun by an earlier process."""
        self._journals = journals
        self._trials = trials
        self._runs = runs
        self._keys: set[str] | None = None
        self._waiting: dict[str, str] = {}
        """Late entries without a trial: they travel with the next one, so nothing that follows from them is there without them."""

    @property
    def id(self) -> str:
        """Identity of the run."""
        return self.info.id

    def recall(self, key: str) -> str | None:
        """Return the JSON recorded under a key in this run, or None."""
        if key in self._waiting:
            return self._waiting[key]
        return self._journals.recall(self.id, key) if key in self._known() else None

    def record(self, key: str, data: str, trial: Trial | None = None, *, late: bool = False) -> None:
        """Record JSON under a key with its trial, together, durably unless it may be `late`. A second record of a key is ignored.

        What may be late and has no trial is recorded together with whatever comes next.
        """
        if key in self._waiting or key in self._known():
            return
        if late and trial is None:
            self._waiting[key] = data
            return
        also = None if trial is None else self._trials.row(replace(trial, run=self.id))
        late = late or (trial is not None and trial.purpose == SEARCH)
        self._journals.record(self.id, {**self._waiting, key: data}, also, late=late)
        self._known().update(self._waiting, (key,))
        self._waiting.clear()

    def _known(self) -> set[str]:
        """Return the keys of this run, read once: while it is open it belongs to this process."""
        if self._keys is None:
            self._keys = self._journals.keys(self.id)
        return self._keys

    def trial(self, trial: Trial) -> None:
        """Append a trial to this run, durably, before returning."""
        self._trials.add(replace(trial, run=self.id))

    def finish(self, state: RunState = RunState.FINISHED) -> None:
        """Close the run; once closed its state stays."""
        if self._waiting:
            self._journals.record(self.id, self._waiting, None)
            self._waiting = {}
        self._runs.finish(self.id, RunState(state))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if error is None:
            self.finish()
            return
        failed = isinstance(error, Exception) and not isinstance(error, MachineError)
        with suppress(
            StoreError
        ):  # the first error is the one to report; an open run of a dead process is resumable too
            self.finish(RunState.FAILED if failed else RunState.INTERRUPTED)
