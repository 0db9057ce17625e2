"""The engine port of one device of a cluster: requests go to its host, what runs left comes back to be judged here."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hotloop.engine import names
from hotloop.engine.ray.cluster import Joined
from hotloop.engine.ray.seat import Facts, Left, Seat
from hotloop.engine.ray.shelf import Shelf
from hotloop.errors import HotloopError, LostError, MovedError
from hotloop.model.outcome import Artifact, CompileFailed, Crashed, LaunchFailed, TimedOut
from hotloop.ports import Dataset, Executed, RenewRequest, Run, Surroundings, Timed, TimeRequest

if TYPE_CHECKING:
    from pathlib import Path

    from hotloop.engine.ray.host import Begin, Choose
    from hotloop.model.device import Device
    from hotloop.model.kernel import Inputs
    from hotloop.model.program import Program

Failed = CompileFailed | LaunchFailed | Crashed | TimedOut
LIVES = 4
"""Hosts that a device may lose before it counts as lost itself."""


class Remote:
    """Implements the `Engine` port for one device; a host that died is replaced, on the same device."""

    def __init__(
        self, cluster: Joined, seat: Seat, host: tuple[Any, Facts], shelf: Shelf, begin: Begin, choose: Choose
    ) -> None:
        self._cluster, self.seat, self._shelf = cluster, seat, shelf
        self._actor, self.facts = host
        self._begin, self._choose = begin, choose
        self._asked = ("", "opencl")
        self._limit_s: float | None = None
        self._alone = threading.RLock()
        """Held while arrays are sent or a host is replaced, which several threads may find necessary at once."""
        self._sent: dict[str, Dataset] = {}
        self._beside = False
        """Whether the host reads this machine's files."""
        self.carried_bytes, self.carried_s = 0, 0.0
        """What was laid out there so far, and the time that it took."""
        self._surroundings = Surroundings(None)
        self.device: Device | None = None
        self.restarts = 0
        """Hosts that were lost and replaced."""
        self.lost = False
        """True: the device itself is."""

    @property
    def place(self) -> str:
        """Machine and device."""
        return self.seat.place

    @property
    def looks(self) -> int:
        """Quick looks under way at once: what one look left is judged here while the host is at the next, on a GPU."""
        return self._cluster.looks if self.device is not None and self.device.kind == "gpu" else 1

    @property
    def asking_s(self) -> float:
        """Return the interval in s at which its host is asked whether something is ready."""
        return self._cluster.asking_s

    @property
    def surroundings(self) -> Surroundings:
        """What its machine was like after the latest timing."""
        return self._surroundings

    @property
    def arena(self) -> Path:
        """Folder of the run with the datasets' files."""
        return self._shelf.path

    def devices(self) -> tuple[Device, ...]:
        """Return the device, once it is selected."""
        return (self.device,) if self.device is not None else ()

    def select(self, device_name: str = "", language: str = "opencl") -> Device:
        """Open the engine there and choose its device."""
        self._asked = device_name, language
        self.device = self._opened()
        return self.device

    def _opened(self) -> Device:
        self._ask_once("begin", self._begin, self._choose)
        if self._limit_s is not None:
            self._ask_once("hurry", self._limit_s)
        self._beside = self._ask_once("beside", str(self.arena), self._shelf.sign)
        return self._ask_once("select", *self._asked)  # type: ignore[no-any-return]

    def hurry(self, limit_s: float) -> None:
        """Lower the limits there."""
        self._limit_s = limit_s
        self._ask("hurry", limit_s)

    def build(self, program: Program) -> Artifact | CompileFailed | Crashed | TimedOut:
        """Compile there."""
        return self._ask("build", program)  # type: ignore[no-any-return]

    def binary(self, program: Program) -> bytes:
        """Return the runtime's binary."""
        return self._ask("binary", program)  # type: ignore[no-any-return]

    def ahead(self, programs: Sequence[Program]) -> None:
        """Begin to compile there; whether that goes well is asked later."""
        self._actor.ahead.remote(tuple(programs))

    def ready(self, programs: Sequence[Program]) -> bool:
        """Tell whether none of the programs is still being compiled ahead there."""
        return self._ask("ready", tuple(map(names.build, programs)))  # type: ignore[no-any-return]

    def which(self, groups: Sequence[Sequence[Program]]) -> list[bool]:
        """Tell the same of several groups of programs in one request, which may have to wait for a measurement there."""
        return self._ask("which", tuple(tuple(map(names.build, programs)) for programs in groups))  # type: ignore[no-any-return]

    def warm(self, language: str) -> None:
        """Have a language's compiler loaded there; nobody waits for it."""
        self._actor.warm.remote(language)

    def dataset(self, name: str, inputs: Inputs, outputs: Sequence[str], poison: int = 0) -> Dataset:
        """Lay arrays out here; they are sent with the first request that needs them."""
        return self._shelf.write(name, inputs, outputs, poison)

    def discard(self, dataset: Dataset) -> None:
        """Free a dataset here and there."""
        self._shelf.discard(dataset)
        self.forget(dataset)

    def forget(self, dataset: Dataset) -> None:
        """Free a dataset there."""
        if self._sent.pop(dataset.name, None) is not None:
            self._actor.discard.remote(dataset.name)

    def execute(self, program: Program, dataset: Dataset) -> Executed | Failed:
        """Run a program there and return all arrays."""
        return self.execute_all((Run(program, dataset),))[0]

    def execute_all(self, runs: Sequence[Run]) -> tuple[Executed | Failed, ...]:
        """Run programs there in one request, up to the first that fails."""
        outcomes = self._ask("execute", tuple(runs), needs=[run.dataset for run in runs])
        return tuple(self._executed(run.dataset, outcome) for run, outcome in zip(runs, outcomes, strict=False))

    def time(self, request: TimeRequest) -> Timed | Failed:
        """Time contenders there."""
        timed, self._surroundings = self._ask("time", request, needs=request.datasets)
        return timed  # type: ignore[no-any-return]

    def renew(self, request: RenewRequest) -> Timed | Failed:
        """Time known against fresh content there."""
        timed, self._surroundings = self._ask("renew", request, needs=(*request.datasets, *request.fresh))
        return timed  # type: ignore[no-any-return]

    def outputs(self, program: Program, dataset: Dataset) -> Executed | LaunchFailed:
        """Return the arrays as a timed call left them; a host that died took them along, so all must be asked anew."""
        actor = self._actor
        try:
            answer = self._ask_once("outputs", program, dataset.name)
        except LostError as death:
            self._revive(actor)
            raise MovedError(f"{self.place} was lost before its timed results were read.") from death
        executed = self._executed(dataset, answer)
        assert isinstance(executed, Executed | LaunchFailed)
        return executed

    def worker(self) -> int | None:
        """Return the process id of the worker there."""
        return self._ask("worker")  # type: ignore[no-any-return]

    def close(self) -> None:
        """Give the host back."""
        self._cluster.release(self.seat, self._actor)

    def abandon(self) -> None:
        """End the host, whatever it is doing."""
        self._cluster.kill(self._actor)

    def _executed(self, dataset: Dataset, outcome: Left | Failed) -> Executed | Failed:
        if not isinstance(outcome, Left):
            return outcome
        return Executed(self._shelf.whole(dataset, outcome.arrays), outcome.device_ns)

    def _ask(self, method: str, *args: object, needs: Sequence[Dataset] = ()) -> Any:  # noqa: ANN401 - the caller knows
        """Ask the host; one that dies is replaced and asked again. Raises LostError when that does not help."""
        while True:
            actor = self._actor
            try:
                with self._alone:
                    self._bring(needs)
                return self._ask_once(method, *args)
            except LostError:
                self._revive(actor)

    def _ask_once(self, method: str, *args: object) -> Any:  # noqa: ANN401
        return self._cluster.answer(getattr(self._actor, method).remote(*args), self.place)

    def _bring(self, datasets: Sequence[Dataset]) -> None:
        """Send what the host does not have yet."""
        missing = {dataset.name: dataset for dataset in datasets if self._sent.get(dataset.name) is not dataset}
        if not missing:
            return
        began_s = time.monotonic()
        for ref in [self._laid_out(dataset) for dataset in missing.values()]:
            self._cluster.answer(ref, self.place)
        self._sent.update(missing)
        self.carried_s += time.monotonic() - began_s
        self.carried_bytes += sum(slot.payload_bytes for dataset in missing.values() for slot in dataset.slots)

    def _laid_out(self, dataset: Dataset) -> Any:  # noqa: ANN401 - a reference of Ray's
        if self._beside:
            return self._actor.take.remote(dataset, str(self.arena))
        return self._actor.receive.remote(dataset, *self._shelf.refs(dataset))

    def _revive(self, gone: object) -> None:
        """Start another host for the same device, unless somebody did since this one was lost.

        Raises LostError when there is none, or it drives another device.
        """
        with self._alone:
            if self._actor is gone or self.lost:
                self._replace()

    def _replace(self) -> None:
        before = self.device
        self._sent.clear()
        while self.restarts < LIVES and not self.lost:
            self.restarts += 1
            actors = self._cluster.seat((self.seat,))
            if not actors:
                break
            self._actor, self.facts = actors[self.seat]
            try:
                now = self._opened()
            except LostError:
                continue
            except HotloopError:
                break
            if before is None or now.fingerprint == before.fingerprint:
                return
            break
        self.lost = True
        raise LostError(
            f"{self.place} is gone: its process ended and cannot be started again; run the same command again, it goes on "
            "where it stopped."
        )
