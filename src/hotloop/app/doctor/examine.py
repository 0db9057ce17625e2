"""What works on this machine, what does not, and the one command that mends it."""

from __future__ import annotations

import importlib.metadata
import importlib.util
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hotloop.app.doctor import cluster, languages
from hotloop.app.session import GPUS, Options, open_engine, open_store, refuse_unknown
from hotloop.engine import metered
from hotloop.errors import HotloopError
from hotloop.host import confine, memory, runtimes, settings
from hotloop.host.meters import rapl
from hotloop.model.energy import Unmetered
from hotloop.targets.target import Target
from hotloop.units import counted

if TYPE_CHECKING:
    from hotloop.devices.detect import Processor
    from hotloop.model.device import Device
    from hotloop.model.language import Runtime


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    what: str
    works: bool
    detail: str
    remedy: str = ""
    """The one command that mends it; empty when nothing has to be done."""
    optional: bool = False
    """True when hotloop's main job runs without it."""


_OFFLINE = (
    ("ziglang", "amd", "HIP and OpenCL C"),
    ("triton", "amd", "Triton and Gluon"),
    ("flydsl", "flydsl", "FlyDSL"),
)
"""Packages whose compilers reach GPUs that the machine does not have, their extras, and what they compile."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All findings about this machine."""

    findings: tuple[Finding, ...]

    @property
    def runs(self) -> bool:
        """True when some device runs kernels."""
        return any(finding.works for finding in self.findings if " device" in finding.what)

    @property
    def healthy(self) -> bool:
        """True when kernels can run and results can be kept."""
        return all(finding.works or finding.optional for finding in self.findings)


def _confinement() -> Finding:
    """Report how strictly an untrusted candidate can be confined on this machine."""
    confinement = confine.possible()
    detail = "it writes only its own files, sees no network, no other process, within limits"
    if not confinement.whole:
        detail = f"this system does not let everybody take from it: {', '.join(confinement.lacking)}"
    remedy = "" if confinement.whole else "run candidates that nobody trusts in a container or a virtual machine."
    return Finding("confining a candidate", works=confinement.whole, detail=detail, remedy=remedy, optional=True)


def examine(options: Options) -> Diagnosis:
    """Look at processor, OpenCL runtimes and GPUs (each probed in a process of its own), tools and store."""
    refuse_unknown(options)
    asked, options = options, replace(options, engine="")
    opencl = [_bindings(), *_runtimes(options)]
    gpus = [_gpu(options, *item) for item in languages.runtimes().items()]
    if any(row.works for row in gpus):  # kernels run without OpenCL, too
        opencl = [replace(row, optional=True) for row in opencl]
    rows = [_processor(), *opencl, *gpus]
    rows.append(_confinement())
    if not Diagnosis(tuple(rows)).runs:
        rows.append(
            Finding(
                "running kernels",
                works=False,
                detail="no device passes the probe; reports, history "
                "and everything else that runs no kernel still work",
                remedy=runtimes.INSTALL_CPU,
            )
        )
    rows += [_module("capstone", "machine-code evidence on CPUs"), _module("elftools", "machine-code evidence on CPUs")]
    rows += [*_compilers(), _energy(), _cluster(asked), _blas(options), _store(options)]
    return Diagnosis(tuple(rows))


def _compilers() -> list[Finding]:
    """Look for what compiles kernels for GPUs that are not here; nothing is started."""
    return [_compiler(package, extra, what) for package, extra, what in _OFFLINE]


def _compiler(package: str, extra: str, what: str) -> Finding:
    title = f"offline {what}"
    try:
        version = importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        mend = f"pip install 'hotloop[{extra}]'"
        return Finding(title, works=False, detail=f"{package} is not installed", remedy=mend, optional=True)
    return Finding(title, works=True, detail=f"{package} {version}: compiles for GPUs that are not here", optional=True)


def _energy() -> Finding:
    """Say whether the processors' energy is counted here; a GPU's row says it of the GPU."""
    meter = rapl.meter()
    counted = not isinstance(meter, Unmetered)
    return Finding(
        "energy of processors", counted, meter.reason if isinstance(meter, Unmetered) else meter.source, optional=True
    )


def _counted(device: Device) -> str:
    """Return what counts the energy of a GPU; empty where nothing is known about its kind."""
    if not Target.of(device.target).nvidia:
        return ""
    meter = metered.meter(device)
    return f"; energy not counted: {meter.reason}" if isinstance(meter, Unmetered) else f"; energy: {meter.source}"


