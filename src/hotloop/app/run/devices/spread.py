"""One answer from several identical devices: independent tasks are distributed, timings are made on every device."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from hotloop.app.run.devices import lanes
from hotloop.errors import LostError, MachineError, MovedError

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.app.run.inputs.workload import Workload
    from hotloop.model.subject import Subject

T = TypeVar("T")
_TRIES = 3
"""How often a device is asked again after its host was replaced during a task."""


def desks(made: Desk) -> list[Desk]:
    """Return a desk for each device of a desk's engine; with one device, the desk itself."""
    engines = lanes.lanes(made.engine)
    return [made] if len(engines) < 2 else [replace(made, engine=engine) for engine in engines]


def prepare(made: Desk, workload: Workload, subjects: Sequence[Subject]) -> None:
    """Prepare what verifications on several devices share, in this thread, which can stop a user's function that never ends."""
    workload.sets()
    for case in workload.cases("quick", made.seed):
        if (workload.attempt(case) if case.added else workload.prepare(case)) is None:
            continue  # nobody will run it, and planning it may draw its inputs
        for subject in subjects:
            with suppress(ValueError):
                subject.plan(case.problem, made.device)


def shared(at: Sequence[Desk], tasks: Sequence[Callable[[Desk], T]]) -> list[T]:
    """Do each task once, on any free device; the task of a lost device goes to another device.

    Raises:
        MachineError: all devices are lost.
    """
    if len(at) == 1:
        return [task(at[0]) for task in tasks]
    todo, done = deque(enumerate(tasks)), dict[int, T]()
    lock = threading.Lock()

    def drive(desk: Desk) -> None:
        while True:
            with lock:
                if not todo:
                    return
                number, task = todo.popleft()
            try:
                done[number] = task(desk)
            except (LostError, MovedError) as error:
                with lock:
                    todo.appendleft((number, task))
                if isinstance(error, LostError):
                    return

    while len(done) < len(tasks):
        before = len(done)
        with ThreadPoolExecutor(len(at), "spread") as pool:
            list(pool.map(drive, at))
        if len(done) == before:
            raise MachineError("all devices of the cluster are gone: bring one back, and give the command again.")
    return [done[number] for number in range(len(tasks))]


def everywhere(at: Sequence[Desk], task: Callable[[Desk], T]) -> list[tuple[Desk, T]]:
    """Do one task on every device in parallel; return the results in order, without lost devices.

    Raises:
        MachineError: it ended on none.
    """
    if len(at) == 1:
        return [(at[0], task(at[0]))]

    def tried(desk: Desk) -> list[tuple[Desk, T]]:
        for _ in range(_TRIES):
            with suppress(MovedError):
                try:
                    return [(desk, task(desk))]
                except LostError:
                    break
        return []

    with ThreadPoolExecutor(len(at), "everywhere") as pool:
        answers = [pair for pairs in pool.map(tried, at) for pair in pairs]
    if not answers:
        raise MachineError("all devices of the cluster are gone: bring one back, and give the command again.")
    return answers
