"""The engine of a cluster: as an `Engine` it is its first device, and it names the others that are exactly like it.

Devices are alike when their fingerprints are: model, target, units, runtime and driver. What is not like the others is left out.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import TYPE_CHECKING, Self, TypeVar

from hotloop.engine.ray import cluster
from hotloop.engine.ray.cluster import Joined
from hotloop.engine.ray.remote import Remote
from hotloop.engine.ray.seat import Node, Seat
from hotloop.engine.ray.shelf import Shelf
from hotloop.engine.witness.link import Witness, called
from hotloop.errors import HotloopError, LostError, MachineError, MovedError, NoDeviceError

if TYPE_CHECKING:
    from pathlib import Path

    from hotloop.engine.ray.host import Begin, Choose
    from hotloop.engine.ray.remote import Failed
    from hotloop.model.device import Device
    from hotloop.model.kernel import Inputs
    from hotloop.model.outcome import Artifact, CompileFailed, Crashed, LaunchFailed, TimedOut
    from hotloop.model.program import Program
    from hotloop.ports import Dataset, Executed, RenewRequest, Run, Surroundings, Timed, TimeRequest

T = TypeVar("T")
JOIN_S = 5.0
"""Seconds for which a search waits for machines that joined or came back: a host on one that is lost and not known to be takes minutes."""


class Fleet:
    """Implements the `Engine` port with the first device of a cluster, and `Numerous` with all that are like it."""

    def __init__(
        self, joined: Joined, begin: Begin, choose: Choose, environment: Mapping[str, str] | None = None
    ) -> None:
        """Use a cluster.

        Args:
            joined: the cluster.
            begin: runs on its hosts, returns the engine of one device.
            choose: runs on its hosts, chooses the device.
            environment: of a witness on this machine's GPU, see `hotloop.engine.witness`; None: this machine is not part of
                the cluster, and references are computed by NumPy.
        """
        self._begin, self._choose, self._environment = begin, choose, environment
        self._witness: Witness | None = None
        self._cluster = joined
        self._shelf = Shelf(self._cluster)
        self._lanes: list[Remote] = []
        """The first one is where everything runs that one device must do."""
        self._coming: Future[list[Remote]] | None = None
        """Devices of machines that joined or came back, while their hosts start."""
        self._other: set[Seat] = set()
        """Seats without a device, or with one that is unlike the others."""
        self._asked = ("", "opencl")
        self._limit_s: float | None = None
        self._gone = 0
        self.remarks: list[str] = []
        """What a person should know, until somebody tells it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- devices -----------------------------------------------------------------------------------------------------

    def devices(self) -> tuple[Device, ...]:
        """Return the devices in use."""
        return tuple(lane.device for lane in self._lanes if lane.device is not None)

    def select(self, device_name: str = "", language: str = "opencl") -> Device:
        """Choose a class of devices: that of which there are most. Raises NoDeviceError."""
        self._asked = device_name, language
        self._give_back()
        self._other.clear()
        lanes, failures = self._selected(self._seats())
        classes = Counter(_fingerprint(lane) for lane in lanes)
        if not classes:
            reason = failures[0] if failures else "no machine of the cluster has a free core or GPU."
            raise NoDeviceError(f"no device of the cluster can be used: {reason}")
        chosen = classes.most_common(1)[0][0]
        self._take(lanes, chosen)
        device = self._lanes[0].device
        assert device is not None
        self._call_witness(device)
        return device

    @property
    def witness(self) -> Witness | None:
        """The process that computes references and compares results on a GPU of this machine; None if it is not in use."""
        return self._witness

    def _call_witness(self, device: Device) -> None:
        """Start the witness once, on the GPU of the first host of this machine; candidates' hosts have none of their own."""
        here = self._cluster.nodes()[0].id
        beside = next((lane for lane in self._lanes if lane.seat.node.id == here), None)
        if self._witness is None and self._environment is not None and beside is not None:
            environment = {**self._environment, **dict(beside.facts.visible)}
            self._witness = called(environment, device.name if device.kind == "gpu" else "")

    def lanes(self) -> tuple[Remote, ...]:
        """Return all devices that are like the first one; machines that joined or came back meanwhile are looked at."""
        kind = _fingerprint(self._first())
        patience_s = 0.0
        if self._coming is None and (fresh := self._seats()):
            self._coming, patience_s = _aside(lambda: self._selected(fresh)[0]), JOIN_S
        if self._coming is not None:
            wait((self._coming,), patience_s)
            if self._coming.done():
                coming, self._coming = self._coming, None  # before it raises: it is asked again then
                self._take(coming.result(), kind)
        return tuple(self._lanes)

    def _forget_lost(self) -> None:
        """Go on without devices that are lost; their seats are tried again when the devices are asked for next."""
        for lane in [lane for lane in self._lanes if lane.lost]:
            self._lanes.remove(lane)
            self._gone += lane.restarts
            lane.abandon()

    def _seats(self) -> list[Seat]:
        """Return seats of the machines that are there, without those that are in use or known not to fit."""
        taken = self._other | {lane.seat for lane in self._lanes}
        return [seat for node in self._cluster.nodes() for seat in seats(node, cluster.parts()) if seat not in taken]

    def _selected(self, fresh: Sequence[Seat]) -> tuple[list[Remote], list[str]]:
        """Return the seats whose host found a device, and why others did not."""
        hosts = self._cluster.seat(fresh)
        self._other |= set(fresh) - set(hosts)
        failures = [f"{seat.place}: no host started there." for seat in fresh if seat not in hosts]
        devices: list[Remote] = []
        made = [
            Remote(self._cluster, seat, host, self._shelf, self._begin, self._choose) for seat, host in hosts.items()
        ]
        with ThreadPoolExecutor(max(1, len(made)), "select") as pool:
            for lane, reason in zip(made, pool.map(self._tried, made), strict=True):
                if reason:
                    failures.append(reason)
                    self._leave(lane)
                else:
                    devices.append(lane)
        return devices, failures

    def _tried(self, lane: Remote) -> str:
        """Select a lane's device; return why there is none, empty where there is."""
        if reason := cluster.unlike(lane.facts):
            return f"{lane.place}: {reason}."
        try:
            device = lane.select(*self._asked)
            if self._limit_s is not None:
                lane.hurry(self._limit_s)
        except HotloopError as error:
            return f"{lane.place}: {error}"
        # Two seats of one machine with a GPU each share its processor, which is one device.
        second = device.kind != "gpu" and lane.seat.gpu and lane.seat.number > 0
        return f"{lane.place}: its machine's processor is in use already." if second else ""

    def _take(self, lanes: Sequence[Remote], fingerprint: str) -> None:
        unlike = [lane for lane in lanes if _fingerprint(lane) != fingerprint]
        for lane in unlike:
            self._leave(lane)
        if unlike:
            names = ", ".join(lane.place for lane in unlike)
            self.remarks.append(f"left out, because their times cannot be compared with the others': {names}")
        self._lanes += [lane for lane in lanes if lane not in unlike]

    def _leave(self, lane: Remote) -> None:
        self._other.add(lane.seat)
        lane.close()

    @property
    def restarts(self) -> int:
        """How many hosts were lost so far."""
        return self._gone + sum(lane.restarts for lane in self._lanes)

    @property
    def places(self) -> tuple[str, ...]:
        """Names of all devices' places."""
        return tuple(lane.place for lane in self._lanes)

    @property
    def byte_s(self) -> float:
        """Return what laying out one byte of a dataset beside a device took so far on average; 0.0 before there was one."""
        carried_bytes = sum(lane.carried_bytes for lane in self._lanes)
        return sum(lane.carried_s for lane in self._lanes) / carried_bytes if carried_bytes else 0.0

    @property
    def place(self) -> str:
        """Return the place of the first device."""
        return self._lanes[0].place if self._lanes else ""

    @property
    def surroundings(self) -> Surroundings:
        """Return load and clocks of the first device's machine."""
        return self._first().surroundings

    # --- the first device --------------------------------------------------------------------------------------------

    def _first(self) -> Remote:
        self._forget_lost()
        if not self._lanes:
            raise MachineError(
                "all devices of the cluster are gone: bring one back; the same command goes on where it stopped."
            )
        return self._lanes[0]

    def _on_first(self, do: Callable[[Remote], T]) -> T:
        """Do something on the first device; where that is lost the next one takes its place, and the question is asked anew."""
        lane = self._first()
        try:
            return do(lane)
        except LostError as death:
            self._first()
            raise MovedError(f"{lane.place} was lost; {self.place} takes its place") from death

    @property
    def arena(self) -> Path:
        """Folder of the run with the datasets' files."""
        return self._shelf.path

    def hurry(self, limit_s: float) -> None:
        """Lower the limits on all devices."""
        self._limit_s = limit_s
        for lane in self._lanes:
            with suppress(LostError):
                lane.hurry(limit_s)

    def build(self, program: Program) -> Artifact | CompileFailed | Crashed | TimedOut:
        """Compile."""
        return self._on_first(lambda lane: lane.build(program))

    def binary(self, program: Program) -> bytes:
        """Return the runtime's binary."""
        return self._on_first(lambda lane: lane.binary(program))

    def ahead(self, programs: Sequence[Program]) -> None:
        """Begin to compile on the first device's machine."""
        self._first().ahead(programs)

    def ready(self, programs: Sequence[Program]) -> bool:
        """Tell whether none of the programs is still being compiled for the first device."""
        return self._on_first(lambda lane: lane.ready(programs))

    def warm(self, language: str) -> None:
        """Have a language's compiler loaded on all devices' machines."""
        for lane in self._lanes:
            lane.warm(language)

    def dataset(self, name: str, inputs: Inputs, outputs: Sequence[str], poison: int = 0) -> Dataset:
        """Lay arrays out for all devices."""
        return self._shelf.write(name, inputs, outputs, poison)

    def discard(self, dataset: Dataset) -> None:
        """Free a dataset everywhere."""
        self._shelf.discard(dataset)
        for lane in self._lanes:
            lane.forget(dataset)

    def execute(self, program: Program, dataset: Dataset) -> Executed | Failed:
        """Run a program."""
        return self._on_first(lambda lane: lane.execute(program, dataset))

    def execute_all(self, runs: Sequence[Run]) -> tuple[Executed | Failed, ...]:
        """Run programs in one request."""
        return self._on_first(lambda lane: lane.execute_all(runs))

    def time(self, request: TimeRequest) -> Timed | Failed:
        """Time contenders, all on the first device."""
        return self._on_first(lambda lane: lane.time(request))

    def renew(self, request: RenewRequest) -> Timed | Failed:
        """Time known against fresh content."""
        return self._on_first(lambda lane: lane.renew(request))

    def outputs(self, program: Program, dataset: Dataset) -> Executed | LaunchFailed:
        """Return the arrays as a timed call left them."""
        return self._on_first(lambda lane: lane.outputs(program, dataset))

    def close(self) -> None:
        """Give all hosts back and remove the arena."""
        with suppress(HotloopError):
            self._give_back()
        if self._witness is not None:
            self._witness.close()
            self._witness = None
        self._shelf.close()

    def _give_back(self) -> None:
        if self._coming is not None:
            self._coming.add_done_callback(_closed)
            self._coming = None
        for lane in self._lanes:
            lane.close()
        self._lanes.clear()


def _aside(make: Callable[[], T]) -> Future[T]:
    """Return what a function will have returned, in a thread for which the end of the process does not wait."""
    made: Future[T] = Future()

    def run() -> None:
        try:
            made.set_result(make())
        except BaseException as error:  # noqa: BLE001 - who asks for the result raises it
            made.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return made


def _closed(late: Future[list[Remote]]) -> None:
    """Close devices that joined a fleet after its end."""
    with suppress(HotloopError):
        for lane in late.result():
            lane.close()


def _fingerprint(lane: Remote) -> str:
    return lane.device.fingerprint if lane.device is not None else ""


def seats(node: Node, parts: int) -> list[Seat]:
    """Return the places for devices of a machine: one for each GPU, or one for each part of its cores."""
    if node.gpus:
        return [Seat(node, number, gpu=True) for number in range(node.gpus)]
    return [Seat(node, number, parts) for number in range(parts)] if node.cpus else []
