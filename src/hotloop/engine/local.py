"""The engine on this machine: one worker process, restarted whenever a candidate kills it."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar

from hotloop import registry
from hotloop.engine import answers, fit, laying, layout, stage
from hotloop.engine.ahead import Ahead
from hotloop.engine.answers import Answer, Failed
from hotloop.engine.due import Due
from hotloop.engine.landing import Landed, Landings
from hotloop.engine.wire import Data, Sender
from hotloop.engine.witness.link import Witness, called, foreseen
from hotloop.errors import MachineError, NoDeviceError, WorkerError
from hotloop.host.arena import Arena
from hotloop.host.process import Child, ChildDiedError, ChildSilentError
from hotloop.host.settings import usable_cores
from hotloop.host.turns import Turn
from hotloop.model.codec import decode
from hotloop.model.device import Device
from hotloop.model.outcome import Artifact, CompileFailed, Crashed, LaunchFailed, TimedOut
from hotloop.ports import Dataset, Executed, RenewRequest, Run, Timed, TimeRequest

if TYPE_CHECKING:
    from hotloop.model.kernel import Inputs
    from hotloop.model.program import Program

T = TypeVar("T")
WORKER = "hotloop.engine.worker"
CONFINED = "hotloop.engine.confined"
"""The command of the confined worker, for candidates that are not trusted."""
_OF_CANDIDATES = frozenset({"build", "binary", "execute", "time", "renew"})
"""Requests about one program: any failure in them is the outcome of that program, and the run continues."""
_PLAIN_OF_REQUEST = tuple(f.name for f in fields(TimeRequest) if f.name not in ("programs", "datasets"))
ONE_THREAD = {"CL_CONFIG_CPU_TBB_NUM_WORKERS": "1"}
"""Setting for Intel's runtime: a process that only compiles needs no threads that run kernels."""
LOOKS = 3  # under way at once on a GPU: one with the worker, one being judged, one that waits for its turn
_GRACE_S = 1.0
"""Seconds by which the parent's limit exceeds the worker's own limits, which produce more precise failures."""
START_LIMIT_S = 60.0
"""Limit for starting Python and importing NumPy on a loaded machine."""


