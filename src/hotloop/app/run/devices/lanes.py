"""Quick looks on several devices in parallel, with results in an order that a resumed run repeats.

The search asks for as many configurations as there are devices, is told their results in the order in which it asked, and asks for
one more with each: what it proposes depends on results alone, never on who was faster. What is finished before its turn is in the
journal at once, so that a run that is killed loses only what is being measured. A look at a configuration, with the incumbent
beside it, is the work of one device; a device that is lost leaves its look to another one.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field, replace
from queue import SimpleQueue
from typing import TYPE_CHECKING

from hotloop.app.events import Worker, Working
from hotloop.app.run.attempt import Attempt, Attempts
from hotloop.app.run.devices.queue import foresighted
from hotloop.errors import LostError, MachineError, MovedError
from hotloop.model.codec import decode, encode
from hotloop.model.kernel import Variant
from hotloop.ports import Numerous, Placed

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.model.program import Program
    from hotloop.model.space import Config
    from hotloop.ports import Engine
    from hotloop.search.strategy import Strategy

_LOOK_S = 0.5
"""Interval in s at which the state of the devices is shown while waiting for a result."""
_WAITING = 8
"""One additional configuration is queued for this many devices."""
_KEY = "configurations out at a time"


def window(desk: Desk) -> int:
    """Return how many configurations are asked for ahead: one for each device at the start of the run, and some in a queue.

    Without the queue a device that is done would wait for the device whose result comes first in the order.
    """
    if not isinstance(desk.engine, Numerous) and desk.journal.recall(_KEY) is None:
        return 1
    return desk.remember(_KEY, int, lambda: _out(len(lanes(desk.engine))))


def _out(devices: int) -> int:
    return devices if devices == 1 else devices + max(1, devices // _WAITING)


def lanes(engine: Engine) -> Sequence[Engine]:
    """Return an engine for each device of an engine."""
    return engine.lanes() if isinstance(engine, Numerous) else (engine,)


def at(attempts: Attempts, engine: Engine) -> Attempts:
    """Return a copy of attempts that uses another device of the same class."""
    desk = replace(attempts.desk, engine=engine)
    return Attempts(desk, attempts.workload, attempts.ceilings, attempts.test, attempts.noise)


def place(engine: Engine) -> str:
    """Return the location of an engine's device, for reports."""
    return engine.place if isinstance(engine, Placed) else "here"


@dataclass(slots=True)
class _Look:
    """One configuration that is being measured."""

    variant: Variant
    key: str
    programs: tuple[Program, ...] = ()
    """What it will run; the device's machine compiles them on all of its cores at once."""
    found: Future[Attempt] = field(default_factory=Future)
    kept: bool = False
    """True when the result is in the journal already, or need not be recorded."""


@dataclass(slots=True)
class _Lane:
    """A device with the thread that drives it."""

    attempts: Attempts
    place: str
    done: int = 0
    doing: str = ""
    lost: bool = False


class Crew:
    """The devices at work for one phase of a search."""

    def __init__(self, attempts: Attempts, incumbent: Variant, engines: Sequence[Engine]) -> None:
        self._attempts, self._incumbent = attempts, incumbent
        self._todo: SimpleQueue[_Look | None] = SimpleQueue()
        self._looks: list[_Look] = []
        self._shown: tuple[Worker, ...] = ()
        attempts.prepare(incumbent)  # what threads share is made before they begin
        self._lanes = [_Lane(at(attempts, engine), place(engine)) for engine in engines]
        for lane in self._lanes:
            lane.attempts.prepare(incumbent)
            threading.Thread(target=self._drive, args=(lane,), daemon=True).start()

    def begin(self, variant: Variant) -> None:
        """Queue a variant for any device, unless the journal has its result."""
        look = _Look(variant, "early " + self._attempts.glance_key(self._incumbent, variant))
        self._looks.append(look)
        early = self._attempts.desk.journal.recall(look.key)
        if self._attempts.known(self._incumbent, variant):
            look.kept = True
        elif early is not None:
            look.kept = True
            look.found.set_result(decode(json.loads(early), Attempt))
        else:
            look.programs = tuple(self._attempts.programs(variant))  # here, where endless functions can be stopped
            self._todo.put(look)

    def answer(self, variant: Variant) -> Attempt:
        """Wait for the look that was begun first, and return its result.

        Raises:
            MachineError: all devices are lost.
        """
        first = self._looks[0]
        assert first.variant == variant
        while not first.found.done():
            if all(lane.lost for lane in self._lanes):
                raise MachineError(
                    "all devices of the cluster are gone: bring one back; the same command goes on where it stopped."
                )
            wait([look.found for look in self._looks if not look.kept], _LOOK_S, FIRST_COMPLETED)
            self._keep_early()
            self._show()
        return first.found.result()

    def told(self) -> None:
        """Remove the first look, whose result is in the journal."""
        self._looks.pop(0)

    def close(self) -> None:
        """Stop the threads of the devices."""
        for _ in self._lanes:
            self._todo.put(None)

    def _keep_early(self) -> None:
        """Record results that were finished out of order; only this thread may write to the journal."""
        for look in self._looks[1:]:
            if look.found.done() and not look.kept and look.found.exception() is None:
                self._attempts.desk.journal.record(look.key, json.dumps(encode(look.found.result(), Attempt)))
                look.kept = True

    def _show(self) -> None:
        shown = tuple(Worker(lane.place, lane.done, lane.doing, lane.lost) for lane in self._lanes)
        if shown != self._shown:
            self._shown = shown
            self._attempts.desk.tell(Working(shown))

    def _drive(self, lane: _Lane) -> None:
        """Measure queued variants until there are no more, or the device is lost."""
        while (look := self._todo.get()) is not None:
            lane.doing = look.variant.label
            try:
                if (compiling := foresighted(lane.attempts.desk, look.variant.implementation.language)) is not None:
                    compiling.ahead(look.programs)
                look.found.set_result(lane.attempts.look(self._incumbent, look.variant))
            except MovedError:
                self._todo.put(look)
            except LostError:
                lane.lost, lane.doing = True, ""
                self._todo.put(look)
                return
            except BaseException as error:  # noqa: BLE001 - who waits for it raises it
                look.found.set_exception(error)
            lane.done, lane.doing = lane.done + 1, ""


@dataclass(slots=True)
class Window:
    """Configurations of one phase, asked for ahead of their results."""

    crew: Crew
    incumbent: Variant
    strategy: Strategy
    size: int
    _out: deque[Config] = field(default_factory=deque)
    longest_s: float = 0.0
    """Longest duration of a look so far, the estimate for the next ones."""

    def fill(self, most: int) -> bool:
        """Ask until enough configurations are being measured, at most `most`; return whether the strategy has no more."""
        while len(self._out) < min(self.size, most):
            asked = self.strategy.ask()
            if asked is None:
                return True
            self._out.append(asked)
            self.crew.begin(Variant(self.incumbent.implementation, asked))
        return False

    def next(self, attempts: Attempts) -> tuple[Config, Attempt] | None:
        """Return the configuration that was asked for first, with its result; None if none is being measured."""
        if not self._out:
            return None
        asked = self._out.popleft()
        variant = Variant(self.incumbent.implementation, asked)
        attempt = attempts.glance(self.incumbent, variant, lambda: self.crew.answer(variant))
        self.crew.told()
        self.longest_s = max(self.longest_s, attempts.desk.latest_s)
        return asked, attempt

    @property
    def out(self) -> int:
        """Number of configurations that are being measured."""
        return len(self._out)
