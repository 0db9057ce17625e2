"""The engine on this machine: one worker process, restarted whenever a candidate kills it."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from hotloop import registry
from hotloop.engine import layout
from hotloop.errors import HotloopError, MachineError, NoDeviceError, UsageError, WorkerError
from hotloop.host import arena as arenas
from hotloop.host.process import Child, ChildDiedError, ChildSilentError
from hotloop.model.codec import decode, encode
from hotloop.model.device import Device
from hotloop.model.outcome import Artifact, CompileFailed, Crashed, LaunchFailed, TimedOut
from hotloop.ports import Dataset, Executed, Timed, TimeRequest

if TYPE_CHECKING:
    from hotloop.model.kernel import Inputs
    from hotloop.model.program import Program

Failed = CompileFailed | LaunchFailed | Crashed | TimedOut
WORKER = "hotloop.engine.worker"
START_LIMIT_S = 60.0
"""Starting Python and importing NumPy on a loaded machine."""


class LocalEngine:
    """Implements the `Engine` port with one persistent worker process."""

    def __init__(
        self, environment: Mapping[str, str], *, build_limit_s: float = 60.0, run_limit_s: float = 60.0
    ) -> None:
        self._environment = dict(environment)
        self._build_limit_s = build_limit_s
        self._run_limit_s = run_limit_s
        self._arena = arenas.create()
        self._child: Child | None = None
        self._device_name = ""
        self._timed: dict[str, dict[str, str]] = {}
        self.restarts = 0
        """How many workers have died so far."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def worker_pid(self) -> int | None:
        """Process id of the running worker, or None."""
        return self._child.pid if self._child else None

    def devices(self) -> tuple[Device, ...]:
        """List what every backend reports; a backend that cannot be loaded or crashes is skipped."""
        found: list[Device] = []
        for language in registry.names("hotloop.backends"):
            with contextlib.suppress(MachineError):
                answer = self._ask("devices", START_LIMIT_S, language=language)
                if isinstance(answer, dict):
                    found += [decode(row, Device) for row in answer["devices"]]
        return tuple(found)

    def select(self, device_name: str = "", language: str = "opencl") -> Device:
        """Choose the device of a backend by a part of its name or runtime; see the backend for the default."""
        answer = self._ask("select", START_LIMIT_S, device=device_name, language=language)
        if not isinstance(answer, dict):
            raise NoDeviceError(
                f"the {language} runtime cannot be used: the worker {_died(answer)}; see hotloop doctor."
            )
        self._device_name = device_name
        return decode(answer["device"], Device)

    def build(self, program: Program) -> Artifact | CompileFailed | Crashed | TimedOut:
        """Compile; the binary, if any, lies in the arena until the engine is closed."""
        answer = self._ask("build", self._build_limit_s, program=encode(program))
        if isinstance(answer, dict):
            return decode(answer["artifact"], Artifact)
        return CompileFailed(answer.reason) if isinstance(answer, LaunchFailed) else answer

    def binary(self, program: Program) -> bytes:
        """Return the runtime's binary; empty when there is none."""
        answer = self._ask("binary", self._build_limit_s, program=encode(program))
        return (self._arena / Path(answer["file"]).name).read_bytes() if isinstance(answer, dict) else b""

    def dataset(self, name: str, inputs: Inputs, outputs: Sequence[str], poison: int = 0) -> Dataset:
        """Lay arrays out in the arena. Raises BadShapeError when they do not fit."""
        return layout.write(self._arena, name, inputs, outputs, poison)

    def discard(self, dataset: Dataset) -> None:
        """Free a dataset here and in the worker."""
        layout.remove(self._arena, dataset.name)
        if self._child is not None:
            self._ask("discard", START_LIMIT_S, name=dataset.name)

    def execute(self, program: Program, dataset: Dataset, repeat: int = 1) -> Executed | Failed:
        """Run a program on freshly loaded arrays and return all of them."""
        limit_s = self._build_limit_s + repeat * self._run_limit_s
        answer = self._ask("execute", limit_s, program=encode(program), dataset=encode(dataset), repeat=repeat)
        if not isinstance(answer, dict):
            return answer
        return Executed(layout.read(self._arena, answer["files"]), answer["device_ns"])

    def time(self, request: TimeRequest) -> Timed | Failed:
        """Time contenders in one worker; what they computed stays readable through `outputs`."""
        self._timed.clear()
        answer = self._ask("time", self._time_limit_s(request), request=encode(request))
        if not isinstance(answer, dict):
            return answer
        for index, program in enumerate(request.programs):
            dataset = request.datasets[0]
            names = [slot.name for slot in dataset.slots] + [f"scratch:{s.name}" for s in program.scratch]
            files = {name: f"{dataset.name}.t{index}.{i}.out" for i, name in enumerate(names)}
            self._timed[f"{program.fingerprint} {dataset.name}"] = files
        return decode(answer["timed"], Timed)

    def outputs(self, program: Program, dataset: Dataset) -> Executed | LaunchFailed:
        """Return the arrays as the last call through the timed path left them."""
        files = self._timed.get(f"{program.fingerprint} {dataset.name}")
        if files is None:
            return LaunchFailed("the program was not part of the last timing request")
        return Executed(layout.read(self._arena, files))

    def close(self) -> None:
        """Stop the worker and remove the arena."""
        if self._child is not None:
            self._child.kill()
            self._child = None
        arenas.remove(self._arena)

    def _time_limit_s(self, request: TimeRequest) -> float:
        samples = 2 * request.rounds * len(request.programs)
        return self._build_limit_s + 2 * self._run_limit_s + 10e-9 * samples * request.target_sample_ns

    def _ask(self, op: str, limit_s: float, **payload: object) -> dict[str, Any] | Failed:
        try:
            answer = self._worker().ask({"op": op, **payload}, limit_s)
        except ChildSilentError:
            self._lost()
            return TimedOut(op, limit_s)
        except ChildDiedError as death:
            self._lost()
            return Crashed(op, _signal(death.returncode), _last_words(death.tail))
        if "failure" in answer:
            kinds = {"CompileFailed": CompileFailed, "LaunchFailed": LaunchFailed}
            return decode(answer["failure"], kinds[answer["failure"]["is"]])
        _raise_for(answer)
        return answer

    def _worker(self) -> Child:
        if self._child is None:
            child = Child(WORKER, self._environment)
            try:
                child.ask({"arena": str(self._arena), "device": self._device_name}, START_LIMIT_S)
            except (ChildDiedError, ChildSilentError):
                raise WorkerError(f"the worker process does not start: {_last_words(child.tail)}") from None
            self._child = child
        return self._child

    def _lost(self) -> None:
        self._child = None
        self.restarts += 1


