"""Quick looks under way together, on one GPU or several devices, with results in an order that a resumed run repeats.

The search asks for as many configurations as there are devices (more where they compile ahead), is told each result when it is there,
and asks for one more with each: one that compiles for long holds nobody up. Whose result came first is in the journal, so that a run
that was killed is told the same in the same order, and loses only what was being measured. A look at a configuration, with the
incumbent beside it, is the work of one device; a device that is lost leaves its looks to others.

A GPU has several looks at once: while one of them is timed, alone on the device, the results of the next are judged here and those
after it compile. Each is run, judged and timed in this order, by a thread of its own. A CPU has one, for judging takes processors.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from hotloop.app.desk import foresighted, placed
from hotloop.app.events import Worker, Working
from hotloop.app.run.attempt import Attempt, Attempts
from hotloop.app.run.devices.queue import MOST, Readying, begin
from hotloop.errors import LostError, MachineError, MovedError
from hotloop.host import deadline
from hotloop.model.kernel import Variant
from hotloop.model.record import digest
from hotloop.ports import Numerous

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.model.program import Program
    from hotloop.model.space import Config
    from hotloop.ports import Engine

_LOOK_S = 0.5
"""Interval in s at which the state of the devices is shown while waiting for a result."""
_WAITING = 8
"""One additional configuration is queued for this many devices."""
_READY_S = 0.004
"""Interval in s at which a device whose looks all still compile asks whether one is ready, where its engine names none."""
_PATIENCE_S = 2.0
"""How long a device with nothing to do leaves another one its last look, which is compiled on that machine already."""
_KEY, _DEVICES = "configurations out at a time", "devices at the start"


@runtime_checkable
class Overlapping(Protocol):
    """An engine that several threads may ask at once; what they ask is done one after the other."""

    @property
    def looks(self) -> int:
        """How many quick looks can be under way at once."""


def window(desk: Desk, language: str, compiled: Callable[[int], int] = lambda _: MOST) -> int:
    """Return how many configurations are asked for ahead: some for each device at the start of the run, and some in a queue.

    Without the queue a device that is done would wait for the device whose result comes first in the order. `compiled` returns how
    many compile ahead for each of so many devices.
    """
    devices, looks = began_with(desk), at_once(lanes(desk.engine)[0])
    if devices == looks == 1 and desk.journal.recall(_KEY) is None:
        return 1
    ahead = foresighted(desk, language) is not None
    return desk.remember(_KEY, int, lambda: _out(devices, looks, compiled(devices) if ahead else 0))


def began_with(desk: Desk) -> int:
    """Return how many devices there were when the run began."""
    if not isinstance(desk.engine, Numerous) and desk.journal.recall(_DEVICES) is None:
        return 1
    return desk.remember(_DEVICES, int, lambda: len(lanes(desk.engine)))


def at_once(engine: Engine) -> int:
    """Return how many quick looks a device can have under way."""
    return engine.looks if isinstance(engine, Overlapping) else 1


def _out(devices: int, looks: int, ahead: int) -> int:
    """Return how many are out at so many devices with so many looks at once, of which some compile ahead for each.

    >>> [_out(devices, 1, 0) for devices in (1, 2, 64)], [_out(devices, 3, 8) for devices in (1, 2, 64)]
    ([1, 3, 72], [10, 20, 640])
    """
    if devices == looks == 1:
        return 1  # whose queue is that of a CPU
    return devices * (looks - 1 + ahead) if ahead else devices * looks + max(1, devices // _WAITING)


def lanes(engine: Engine) -> Sequence[Engine]:
    """Return an engine for each device of an engine."""
    return engine.lanes() if isinstance(engine, Numerous) else (engine,)


def at(attempts: Attempts, engine: Engine) -> Attempts:
    """Return a copy of attempts that uses another device of the same class."""
    desk = replace(attempts.desk, engine=engine)
    return Attempts(desk, attempts.workload, attempts.ceilings, attempts.test, attempts.noise, attempts.start)


def place(engine: Engine) -> str:
    """Return the location of an engine's device, for reports."""
    return there.place if (there := placed(engine)) is not None else "here"


@runtime_checkable
class Distant(Protocol):
    """An engine whose host may be in another process or on another machine."""

    @property
    def asking_s(self) -> float:
        """Interval in s at which it is asked whether something is ready."""


@runtime_checkable
class Surveying(Protocol):
    """An engine that tells of several looks at once which of them are compiled: each question takes its time."""

    def which(self, groups: Sequence[Sequence[Program]]) -> Sequence[bool]:
        """Tell of each group of programs whether none of it is being compiled."""


