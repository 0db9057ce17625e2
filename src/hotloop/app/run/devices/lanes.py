"""Quick looks on several devices in parallel, with results in an order that a resumed run repeats.

The search asks for as many configurations as there are devices (more where they compile ahead), is told their results in the order
in which it asked, and asks for one more with each: what it proposes depends on results alone, never on who was faster. What is
finished before its turn is in the journal at once, so that a run that is killed loses only what is being measured. A look at a
configuration, with the incumbent beside it, is the work of one device; a device that is lost leaves its looks to others.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from hotloop.app.events import Worker, Working
from hotloop.app.run.attempt import Attempt, Attempts
from hotloop.app.run.devices.queue import MOST, foresighted
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
_COMPILED_AHEAD = MOST
"""Configurations out for each device where they compile ahead, as many as a run on one device has: with half as many two H200
waited for compilers, and looked at 1.13 times as many configurations a second as one (results/nvidia-h200-2026-11-28)."""
_PATIENCE_S = 2.0
"""How long a device with nothing to do leaves another one its last look, which is compiled on that machine already."""
_KEY = "configurations out at a time"


def window(desk: Desk, language: str) -> int:
    """Return how many configurations are asked for ahead: some for each device at the start of the run, and some in a queue.

    Without the queue a device that is done would wait for the device whose result comes first in the order.
    """
    if not isinstance(desk.engine, Numerous) and desk.journal.recall(_KEY) is None:
        return 1
    ahead = foresighted(desk, language) is not None
    return desk.remember(_KEY, int, lambda: _out(len(lanes(desk.engine)), ahead=ahead))


def _out(devices: int, *, ahead: bool) -> int:
    """Return how many are out at so many devices.

    >>> [_out(devices, ahead=False) for devices in (1, 2, 64)], [_out(devices, ahead=True) for devices in (1, 2, 64)]
    ([1, 3, 72], [1, 16, 512])
    """
    if devices == 1:
        return 1  # whose queue is that of a run without a cluster
    return devices * _COMPILED_AHEAD if ahead else devices + max(1, devices // _WAITING)


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
    """What it will run; the device's machine compiles them on all of its cores at once, before its turn comes."""
    found: Future[Attempt] = field(default_factory=Future)
    kept: bool = False
    """True when the result is in the journal already, or need not be recorded."""


@dataclass(slots=True)
class _Lane:
    """A device with the thread that drives it."""

    attempts: Attempts
    place: str
    waiting: deque[_Look] = field(default_factory=deque)
    """Looks that it will take, and that its machine compiles meanwhile."""
    done: int = 0
    doing: str = ""
    lost: bool = False

    @property
    def load(self) -> int:
        """Return how many looks it has, with the one that it is at."""
        return len(self.waiting) + bool(self.doing)

    def give(self, look: _Look) -> None:
        """Queue a look here, and begin to compile it on this device's machine."""
        language = look.variant.implementation.language
        if look.programs and (compiling := foresighted(self.attempts.desk, language)) is not None:
            compiling.ahead(look.programs)
        self.waiting.append(look)


class Crew:
    """The devices at work for one phase of a search."""

    def __init__(self, attempts: Attempts, incumbent: Variant, engines: Sequence[Engine]) -> None:
        self._attempts, self._incumbent = attempts, incumbent
        self._changed = threading.Condition()
        """Held by whoever gives looks to devices or takes them."""
        self._closed = False
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
            self._give(look)

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
        """Stop the threads of the devices once they have measured what was begun."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _give(self, look: _Look) -> None:
        """Give a look to the device that has least to do; where none is left, whoever waits for it is told."""
        with self._changed:
            there = [lane for lane in self._lanes if not lane.lost]
            if there:
                min(there, key=lambda lane: lane.load).give(look)
            self._changed.notify_all()

    def _take(self, lane: _Lane) -> _Look | None:
        """Wait for a device's next look, if need be one that another device would come to later; None when there are no more."""
        with self._changed:
            patient = True
            while not lane.waiting and not self._relieve(lane, patient=patient):
                if self._closed:
                    return None
                patient = self._changed.wait(_PATIENCE_S)
            look = lane.waiting.popleft()
            lane.doing = look.variant.label
            return look

    def _relieve(self, lane: _Lane, *, patient: bool) -> bool:
        """Move the last look of the device with most of them to one that has none; return whether there was one to spare."""
        busiest = max(self._lanes, key=lambda other: len(other.waiting))
        if not busiest.waiting:
            return False
        compiling = foresighted(lane.attempts.desk, busiest.waiting[-1].variant.implementation.language)
        if compiling is not None and patient and len(busiest.waiting) == 1:
            return False
        lane.give(busiest.waiting.pop())
        return True

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
        while (look := self._take(lane)) is not None:
            try:
                look.found.set_result(lane.attempts.look(self._incumbent, look.variant))
            except MovedError:
                self._give(look)
            except LostError:
                with self._changed:
                    lane.lost, lane.doing = True, ""
                    left, lane.waiting = [look, *lane.waiting], deque()
                for other in left:
                    self._give(other)
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
    _waits_s: deque[float] = field(default_factory=deque)
    """Of the latest answers."""

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
        self._waits_s.append(attempts.desk.latest_s)
        if len(self._waits_s) > self.size:
            self._waits_s.popleft()
        return asked, attempt

    @property
    def rest_s(self) -> float:
        """Return how long it will take until all that is out is answered, as the latest answers took."""
        return self.size * sum(self._waits_s) / len(self._waits_s) if self._waits_s else 0.0
