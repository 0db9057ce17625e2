"""What the program launched so far: kernels, kinds of launches, counts; told to the journal."""

from __future__ import annotations

import atexit
import contextlib
import os
import sys
import threading
from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any

from hotloop.recorder.clocked import DELAY_NS, Tally, Took, clocks
from hotloop.recorder.journal import Journal

_CAUGHT_UP = 4.0
"""Time in which a GPU that is faster than the program catches up with a delay, in delays: what it left to do by then is not its own."""
_KINDS = 4
"""Kinds of launches of one kernel whose arguments are recorded; later ones are counted."""


class Book:
    """All kernels of this process."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self._kernels: dict[Hashable, int] = {}
        self._kinds: dict[tuple[int, Hashable], int] = {}
        self._tallies: dict[tuple[int, int], Tally] = {}
        self._untold: set[tuple[int, int]] = set()
        """Kinds whose arguments could not be read yet, because the program has to do something first."""
        self._inside = threading.local()
        self._failed: set[str] = set()
        self._process = os.getpid()
        atexit.register(self.close)
        os.register_at_fork(after_in_child=self._forked)

    def launched(
        self,
        key: Hashable,
        kernel: Callable[[], Mapping[str, Any]],
        kind: Hashable,
        launch: Callable[[], Mapping[str, Any]],
        run: Callable[[], Any],
        timer: Callable[[Callable[[], Any], Tally], Any],
        *,
        ready: bool = True,
        idle: Callable[[], bool] | None = None,
    ) -> Any:  # noqa: ANN401 - whatever the program's launch returns
        """Record one launch and run it; what fails in recording is told once and never reaches the program.

        Args:
            key: identity of the kernel.
            kernel: facts of the kernel, asked for once.
            kind: identity of grid, types and constants.
            launch: facts of a launch of this kind, asked for once, before it runs: it reads the arguments' values.
            run: the launch itself.
            timer: runs it and notes how long it took.
            ready: whether it may be waited for what was launched before; values are read, and times taken, only then.
            idle: tells whether the GPU has ended all that was launched before; None where launches are waited for.
        """
        if getattr(self._inside, "busy", False) or not self.journal.open:
            return run()
        began = clocks()
        self._inside.waited = Took()
        noted: list[Tally] = []
        with self._quietly():
            self._followed(began.wall_ns, idle)
            noted.append(self._noted(key, kernel, kind, launch, ready=ready))
        if not noted:
            return run()
        (tally,) = noted
        recording = clocks().since(began).since(self._inside.waited)
        delayed = ready and tally.timed()
        result = timer(run, tally) if delayed else run()  # one that raises is no call
        with self._quietly():
            if idle is not None and tally.calls:  # the first one compiles
                self._inside.last = tally, delayed, clocks().wall_ns
            tally.calls += 1
            tally.host = tally.host.with_(recording)
            tally.stood(threading.get_ident(), began.wall_ns)
            if tally.due():
                self._count(key, kind, tally)
        return result

    def _followed(self, now_ns: int, idle: Callable[[], bool] | None) -> None:
        """Note of the launch before what it left the GPU to do, and how long ago it was."""
        before, self._inside.last = getattr(self._inside, "last", None), None
        if idle is not None and before is not None:
            tally, delayed, ran_ns = before
            behind_ns = max(getattr(self._inside, "caught_up_ns", 0) - ran_ns, 0) + delayed * _CAUGHT_UP * DELAY_NS
            self._inside.caught_up_ns = ran_ns + behind_ns
            if delayed or not behind_ns:
                tally.overlap.followed(now_ns - ran_ns, delayed=delayed, ended=idle())

    def _noted(
        self,
        key: Hashable,
        kernel: Callable[[], Mapping[str, Any]],
        kind: Hashable,
        launch: Callable[[], Mapping[str, Any]],
        *,
        ready: bool,
    ) -> Tally:
        with self.journal.lock:
            number = self._kernels.get(key)
            if number is None:
                number = self._kernels[key] = len(self._kernels)
                self.journal.write("kernel", number=number, **kernel())
            place = self._kinds.get((number, kind))
            if place is None:
                versions = sum(1 for other, _ in self._kinds if other == number)
                place = self._kinds[number, kind] = min(versions, _KINDS)
                self._untold.add((number, place))
                fresh = place < _KINDS
            else:
                fresh = ready and place < _KINDS and (number, place) in self._untold
            if fresh:
                self.journal.write("launch", kernel=number, place=place, **launch())
            if ready:
                self._untold.discard((number, place))
            return self._tallies.setdefault((number, place), Tally())

    def _count(self, key: Hashable, kind: Hashable, tally: Tally) -> None:
        number = self._kernels[key]
        self._told(number, self._kinds[number, kind], tally)

    def _told(self, number: int, place: int, tally: Tally) -> None:
        self.journal.write(
            "count", kernel=number, place=place, calls=tally.calls, times_ns=tally.times_ns, busy_ns=tally.busy_ns, numbers=tally.numbers,
            host_ns=tally.host.wall_ns, host_busy_ns=tally.host.busy_ns, lanes=tally.lanes,
            hidden=tally.overlap.hidden(DELAY_NS),
        )  # fmt: skip

    @contextlib.contextmanager
    def _quietly(self) -> Iterator[None]:
        """Record nothing that recording launches, and let no failure of it reach the program."""
        self._inside.busy = True
        try:
            yield
        except Exception as error:  # noqa: BLE001 - the program goes on whatever happens to its recorder
            self.failed(f"{type(error).__name__}: {error}")
        finally:
            self._inside.busy = False

    @contextlib.contextmanager
    def waiting(self) -> Iterator[None]:
        """Count what happens here as the program's own time: it would wait for its launches later."""
        began = clocks()
        try:
            yield
        finally:
            waited = getattr(self._inside, "waited", Took())
            self._inside.waited = waited.with_(clocks().since(began))

    def spent(self, took: Took) -> None:
        """Tell the journal of time that the program would not need without a recorder, beside that of launches."""
        self.journal.spent(took)

    def failed(self, text: str) -> None:
        """Tell the journal, once for each text, what could not be recorded."""
        if text not in self._failed:
            self._failed.add(text)
            with contextlib.suppress(OSError):
                self.journal.write("failed", text=text[:400])

    def close(self) -> None:
        """Write all counts; called when the process ends."""
        if self._process != os.getpid():
            return
        with self._quietly():
            for (number, place), tally in list(self._tallies.items()):
                tally.settle()
                self._told(number, place, tally)

    def _forked(self) -> None:
        """Begin anew in a child: its kernels are told to a file of its own."""
        self._process = os.getpid()
        self._kernels.clear()
        self._kinds.clear()
        self._tallies.clear()
        self._untold.clear()
        self._inside = threading.local()
        with contextlib.suppress(Exception):
            self.journal.write("begun", python=sys.version.split()[0], pid=os.getpid(), parent=os.getppid())
