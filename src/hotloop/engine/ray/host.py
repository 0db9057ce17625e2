"""Beside a device, in a process that Ray started or in the run's own: an engine of that machine, and the datasets that came from the run.

It is a parent as the one of a local run is: candidates run in a worker process of its own, and it hands back what they left. It
judges nothing. Arrays that a run left as they were are not sent back: they are compared with what came from the run, in Ray's memory
or, on the driver's machine, in the driver's files, and never with the files that candidates work on.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import numpy as np

from hotloop.engine import layout, names
from hotloop.engine.ray.seat import SIGN, Facts, Left, Refusal, refusal
from hotloop.errors import HotloopError, MachineError
from hotloop.host import blocks, settings, turns
from hotloop.host.meters import gpuclock
from hotloop.model.outcome import Artifact, CompileFailed, Crashed, LaunchFailed, TimedOut
from hotloop.ports import Dataset, Executed, Run, Surroundings, Timed
from hotloop.verify import guards
from hotloop.version import VERSION

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.engine.local import LocalEngine
    from hotloop.model.device import Device
    from hotloop.model.program import Program
    from hotloop.ports import RenewRequest, TimeRequest

P = ParamSpec("P")
T = TypeVar("T")
Failed = CompileFailed | LaunchFailed | Crashed | TimedOut
Begin = Callable[[Mapping[str, str], int], "LocalEngine"]
"""Function that returns an engine, of variables beside those of its process, and of the number of engines that share its cores."""
Choose = Callable[["LocalEngine", str, str], "Device"]
"""Function that returns the device for an engine, a part of a device's name, and a language."""


def _told(method: Callable[P, T]) -> Callable[P, T | Refusal]:
    """Return errors of hotloop's own as data: an exception would cross the border as Ray's."""

    @wraps(method)
    def answered(*args: P.args, **kwargs: P.kwargs) -> T | Refusal:
        try:
            return method(*args, **kwargs)
        except HotloopError as error:
            return refusal(error)

    return answered