class LocalEngine:
    """Implements the `Engine` port with one persistent worker process."""

    def __init__(
        self,
        environment: Mapping[str, str],
        *,
        build_limit_s: float = 60.0,
        run_limit_s: float = 60.0,
        confined: bool = False,
        witness: bool = True,
        share: int = 1,
    ) -> None:
        """`share`: how many engines divide the cores among their compilers."""
        self._share = share
        self._module, self._wants_witness = CONFINED if confined else WORKER, witness
        self._build_limit_s = build_limit_s
        self._run_limit_s = run_limit_s
        self._arena = Arena.create()
        self._landings = Landings(self._arena)
        self._alone = threading.RLock()
        """Held from a request to the worker until its results are copied or have a file of their own: one candidate is with it at a time."""
        self._plain_environment = dict(environment)
        self._environment = {**environment, **self._arena.environment()}
        self._witness: Witness | None = None
        self._child: Child | None = None
        self._device_name = ""
        self._device: Device | None = None
        self._gpu = ""
        """Name of the selected GPU, at which turns are taken; empty for a CPU."""
        self._wire = Sender()
        self._timed: TimeRequest | None = None
        """The latest request that was answered."""
        self._ahead: Ahead | None = None
        self._due = Due()
        self.restarts, self._closed = 0, False
        """How many workers have died so far."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def arena(self) -> Path:
        """Folder that this process and its workers share."""
        return self._arena.path

    @property
    def worker_pid(self) -> int | None:
        """Process id of the running worker, or None."""
        return self._child.pid if self._child else None

    def devices(self) -> tuple[Device, ...]:
        """List what every backend reports; a backend that cannot be loaded or crashes is skipped."""
        devices: list[Device] = []
        for language in registry.names("hotloop.backends"):
            with contextlib.suppress(MachineError):
                listed = self._ask("devices", START_LIMIT_S, answers.devices, _plain(language=language))
                devices += listed if isinstance(listed, list) else ()
        return tuple(devices)

    def select(self, device_name: str = "", language: str = "opencl") -> Device:
        """Choose the device of a backend by a part of its name or runtime; see the backend for the default."""
        asked = _plain(device=device_name, language=language)
        self._witness = foreseen(self._plain_environment, language, self._witness) if self._wants_witness else None
        device = self._ask("select", START_LIMIT_S, lambda answer: decode(answer["device"], Device), asked)
        if not isinstance(device, Device):
            died = answers.died(device)
            raise NoDeviceError(f"the {language} runtime cannot be used: the worker {died}; see hotloop doctor.")
        self._device_name, self._device = device_name, device
        self._gpu = device.name if device.kind == "gpu" else ""
        if self._wants_witness:
            self._witness = called(self._plain_environment, self._gpu, self._witness)
        return device

    @property
    def looks(self) -> int:
        """How many quick looks can be under way at once; on a CPU a judgement would take the processors from what is timed."""
        return LOOKS if self._gpu else 1

    @property
    def witness(self) -> Witness | None:
        """The process that computes references and compares results on the device; None if it is not in use."""
        return self._witness

    def build(self, program: Program) -> Artifact | CompileFailed | Crashed | TimedOut:
        """Compile; the binary, if any, lies in the arena until the engine is closed."""
        built = self._ask(
            "build",
            self._build_limit_s,
            lambda answer: decode(answer["artifact"], Artifact),
            lambda wire: {"program": wire.program(program)},
        )
        return CompileFailed(built.reason) if isinstance(built, LaunchFailed) else built

    def hurry(self, limit_s: float) -> None:
        """Limit later compilations and runs to this many seconds of wall time."""
        self._build_limit_s, self._run_limit_s = min(self._build_limit_s, limit_s), min(self._run_limit_s, limit_s)

    def ahead(self, programs: Sequence[Program]) -> None:
        """Start compiling programs on all cores; on a CPU nothing is timed until the compilations have ended."""
        for program in programs:
            if fit.impossible((program,), self._device) is None:
                self._compilers().begin(program)

    def warm(self, language: str) -> None:
        """Load a language's compiler in all processes that compile ahead; only for a GPU, whose timings wait for those that open it."""
        if self._gpu:
            self._compilers().warm(language)

    def ready(self, programs: Sequence[Program]) -> bool:
        """Tell whether none of the programs is still being compiled ahead."""
        return self._ahead is None or all(map(self._ahead.ready, programs))

    def _compilers(self) -> Ahead:
        if self._ahead is None:
            environment, device = {**self._environment, **ONE_THREAD}, self._device if self._gpu else None
            arena, limit_s, cores = self._arena.path, self._build_limit_s, max(1, usable_cores() // self._share)
            self._ahead = Ahead(self._module, environment, self._device_name, arena, limit_s, cores, device)
        return self._ahead

    def leave_after(self, limit_s: float) -> None:
        """Leave whatever is under way so many seconds from now: whoever asked gets SpentError; infinity: no more."""
        self._due.after(limit_s)

    def binary(self, program: Program) -> bytes:
        """Return the runtime's binary; empty when there is none."""

        def read(answer: Answer) -> bytes:
            return (self._arena.path / Path(answer["file"]).name).read_bytes()

        answered = self._ask("binary", self._build_limit_s, read, lambda wire: {"program": wire.program(program)})
        return answered if isinstance(answered, bytes) else b""

    def dataset(self, name: str, inputs: Inputs, outputs: Sequence[str], poison: int = 0) -> Dataset:
        """Lay arrays out in the arena. Raises BadShapeError when they do not fit."""
        return laying.write(self._arena, name, inputs, outputs, poison)

    def discard(self, dataset: Dataset) -> None:
        """Free a dataset here and in the worker."""
        layout.remove(self._arena, dataset.name)
        if self._child is not None:
            self._ask("discard", START_LIMIT_S, lambda _: None, _plain(name=dataset.name))

    def execute(self, program: Program, dataset: Dataset) -> Executed | Failed:
        """Run a program on freshly loaded arrays and return all of them."""
        return self.execute_all((Run(program, dataset),))[0]

    def execute_all(self, runs: Sequence[Run]) -> tuple[Executed | Failed, ...]:
        """Build and run programs in one request, up to the first that fails; each stage has its own limit.

        The limit of a run includes that of a build, because some runtimes compile for a work-group size at the first launch.
        """
        programs = {id(run.program): run.program for run in runs}  # comparing programs costs more than sending one
        these = programs.values(), self._device
        if failed := fit.impossible(*these) if self._ahead is None else self._ahead.unfit(*these, self._due):
            return (failed,)
        build_s, run_s = self._build_limit_s, self._build_limit_s + self._run_limit_s

        def payload(wire: Sender) -> Data:
            numbers = {key: number for number, key in enumerate(programs)}
            asked = [(numbers[id(run.program)], wire.dataset(run.dataset), run.fence, run.only) for run in runs]
            return {
                "programs": list(map(wire.program, programs.values())),
                "runs": asked,
                "build_limit_s": build_s,
                "run_limit_s": run_s,
                "landing": file,
            }

        limit_s = (build_s + run_s) * len(runs) + _GRACE_S
        with contextlib.ExitStack() as landing:
            with self._turn(alone=False):
                file = landing.enter_context(self._landings.taken(runs)) if self._gpu else ""
                answered = self._ask("execute", limit_s, partial(self._landings.given, runs, file), payload)
                if isinstance(answered, Crashed | TimedOut) and stage.left(self._arena.path) == "build":
                    answered = replace(answered, stage="build")
            if isinstance(answered, Landed):
                answered = self._copied(answered)
        if isinstance(answered, TimedOut):
            answered = replace(answered, limit_s=build_s if answered.stage == "build" else run_s)
        return answered if isinstance(answered, tuple) else (answered,)

    def _copied(self, landed: Landed) -> tuple[Executed | Failed, ...]:
        """Copy results while the next candidate is with the worker."""
        try:
            return landed.copied()
        except answers.NONSENSE as error:
            with self._alone:
                return (self._unread("execute", error),)

    def time(self, request: TimeRequest) -> Timed | Failed:
        """Time contenders in one worker; judged outputs stay readable through `outputs`."""

        def payload(wire: Sender) -> Data:
            return {
                "programs": [wire.program(program) for program in request.programs],
                "datasets": wire.datasets(request.datasets),
                **{name: getattr(request, name) for name in _PLAIN_OF_REQUEST},
            }

        with self._turn(alone=True):
            self._timed = None
            timed = self._ask("time", self._time_limit_s(request), partial(answers.timed, request), payload)
            if isinstance(timed, Timed):
                self._timed = request
        return timed

    def renew(self, request: RenewRequest) -> Timed | Failed:
        """Time calls on known inputs against calls on fresh inputs in one worker."""
        self._timed = None

        def payload(wire: Sender) -> Data:
            return {
                **{name: wire.program(getattr(request, name)) for name in ("program", "rival")},
                "datasets": wire.datasets(request.datasets),
                "fresh": [wire.dataset(fresh) for fresh in request.fresh],
                **{name: getattr(request, name) for name in ("calls", "judged", "met", "warm", "known_calls", "spoil")},
            }

        limit_s = self._build_limit_s + 2 * self._run_limit_s * request.rounds
        with self._turn(alone=True):
            timed = self._ask("renew", limit_s, lambda answer: answers.renewed(answer, request), payload)
        if isinstance(timed, Timed):
            self._timed = TimeRequest(
                programs=(request.program,), datasets=request.fresh, rounds=1, judged=request.judged
            )
        return timed

    def outputs(self, program: Program, dataset: Dataset) -> Executed | LaunchFailed:
        """Return the arrays that a timed call left in a dataset whose index was in `judged`."""
        return self._landings.timed(self._timed, program, dataset)

    def hand_over(self, limit_s: float) -> None:
        """Be as a new engine to the next desk, but for the worker, which stays: starting one takes longer than most questions."""
        if self._ahead is not None:
            self._ahead.close()
        self._ahead = self._timed = None
        self._build_limit_s = self._run_limit_s = limit_s
        self.restarts = 0

    def close(self) -> None:
        """Stop the workers and remove the arena."""
        self._closed = True
        for helper in (self._ahead, self._witness):
            if helper is not None:
                helper.close()
        self._ahead = self._witness = None
        if self._child is not None:
            self._child.kill()
            self._child = None
        self._arena.remove()

    def _turn(self, *, alone: bool) -> contextlib.ExitStack:
        """Wait for the worker, then for the GPU, or on a CPU for hotloop's own compilers; no wait counts for the worker's limits."""
        with contextlib.ExitStack() as held:
            held.enter_context(self._alone)
            if alone and self._ahead is not None:
                self._ahead.opened() if self._gpu else self._ahead.settle(self._due)
            if self._gpu:
                held.enter_context(Turn(self._gpu, self._environment, alone=alone))
            return held.pop_all()

    def _time_limit_s(self, request: TimeRequest) -> float:
        samples = 2 * request.rounds * len(request.programs)
        return self._build_limit_s + 2 * self._run_limit_s + 10e-9 * samples * request.target_sample_ns

    def _ask(
        self, op: str, limit_s: float, read: Callable[[Answer], T], payload: Callable[[Sender], Data]
    ) -> T | Failed:
        """Return what `read` makes of an answer, or how the worker failed: a candidate may have written over its memory."""
        with self._alone:
            answer = self._answer(op, limit_s, payload)
            if isinstance(answer, Crashed | TimedOut):
                self._arena.keep()
                return answer
            if "error" in answer and op in _OF_CANDIDATES:
                return self._nonsense(op, answers.defect(op, answer), missing=answer.get("missing") is True)
            answers.raise_for(op, answer)
            try:
                return answers.failure(answer["failure"]) if "failure" in answer else read(answer)
            except answers.NONSENSE as error:
                return self._unread(op, error)

    def _answer(
        self, op: str, limit_s: float, payload: Callable[[Sender], Data], *, again: bool = True
    ) -> Answer | Crashed | TimedOut:
        """Return the worker's answer, or how it died: by SIGKILL only the second time, for another process or the system sent that."""
        asked_s = self._due.within(limit_s)
        try:
            worker = self._worker()
            self._wire.begin()
            message = {"op": op, **payload(self._wire)}
            return worker.ask({**message, **self._wire.news()}, asked_s)
        except ChildSilentError:
            self._lost()
            self._due.left_s()
            return TimedOut(op, limit_s)
        except ChildDiedError as death:
            self._lost()
            if again and answers.signal_of(death.returncode) == signal.SIGKILL:
                return self._answer(op, limit_s, payload, again=False)
            if answers.signal_of(death.returncode) == signal.SIGALRM and op == "execute":
                return TimedOut(op, limit_s)
            return Crashed(op, answers.signal_of(death.returncode), answers.last_words(death.tail))
        except BaseException:
            self._child = None  # killed by `ask`
            raise

    def _unread(self, op: str, error: Exception) -> Crashed:
        return self._nonsense(op, f"the worker answered nonsense: {error}", missing=type(error) is FileNotFoundError)

    def _nonsense(self, op: str, message: str, *, missing: bool) -> Crashed:
        """Stop a worker whose answer made no sense, because its memory may be damaged, or a file is missing that it knew."""
        self._arena.keep(missing=missing)
        if self._child is not None:
            self._child.kill()
        self._lost()
        return Crashed(op, None, message[:200])

    def _worker(self) -> Child:
        if self._child is not None and not self._child.alive:  # it died while idle: no candidate failed
            self._child.kill()
            self._lost()
        if self._closed:
            raise MachineError("the engine was closed.")  # to whoever was waiting for an answer
        if self._child is None:
            self._child = self._start()
        return self._child

    def _start(self, *, again: bool = True) -> Child:
        child, self._wire = Child(self._module, self._environment), Sender()
        try:
            child.ask({"arena": str(self._arena.path), "device": self._device_name}, START_LIMIT_S)
        except (ChildDiedError, ChildSilentError) as failure:
            if again and answers.signal_of(getattr(failure, "returncode", None)) == signal.SIGKILL:
                return self._start(again=False)
            raise WorkerError(f"the worker process does not start: {answers.last_words(child.tail)}") from None
        return child

    def _lost(self) -> None:
        self._child = None
        self.restarts += 1


def _plain(**data: str) -> Callable[[Sender], Data]:
    return lambda _: dict(data)