def _cluster(options: Options) -> Finding:
    """List the devices that an engine for several devices would use; join a cluster only if that was asked for."""
    title, remedy = "cluster", "pip install 'hotloop[ray]'"
    if not cluster.version() and options.engine != GPUS:
        return Finding(title, works=False, detail="ray is not installed", remedy=remedy, optional=True)
    if not options.engine:
        return Finding(title, works=True, detail=cluster.idle(), optional=True)
    try:
        return Finding(title, works=True, detail=cluster.joined(options), optional=True)
    except HotloopError as error:
        return Finding(title, works=False, detail=str(error), remedy="see docs/cluster.md")


def _processor() -> Finding:
    from hotloop.devices.blas import coretype
    from hotloop.devices.detect import detect

    processor: Processor = detect()
    core = coretype(processor.flags, processor.machine)
    cores = counted(processor.cores, "core") + (f" ({processor.cores_note})" if processor.cores_note else "")
    kind = processor.target or processor.machine
    detail = f"{processor.name}, {kind}, {cores}; OpenBLAS core type {core.name or 'its own choice'}"
    return Finding("processor", works=True, detail=detail)


def _bindings() -> Finding:
    if runtimes.bindings_installed():
        return Finding("pyopencl", works=True, detail="installed")
    return Finding("pyopencl", works=False, detail="not installed", remedy=runtimes.INSTALL_CPU)


def _runtimes(options: Options) -> list[Finding]:
    drivers = runtimes.find()
    if not runtimes.bindings_installed():
        return []
    if settings.ICD_VENDORS.get():
        return [_probed(options, "", f"{settings.ICD_VENDORS.name}={settings.ICD_VENDORS.get()}")]
    rows = []
    for runtime in drivers:
        if runtime.problem:
            rows.append(
                Finding(
                    f"OpenCL device {runtime.key}",
                    works=False,
                    detail=runtime.problem,
                    remedy=runtime.remedy,
                    optional=True,
                )
            )
        else:
            rows.append(_probed(options, runtime.key, runtime.origin, runtime))
    return rows or [Finding("OpenCL runtime", works=False, detail="none is installed", remedy=runtimes.INSTALL_CPU)]


def _probed(options: Options, key: str, origin: str, runtime: runtimes.Runtime | None = None) -> Finding:
    """Probe one runtime in a worker that sees no other, so that a crash tells which one it was."""
    from hotloop.app.session import worker_environment
    from hotloop.engine.local import LocalEngine

    environment = worker_environment()
    if runtime is not None:
        environment[settings.ICD_VENDORS.name] = str(runtimes.vendor_folder((runtime,)))
    try:
        with LocalEngine(environment, run_limit_s=options.limit_s) as engine:
            device: Device = engine.select("", "opencl")
    except HotloopError as error:
        return Finding(
            f"OpenCL device {key}",
            works=False,
            detail=f"{origin}: {error}",
            optional=True,
            remedy=memory.WIDEN
            if memory.narrow()
            else f"remove or repair the runtime of {origin}, or {runtimes.INSTALL_CPU}",
        )
    kind = f"{device.name}, {device.runtime}, {counted(device.compute_units, 'compute unit')}"
    return Finding(f"OpenCL device {device.runtime_key}", works=True, detail=f"{kind}; compile-run-check passed")


def _gpu(options: Options, backend: str, runtime: Runtime) -> Finding:
    """Try one GPU language in a worker of its own: driver, compiler, one small kernel."""
    what = f"{runtime.title} device"
    if missing := languages.missing(runtime):
        return Finding(what, works=False, detail=missing, remedy=runtime.remedy, optional=True)
    try:
        with open_engine(options) as engine:
            device = engine.select("", backend)
    except HotloopError as error:
        return Finding(what, works=False, detail=str(error), remedy=runtime.driver, optional=True)
    detail = f"{device.name}, {device.runtime}, {device.target}, {counted(device.compute_units, 'compute unit')}"
    return Finding(what, works=True, detail=f"{detail}; compile-run-check passed{_counted(device)}", optional=True)


def _module(name: str, purpose: str) -> Finding:
    installed = importlib.util.find_spec(name) is not None
    return Finding(name, installed, purpose, "" if installed else runtimes.INSTALL_CPU, optional=True)


def _blas(options: Options) -> Finding:
    try:
        with open_engine(options) as engine:
            host = engine.select("", "blas")
    except HotloopError as error:
        return Finding("BLAS peer", works=False, detail=str(error), optional=True, remedy=runtimes.INSTALL_CPU)
    return Finding("BLAS peer", works=True, detail=host.runtime, optional=True)


def _store(options: Options) -> Finding:
    try:
        with open_store(options) as store:
            return Finding("store", works=True, detail=store.location)
    except HotloopError as error:
        return Finding(
            "store", works=False, detail=str(error), remedy="hotloop --help shows --store; HOTLOOP_STORE sets it"
        )
