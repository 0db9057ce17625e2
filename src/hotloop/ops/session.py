"""The device as a user's process holds it: opened once, with everything compiled for it and known about it."""

from __future__ import annotations

import logging
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from hotloop.dispatch.select import report
from hotloop.errors import MachineError, MissingExtraError, UsageError
from hotloop.host import runtimes, settings
from hotloop.ops import book, choose, inferred
from hotloop.ports import BuildError

if TYPE_CHECKING:
    from hotloop.dispatch.choice import Choice
    from hotloop.dispatch.family import Family
    from hotloop.dispatch.place import Winners
    from hotloop.drivers.opencl import Handle
    from hotloop.model.device import Device
    from hotloop.model.problem import Problem
    from hotloop.model.program import Program
    from hotloop.ops.prepared import Prepared

LOG = logging.getLogger("hotloop.ops")
MOST_PLANS = 256
"""Problems kept ready: some kilobytes each, no device memory."""
MOST_BUILDS = 64
"""Compiled programs kept: tens to hundreds of kilobytes each; problems of other sizes share them."""

V = TypeVar("V")


class Recent(Generic[V]):
    """A few values by key, the least recently used forgotten first. The caller holds the lock."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[Hashable, V] = OrderedDict()

    def get(self, key: Hashable) -> V | None:
        """Return a value and mark it as used, or None."""
        value = self._values.get(key)
        if value is not None:
            self._values.move_to_end(key)
        return value

    def put(self, key: Hashable, value: V) -> None:
        """Keep a value, forgetting the oldest beyond the limit."""
        self._values[key] = value
        if len(self._values) > self._most:
            self._values.popitem(last=False)

    def __len__(self) -> int:
        return len(self._values)


class Session:
    """One opened device. All methods may be called from several threads."""

    def __init__(self, handle: Handle, device: Device) -> None:
        import pyopencl as cl

        from hotloop.ops import memory

        self.device = device
        self.context = handle.context
        self.queue = cl.CommandQueue(handle.context)  # of its own: profiling costs time with every launch
        self.in_place = memory.works_in_place(handle)
        """True when kernels work on the caller's memory, without copies."""
        self.scratch = memory.Scratch(handle.context)
        self.launching = threading.Lock()
        """Held while arguments are set and launches submitted."""
        self._handle = handle
        self._planning = threading.RLock()
        self._plans: Recent[Prepared] = Recent(MOST_PLANS)
        self._builds: Recent[Any] = Recent(MOST_BUILDS)
        self._winners: dict[str, Winners] = {}
        self._reported: set[Hashable] = set()
        self._memory = memory

    def prepared(self, key: Hashable, family: Callable[[], Family], problem: Callable[[], Problem]) -> Prepared:
        """Return the program of a key, compiled; family and problem are asked for at its first use only.

        Raises:
            UsageError: the device cannot compute the problem.
            MachineError: nothing that could compute it compiles.
        """
        with self._planning:
            ready = self._plans.get(key)
            if ready is None:
                ready = self._prepare(family(), problem())
                self._plans.put(key, ready)
            return ready

    def choice(self, family: Family, problem: Problem) -> Choice:
        """Return the first choice of a problem, without compiling it. Raises UsageError."""
        return next(self._choices(family, problem))

    def build(self, program: Program) -> Any:  # noqa: ANN401 - pyopencl is untyped
        """Compile, once per build key. Raises BuildError."""
        from hotloop.drivers.opencl import compile_program

        with self._planning:
            built = self._builds.get(program.build_key)
            if built is None:
                built = compile_program(self._handle, program.source, program.options)
                self._builds.put(program.build_key, built)
            return built

    def forget(self) -> None:
        """Drop what is known, prepared and held; the store is read again. Compiled programs stay."""
        with self._planning, self.launching:
            self._plans = Recent(MOST_PLANS)
            self._winners.clear()
            self._reported.clear()
            self.queue.finish()
            self.scratch = self._memory.Scratch(self.context)

    def _prepare(self, family: Family, problem: Problem) -> Prepared:
        from hotloop.ops.prepared import Prepared

        trouble = ""
        for choice in self._choices(family, problem):
            try:
                made = Prepared(self, choice, choose.program(family, choice))
            except BuildError as error:
                trouble = str(error).partition("\n")[0]
                LOG.warning("%s does not compile on %s: %s", choice.config, self.device.name, trouble)
                continue
            self._report(choice)
            return made
        raise MachineError(f"no known configuration of {problem.key} compiles on {self.device.name}: {trouble}.")

    def _choices(self, family: Family, problem: Problem) -> Iterator[Choice]:
        with self._planning:
            if family.kernel.family not in self._winners:
                self._winners[family.kernel.family] = book.winners(family.kernel, self.device)
            won = self._winners[family.kernel.family]
        try:
            offered = (*won.candidates, *book.presets(family, problem, self.device))
            candidates = offered or inferred.candidates(family, problem, self.device)
            yield from choose.choices(family, problem, self.device, candidates, won.notes)
        except ValueError as error:
            raise UsageError(f"{problem.key} cannot be computed on {self.device.name}: {error}.") from None

    def _report(self, choice: Choice) -> None:
        if choice.shape not in self._reported:
            self._reported.add(choice.shape)
            report(choice)


_opening = threading.Lock()
_sessions: dict[str, Session] = {}
_forked_from: list[int] = []


def session(name: str = "") -> Session:
    """Return the session of a device, opening it at first use; `name` is part of a device's name or runtime.

    Raises:
        NoDeviceError: nothing that matches works.
        MissingExtraError: pyopencl is not installed.
        MachineError: the process was forked after a device was opened.
    """
    opened = _sessions.get(name)
    if opened is not None:
        return opened
    with _opening:
        if name not in _sessions:
            _sessions[name] = _open(name or settings.DEVICE.get())
        return _sessions[name]


def refresh() -> None:
    """Read the store again at the next call, and free what is kept ready; after tuning in the same process."""
    with _opening:
        for opened in _sessions.values():
            opened.forget()


def _open(name: str) -> Session:
    if _forked_from:
        raise MachineError(
            f"this process was forked from process {_forked_from[0]} after that opened an OpenCL device, and runtimes "
            'do not survive a fork; start processes with multiprocessing.get_context("spawn").'
        )
    if not runtimes.bindings_installed():
        raise MissingExtraError("hotloop.ops", "cpu")
    os.environ.update(runtimes.loader_environment())  # before pyopencl's loader looks for runtimes
    from hotloop.devices.detect import detect
    from hotloop.devices.merge import with_processor
    from hotloop.drivers.opencl import open_device

    handle = open_device(name)
    device = with_processor(handle.device, detect()) if handle.device.kind == "cpu" else handle.device
    return Session(handle, device)


def _after_fork() -> None:
    """A child has the sessions' objects, but not the threads that do their work: forget them, and remember why."""
    global _opening  # noqa: PLW0603 - another thread may have held it at the fork
    _opening = threading.Lock()
    if _sessions:
        _forked_from.append(os.getppid())
        _leaked.append(dict(_sessions))
        _sessions.clear()


_leaked: list[dict[str, Session]] = []
"""Sessions of the parent, kept so that nothing is released in a child, which would wait for missing threads."""
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