def asking_s(engine: Engine) -> float:
    """Return the interval in s at which an engine is asked whether something is ready."""
    return engine.asking_s if isinstance(engine, Distant) else _READY_S


@dataclass(slots=True, eq=False)
class _Look:
    """One configuration that is being measured."""

    variant: Variant
    key: str
    place: int
    """Its place in the order in which looks are taken, as far as they are compiled; the smallest comes first."""
    programs: tuple[Program, ...] = ()
    """Programs that the task will run; the device's machine compiles them on all of its cores before the task's turn."""
    found: Future[Attempt] = field(default_factory=Future)
    ended: bool = False
    """True when its result is there, or in the journal already."""


@dataclass(slots=True)
class _Lane:
    """A device with the thread that drives it."""

    attempts: Attempts
    place: str
    knows: Readying | None
    """The device's engine if it can tell which builds are pending; checking a protocol at each use costs more than the answer."""
    asking_s: float = _READY_S
    """Interval at which it asks whether a look is ready."""
    surveys: Surveying | None = None
    """The device's engine if it is asked of all looks at once."""
    waiting: deque[_Look] = field(default_factory=deque)
    """Looks that wait for the device, whose programs its machine compiles meanwhile."""
    done: int = 0
    under_way: list[_Look] = field(default_factory=list)
    """Looks that are being measured."""
    lost: bool = False

    @property
    def load(self) -> int:
        """Return the number of looks that it has: those under way and those that wait."""
        return len(self.waiting) + len(self.under_way)

    @property
    def doing(self) -> str:
        """Return the configuration that has been under way for longest; empty where there is none."""
        return next((look.variant.label for look in tuple(self.under_way)), "")

    def first(self, looks: Sequence[_Look]) -> _Look | None:
        """Return the first of some looks whose programs are compiled; a device that is lost fails in the look itself."""
        try:
            if self.surveys is not None and len(looks) > 1:
                told = self.surveys.which([look.programs for look in looks])
                return next((look for look, compiled in zip(looks, told, strict=True) if compiled), None)
            return next((look for look in looks if self._ready(look)), None)
        except (LostError, MachineError):
            return looks[0]

    def _ready(self, look: _Look) -> bool:
        return not look.programs or self.knows is None or self.knows.ready(look.programs)

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
        self._ended = threading.Event()
        """Set whenever a look has ended, for the thread that tells the results."""
        self._looks: list[_Look] = []
        self._begun = 0
        """Number of looks so far."""
        self._shown: tuple[Worker, ...] = ()
        attempts.prepare(incumbent)  # what threads share is made before they begin
        slow = attempts.slow(incumbent)  # a device that is busy all the time gains nothing by a second look
        self._threads: list[threading.Thread] = []
        self._lanes = [
            _Lane(
                at(attempts, engine),
                place(engine),
                engine if isinstance(engine, Readying) else None,
                asking_s(engine),
                engine if isinstance(engine, Surveying) else None,
            )
            for engine in engines
        ]
        for lane in self._lanes:
            lane.attempts.prepare(incumbent)
            if lane is not self._lanes[0]:  # which has measured it
                begin(lane.attempts, (incumbent,))
            for number in range(1 if slow else at_once(lane.attempts.desk.engine)):
                self._threads.append(threading.Thread(target=self._drive, args=(lane, number), daemon=True))
        for thread in self._threads:
            thread.start()

    def begin(self, variant: Variant) -> None:
        """Queue a variant for any device, unless the journal has its result."""
        look = _Look(variant, self._attempts.glance_key(self._incumbent, variant), self._begun)
        self._begun += 1
        look.ended = self._attempts.desk.journal.recall(look.key) is not None
        self._looks.append(look)
        if not look.ended:
            look.programs = tuple(self._attempts.programs(variant))  # here, where endless functions can be stopped
            self._give(look)

    def arrange(self, order: Callable[[Sequence[Config]], Sequence[Config]]) -> None:
        """Let an order of configurations decide which of the waiting looks are taken first; looks that begin later come after them."""
        looks = {look.variant.config: look for look in self._looks}
        ordered = order(tuple(looks))
        with self._changed:
            for place, config in enumerate(ordered, self._begun - len(looks)):
                looks[config].place = place

    @property
    def most(self) -> int:
        """Return how many looks can be under way at once."""
        return len(self._threads)

    @property
    def out(self) -> int:
        """Return the number of looks that were begun and whose results have not been reported yet."""
        return len(self._looks)

    def leave(self) -> None:
        """Forget the looks that no device has begun, as there is no time for them; a resumed run forgets the same."""
        journal, keys = self._attempts.desk.journal, [look.key for look in self._looks]
        place = "left of " + digest(keys)
        recorded = journal.recall(place)
        with self._changed:
            if recorded is None:
                left = [look.key for lane in self._lanes for look in lane.waiting]
            else:
                left = json.loads(recorded)
            for lane in self._lanes:
                lane.waiting = deque(look for look in lane.waiting if look.key not in left)
        if recorded is None and keys:
            journal.record(place, json.dumps(left), late=True)
        self._looks = [look for look in self._looks if look.key not in left]

    def next(self) -> Variant:
        """Return the variant whose result is there first, or was when the journal was written; there must be a look.

        Raises:
            MachineError: all devices are lost.
        """
        journal, keys = self._attempts.desk.journal, [look.key for look in self._looks]
        place = "first of " + digest(keys)
        recorded = journal.recall(place)
        first = self._looks[keys.index(json.loads(recorded))] if recorded is not None else self._first(self._looks)
        if recorded is None and len(keys) > 1:
            journal.record(place, json.dumps(first.key), late=True)
        self._looks.remove(first)
        self._looks.insert(0, first)
        return first.variant

    def answer(self) -> Attempt:
        """Return the result of what `next` returned, which the journal does not have. Raises MachineError."""
        return self._first(self._looks[:1]).found.result()

    def told(self) -> None:
        """Remove the look that `next` returned, whose result is in the journal."""
        self._looks.pop(0)

    def _first(self, looks: Sequence[_Look]) -> _Look:
        """Wait until one of some looks has ended; of several the one that was begun first."""
        while (ended := next((look for look in looks if look.ended), None)) is None:
            if all(lane.lost for lane in self._lanes):
                raise MachineError(
                    "all devices of the cluster are gone: bring one back; the same command goes on where it stopped."
                )
            if self._ended.wait(_LOOK_S):
                self._ended.clear()
            deadline.ring_elsewhere()  # to the user's functions in the devices' threads
            self._show()
        self._show()
        return ended

    def close(self, *, wait: bool = False) -> None:
        """Stop the threads of the devices once they have measured what was begun; `wait` until then, for nothing else may run beside them."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for thread in self._threads if wait else ():
            thread.join()

    def _give(self, look: _Look) -> None:
        """Give a look to the device that has least to do, and wake who waits; where no device is left, nobody has it."""
        with self._changed:
            there = [lane for lane in self._lanes if not lane.lost]
            if there:
                min(there, key=lambda lane: lane.load).give(look)
            self._changed.notify_all()

    def _take(self, lane: _Lane) -> _Look | None:
        """Wait for a device's next look, if need be one that another device would come to later; None when there are no more."""
        patient = True
        while True:
            with self._changed:
                while not lane.waiting and (lane.lost or not self._relieve(lane, patient=patient)):
                    if self._closed or lane.lost:
                        return None
                    patient = self._changed.wait(_PATIENCE_S)
                waiting = sorted(lane.waiting, key=lambda look: look.place)
            ready = lane.first(waiting)  # asks the device's machine
            with self._changed:
                if ready is None:
                    self._changed.wait(lane.asking_s)
                elif ready in lane.waiting:  # nobody took it meanwhile
                    lane.waiting.remove(ready)
                    lane.under_way.append(ready)
                    return ready

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

    def _show(self) -> None:
        shown = tuple(Worker(lane.place, lane.done, lane.doing, lane.lost) for lane in self._lanes)
        if shown != self._shown and len(shown) > 1:
            self._shown = shown
            self._attempts.desk.tell(Working(shown))

    def _drive(self, lane: _Lane, number: int) -> None:
        """Measure queued variants until there are no more, or the device is lost; `number`: of a device's threads."""
        if number == 0 and lane is not self._lanes[0] and lane.attempts.desk.device.kind == "gpu":
            lane.attempts.settle(self._incumbent)  # while the first looks compile
        while (look := self._take(lane)) is not None:
            try:
                look.found.set_result(lane.attempts.look(self._incumbent, look.variant))
            except MovedError:
                self._give(look)
            except LostError:
                self._lose(lane, look)
                return
            except BaseException as error:  # noqa: BLE001 - who waits for it raises it
                look.found.set_exception(error)
            look.ended = look.found.done()
            with self._changed:
                lane.under_way.remove(look)
                lane.done += 1
            self._ended.set()

    def _lose(self, lane: _Lane, look: _Look) -> None:
        """Leave the looks of a device that is lost to others; further threads that were at it do the same with theirs."""
        with self._changed:
            lane.lost = True
            lane.under_way.remove(look)
            left, lane.waiting = [look, *lane.waiting], deque()
        for other in left:
            self._give(other)
