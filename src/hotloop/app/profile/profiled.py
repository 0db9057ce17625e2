"""What a profiler will run: a kernel's specification made into a program of its own, or a command as it stands."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from hotloop.errors import MachineError, UsageError
from hotloop.host import profiling, settings
from hotloop.profilers.collector import ANSWER, CONTROL, Collector, Refusal, Vendor, Wanted, collector, collectors
from hotloop.targets.target import Target

if TYPE_CHECKING:
    from hotloop.app.session import Options
    from hotloop.engine.solo import Request as SoloRequest
    from hotloop.model.device import Device
    from hotloop.model.problem import Work
    from hotloop.model.program import Program

REQUEST = "request.json"
AUTO = "auto"
DEFAULT_LAUNCHES = 5
_OPENCL = Refusal(
    "Nsight Compute does not see OpenCL kernels",
    "profile a Triton or CUDA program: hotloop profile -- python script.py",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A program or kernel to profile, and the counters to collect."""

    spec: str = ""
    """A kernel: ``gemm@MWI=8``, ``file.py``; or empty for a command."""
    command: tuple[str, ...] = ()
    """A program with its arguments."""
    tool: str = AUTO
    kernel: str = ""
    """Kernel function; empty: the main one of a specification, every one of a command."""
    counters: tuple[str, ...] = ()
    unlisted: bool = False
    """True to take counters of AMD that are not known to exist."""
    target: str = ""
    """GPU by which AMD's counters are divided into passes; empty: the device's, where it is known."""
    shape: str = ""
    warmups: int = 3
    """Launches before those that count."""
    launches: int = 0
    """Launches that count; 0: five of a specification, all of a command."""
    folder: str = ""
    limit_s: float = 300.0
    """Wall time of each run."""
    code: tuple[str, ...] = ()
    """Listings or code objects of the kernel, for the explanation."""


@dataclass(frozen=True, slots=True)
class Profiled:
    """What the tool will run."""

    wanted: Wanted
    words: str
    launches: int | None
    """Launches that are counted where the program says when to count."""
    device: Device | None = None
    environment: dict[str, str] = field(default_factory=dict)
    work: Work | None = None
    """Work of one launch; None: it is not known, or a call consists of several launches."""


@contextmanager
def prepared(request: Request, options: Options, folder: Path) -> Iterator[Profiled]:
    """Give the program that a tool will run; of a specification, its arrays are there until the end."""
    if bool(request.spec) == bool(request.command):
        raise UsageError("give either a kernel, such as gemm, or a program after --: hotloop profile -- python x.py.")
    if request.command:
        wanted = Wanted(
            command=request.command, kernel=request.kernel, skip=request.warmups, count=request.launches,
            counters=request.counters, architecture=_architecture(request.target),
        )  # fmt: skip
        yield Profiled(wanted, shlex.join(request.command), None, environment=dict(os.environ))
        return
    with _of_kernel(request, options, folder) as subject:
        yield subject


@contextmanager
def _of_kernel(request: Request, options: Options, folder: Path) -> Iterator[Profiled]:
    """Give a specification as a program of its own, compiled and run once, so that what fails later is the profiler."""
    from hotloop.app import hint, session, userfile
    from hotloop.app import spec as targets
    from hotloop.app.run.inputs.workload import Workload
    from hotloop.engine import solo

    target = targets.parse(request.spec, request.limit_s)
    problem = userfile.timed(target.kernel, request.shape)
    chosen = options.running(target.chosen)
    with session.open_engine(chosen) as engine:
        device = session.select_device(engine, chosen)
        with targets.opened(chosen, target) as store:
            variant = target.variant(problem, device, store, chosen)
        work = Workload(engine, target.kernel, problem, device, options.seed)
        dataset = work.sets()[0]
        try:
            program = work.program(variant)
        except ValueError as error:
            raise UsageError(f"{request.spec} is ruled out on {device.name}: {error}.") from None
        check = hint.command("check", request.spec, device=options.device, shape=request.shape)
        _works(engine.execute(program, dataset), request.spec, check)
        entry, times = _entry(program, request)
        launches = request.launches or DEFAULT_LAUNCHES
        command = (sys.executable, "-m", solo.MODULE, str(folder / REQUEST))
        wanted = Wanted(
            command=command, kernel=entry, skip=request.warmups * times, count=launches * times,
            counters=request.counters, architecture=_architecture(request.target),
        )  # fmt: skip
        control = controlled(request, choose(request, device)[0])
        asked = solo.Request(
            program=program, dataset=dataset, arena=str(engine.arena),
            device=chosen.device or settings.DEVICE.get(),
            warmups=request.warmups, launches=launches,
            control=str(folder / CONTROL) if control else "", answer=str(folder / ANSWER) if control else "",
        )  # fmt: skip
        _write_request(asked, folder)
        useful = target.kernel.work(problem) if len(program.launches) == 1 else None
        yield Profiled(wanted, request.spec, launches, device, session.worker_environment(), useful)