class Beside:
    """One device's side of the engine; a request may come while another one is under way."""

    def __init__(self, variables: Mapping[str, str] | None = None, share: int = 1) -> None:
        """Serve a device that `variables` name to its worker, where `share` engines have the cores of this process together."""
        self._variables, self._share = dict(variables or {}), share
        self._engine: LocalEngine | None = None
        self._choose: Choose | None = None
        self._pristine: dict[str, dict[str, NDArray[np.uint8]]] = {}
        self._datasets: dict[str, Dataset] = {}
        self._rotations: dict[tuple[str, ...], tuple[Dataset, ...]] = {}
        self._begun: dict[str, Program] = {}
        """What was asked for ahead, by the name of its build: it is asked after more often than it is sent."""
        self._device: Device | None = None

    def facts(self) -> Facts:
        """Say what runs here."""
        visible, cores = turns.visible({**os.environ, **self._variables}), settings.usable_cores() // self._share
        return Facts(VERSION, platform.python_version(), os.getpid(), cores, visible)

    @_told
    def begin(self, make: Begin, choose: Choose) -> None:
        """Open an engine for a new run."""
        self.end()
        self._engine, self._choose = make(self._variables, self._share), choose

    def end(self) -> None:
        """Close the engine and forget the run."""
        if self._engine is not None:
            self._engine.close()
        self._engine = None
        self._pristine.clear()
        self._datasets.clear()
        self._rotations.clear()
        self._begun.clear()

    @_told
    def select(self, device_name: str, language: str) -> Device:
        """Choose the device and return it with what this machine's system knows about it."""
        assert self._choose is not None
        self._device = self._choose(self._open, device_name, language)
        return self._device

    @_told
    def hurry(self, limit_s: float) -> None:
        """Lower the limits."""
        self._open.hurry(limit_s)

    def beside(self, folder: str, sign: str) -> bool:
        """Tell whether the folder of the run's driver can be read here: then its files need not be sent."""
        try:
            return (Path(folder) / SIGN).read_text(encoding="ascii") == sign
        except (OSError, ValueError):
            return False

    @_told
    def take(self, dataset: Dataset, folder: str) -> None:
        """Lay a dataset out whose files lie in a folder of this machine."""
        try:
            arrays = [layout.content(Path(folder) / slot.file) for slot in dataset.slots]
        except OSError as error:
            raise MachineError(
                f"cannot read the problem's arrays in {folder} on {platform.node()}: {error.strerror}."
            ) from error
        self._lay_out(dataset, arrays)

    @_told
    def receive(self, dataset: Dataset, *arrays: NDArray[np.uint8]) -> None:
        """Lay a dataset out: banded bytes of its slots in their order."""
        self._lay_out(dataset, arrays)

    def _lay_out(self, dataset: Dataset, arrays: Sequence[NDArray[np.uint8]]) -> None:
        folder = self._open.arena
        try:
            for slot, banded in zip(dataset.slots, arrays, strict=True):
                layout.save(folder / slot.file, banded)
        except OSError as error:
            raise MachineError(
                f"cannot write the problem's arrays to {folder} on {platform.node()}: {error.strerror or 'it is full'}; free space there."
            ) from error
        self._pristine[dataset.name] = {s.name: a for s, a in zip(dataset.slots, arrays, strict=True)}
        self._datasets[dataset.name] = dataset
        self._rotations = {names: row for names, row in self._rotations.items() if dataset.name not in names}

    @_told
    def discard(self, name: str) -> None:
        """Free a dataset."""
        dataset = self._datasets.pop(name, None)
        self._pristine.pop(name, None)
        self._rotations = {names: row for names, row in self._rotations.items() if name not in names}
        if dataset is not None:
            self._open.discard(dataset)

    @_told
    def build(self, program: Program) -> Artifact | CompileFailed | Crashed | TimedOut:
        """Compile."""
        return self._open.build(program)

    @_told
    def binary(self, program: Program) -> bytes:
        """Return the runtime's binary."""
        return self._open.binary(program)

    @_told
    def ahead(self, programs: Sequence[Program]) -> None:
        """Begin to compile on this machine's other cores."""
        self._begun |= {names.build(program): program for program in programs}
        self._open.ahead(programs)

    @_told
    def ready(self, builds: Sequence[str]) -> bool:
        """Tell whether none of some programs is still being compiled ahead here."""
        return self._compiled(builds)

    @_told
    def which(self, groups: Sequence[Sequence[str]]) -> list[bool]:
        """Tell the same of several groups of programs."""
        return [self._compiled(builds) for builds in groups]

    def _compiled(self, builds: Sequence[str]) -> bool:
        return self._open.ready([self._begun[build] for build in builds if build in self._begun])

    @_told
    def warm(self, language: str) -> None:
        """Load a language's compiler in the processes that compile here."""
        self._open.warm(language)

    @_told
    def execute(self, runs: Sequence[Run]) -> tuple[Left | Failed, ...]:
        """Run programs on freshly loaded arrays."""
        own = [replace(run, dataset=self._datasets[run.dataset.name]) for run in runs]
        outcomes = self._open.execute_all(own)
        return tuple(self._left(run.dataset.name, outcome) for run, outcome in zip(own, outcomes, strict=False))

    @_told
    def time(self, request: TimeRequest) -> tuple[Timed | Failed, Surroundings]:
        """Time contenders."""
        timed = self._open.time(replace(request, datasets=self._own(request.datasets)))
        return timed, self._surroundings()

    @_told
    def renew(self, request: RenewRequest) -> tuple[Timed | Failed, Surroundings]:
        """Time known against fresh content."""
        own = replace(request, datasets=self._own(request.datasets), fresh=self._own(request.fresh))
        return self._open.renew(own), self._surroundings()

    @_told
    def outputs(self, program: Program, name: str) -> Left | Failed:
        """Return what a timed call left."""
        return self._left(name, self._open.outputs(program, self._datasets[name]))

    @_told
    def worker(self) -> int | None:
        """Return the process id of the worker, None where there is none."""
        return self._open.worker_pid

    @property
    def _open(self) -> LocalEngine:
        if self._engine is None:
            raise MachineError("the host was not told to begin.")
        return self._engine

    def _own(self, datasets: tuple[Dataset, ...]) -> tuple[Dataset, ...]:
        """Return a rotation as the same object each time: the engine tells it to its worker once."""
        names = tuple(dataset.name for dataset in datasets)
        if names not in self._rotations:
            self._rotations[names] = tuple(self._datasets[name] for name in names)
        return self._rotations[names]

    def _left(self, name: str, outcome: Executed | Failed) -> Left | Failed:
        return (
            Left(self._changed(name, outcome.arrays), outcome.device_ns) if isinstance(outcome, Executed) else outcome
        )

    def _changed(self, _name: str, arrays: Mapping[str, NDArray[np.uint8]]) -> Mapping[str, NDArray[np.uint8] | None]:
        """Return what a run left, None for what need not be sent: in one process nothing is."""
        return arrays

    def _surroundings(self) -> Surroundings:
        device = self._device
        visible = self._variables.get(gpuclock.VISIBLE)
        clock = gpuclock.state(device.name, visible) if device is not None and device.kind == "gpu" else ""
        return Surroundings(settings.load_average(), clock)


class Host(Beside):
    """The same in a process of its own; Ray calls its methods one after another."""

    def __init__(self, number: int, parts: int) -> None:
        cores = _cores(number, parts)
        if cores:
            os.sched_setaffinity(0, cores)
        os.environ.pop("OMP_NUM_THREADS", None)  # Ray's: as many threads as cores were asked for, which may be none
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))  # workers import what this process does
        super().__init__()

    def _changed(self, name: str, arrays: Mapping[str, NDArray[np.uint8]]) -> Mapping[str, NDArray[np.uint8] | None]:
        before = self._pristine[name]
        return {key: None if key in before and _equal(before[key], array) else array for key, array in arrays.items()}


def _equal(before: NDArray[np.uint8], after: NDArray[np.uint8]) -> bool:
    """Tell whether two arrays have the same bytes, in blocks on all cores."""
    if before.size != after.size:
        return False
    return all(
        blocks.over(after.size, lambda start, stop: guards.first_change(before[start:stop], after[start:stop]) is None)
    )


def _cores(number: int, parts: int) -> frozenset[int]:
    """Return the cores of one of several equal parts of those that this process may use; none where there is nothing to divide."""
    usable = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    if parts <= 1 or not usable:
        return frozenset()
    if parts > len(usable):
        return frozenset({usable[number % len(usable)]})
    size = len(usable) // parts
    return frozenset(usable[number * size : (number + 1) * size])