def _raise_for(answer: Mapping[str, Any]) -> None:
    if "refused" in answer:
        kind = UsageError if answer["exit_code"] == UsageError.exit_code else NoDeviceError
        raise kind(answer["refused"])
    if "error" in answer:
        raise HotloopError(
            f"defect in the worker, please report it: {answer['error'].strip().splitlines()[-1]}"
        ) from RuntimeError(answer["error"])


def _signal(returncode: int | None) -> int | None:
    return -returncode if returncode is not None and returncode < 0 else None


def _died(answer: Failed) -> str:
    return "did not answer" if isinstance(answer, TimedOut) else "crashed"


def _last_words(tail: str) -> str:
    r"""Return the most telling line of what a dead worker printed.

    >>> _last_words("noise\nFatal Python error: Segmentation fault\n\nCurrent thread ...")
    'Segmentation fault'
    """
    lines = [line.strip() for line in tail.splitlines() if line.strip()]
    for line in lines:
        if "Assertion" in line or "LLVM ERROR" in line:
            return line[:200]
    fatal = next((line for line in lines if line.startswith("Fatal Python error: ")), "")
    return fatal.removeprefix("Fatal Python error: ") or (lines[-1][:200] if lines else "")


def name_of(number: int | None) -> str:
    """Return a signal's name for messages, e.g. ``SIGSEGV``."""
    return signal.Signals(number).name if number else "exit"