def _write_request(asked: SoloRequest, folder: Path) -> None:
    from hotloop.model.codec import encode

    data = encode(asked)
    (folder / REQUEST).write_text(json.dumps(data), encoding="utf-8")


def _works(ran: object, spec: str, check: str) -> None:
    from hotloop.model.outcome import describe
    from hotloop.ports import Executed

    if not isinstance(ran, Executed):
        raise UsageError(f"{spec} does not run: {describe(ran)}; see {check}.")  # type: ignore[arg-type]


def _entry(program: Program, request: Request) -> tuple[str, int]:
    """Return the kernel function to profile, and how often one call launches it."""
    names = [launch.entry for launch in program.launches]
    if program.main is None:
        raise UsageError(f"{request.spec} launches nothing for this problem; give a kernel with work.")
    entry = request.kernel or program.main.entry
    if entry not in names:
        listed = ", ".join(dict.fromkeys(names))
        raise UsageError(f"{request.spec} does not launch {entry!r}; it launches {listed}.")
    return entry, names.count(entry)


def _architecture(target: str) -> str:
    """Return the processor by which counters are divided: the one that is named, else this machine's."""
    return Target.of(target).name or profiling.amd_target()


def results_folder(request: Request) -> Path:
    """Create the folder of results: the one that is asked for, or the first free ``profile-NAME``.

    Raises:
        UsageError: it holds something already.
        MachineError: it cannot be created.
    """
    words = request.spec or (Path(request.command[0]).name if request.command else "")
    name = re.sub(r"[^\w.=-]+", "-", words).strip("-.")[:60] or "kernel"
    chosen = Path(request.folder) if request.folder else next(_free(f"profile-{name}"))
    try:
        if chosen.exists() and (not chosen.is_dir() or any(chosen.iterdir())):
            raise UsageError(f"{chosen} is not an empty folder: choose another with --out, or remove it.")
        chosen.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MachineError(
            f"cannot create the folder {chosen}: {error.strerror}; choose another with --out."
        ) from error
    return chosen.resolve()


def _free(name: str) -> Iterator[Path]:
    number = 1
    while True:
        path = Path(name if number == 1 else f"{name}-{number}")
        if not path.exists():
            yield path
        number += 1


# --- which tool ------------------------------------------------------------------------------------------------------


def choose(request: Request, device: Device | None) -> tuple[Collector, str]:
    """Return the tool, and why it cannot count here if that is known beforehand. Raises UnknownNameError."""
    if request.tool != AUTO:
        chosen = collector(request.tool)
        return chosen, _unseen(chosen, device)
    vendor = _vendor(request, device)
    fitting = [tool for tool in collectors() if tool.vendor == vendor]
    here = [tool for tool in fitting if profiling.find(tool.program, tool.folders)]
    chosen = (here or fitting)[0]
    return chosen, _unseen(chosen, device)


def _vendor(request: Request, device: Device | None) -> Vendor:
    """Return whose counters are meant: the device's, or of a program the GPU's that this machine shows, else the CPU's."""
    if device is not None:
        return _maker(device)
    if request.target:
        return Vendor.NVIDIA if Target.of(request.target).nvidia else Vendor.AMD
    return Vendor(profiling.vendor() or Vendor.CPU)


def _maker(device: Device) -> Vendor:
    if device.kind != "gpu":
        return Vendor.CPU
    return Vendor.NVIDIA if "nvidia" in f"{device.runtime_key} {device.name}".lower() else Vendor.AMD


def _unseen(chosen: Collector, device: Device | None) -> str:
    """Return why a tool cannot see what runs on a device; empty when it can."""
    if device is None:
        return ""
    if chosen.vendor != _maker(device):
        fitting = ", ".join(collector.name for collector in collectors() if collector.vendor == _maker(device))
        return f"{chosen.name} does not count on {device.name}: choose --tool auto, or one of {fitting}."
    if chosen.vendor == Vendor.NVIDIA and device.backend == "opencl":
        return str(_OPENCL)
    return ""


def controlled(request: Request, tool: Collector) -> bool:
    """Tell whether the program shall say when to count: of a kernel, under a tool that counts whole processes."""
    return bool(request.spec) and tool.vendor == Vendor.CPU
