"""All wiring: creates from settings and options a desk with engine, device, store and listener."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from hotloop.app.desk import Desk, MemoryJournal
from hotloop.app.events import Began, Listener, Notice, Silent
from hotloop.app.opened import opened
from hotloop.engine import metered
from hotloop.errors import MachineError, UsageError
from hotloop.host import runtimes, settings
from hotloop.host.clock import SystemClock
from hotloop.model.energy import Objective, Unmetered
from hotloop.ports import COLD, ROTATED, Numerous, Placed

if TYPE_CHECKING:
    from hotloop.engine.local import LocalEngine
    from hotloop.engine.ray.fleet import Fleet
    from hotloop.model.device import Device
    from hotloop.model.kernel import Implementation
    from hotloop.ports import Journal
    from hotloop.store import Store


RAY, GPUS = "ray", "gpus"
"""Engines by name: a Ray cluster, and all GPUs of this machine without Ray."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Options that the command line or a program can set for any run."""

    device: str = ""
    """Part of a device's name or runtime; empty: HOTLOOP_DEVICE, else the best that works."""
    store: str = ""
    """File or URL; empty: HOTLOOP_STORE, else the user's data folder."""
    language: str = "opencl"
    """Backend to select the device from."""
    limit_s: float = 60.0
    """Wall-clock limit for one compilation or one run of a candidate."""
    seed: int = 1
    """Seed of the random inputs."""
    search: int = 1
    """Seed of the search's random choices; unlike `seed` it need not be secret."""
    confined: bool = False
    """True: the worker can write only its own files, see `hotloop.host.confine`."""
    secret: bool = False
    """True if `seed` was drawn for this run, so that another run of the same request draws another seed."""
    mode: str = ROTATED
    """How warm the caches are when calls are timed; one of `hotloop.ports.MODES`."""
    objective: Objective = Objective.TIME
    """Quantity that the run minimises."""
    loss: float | None = None
    """Largest growth of errors that a faster variant may cause, as a multiple of the start's; None: as the kernel's tolerance says."""
    engine: str = ""
    """``gpus``: all GPUs of this machine; ``ray`` or ``ray://HOST``: the devices of a cluster; empty: one device of this machine."""
    witness: bool = True
    """False: a GPU's engine starts no process that computes references beside its worker."""

    def running(self, implementation: Implementation) -> Options:
        """Return the options with the language of an implementation."""
        return self.running_language(implementation.language)

    def running_language(self, language: str) -> Options:
        """Return the options with another language."""
        return replace(self, language=language)


def worker_environment() -> dict[str, str]:
    """Return the environment of workers: that of this process, with visible OpenCL runtimes and the right BLAS core type.

    OpenBLAS' own variables are replaced: machine images set them for an older processor, and a peer at half its speed
    would flatter every comparison.
    """
    from hotloop.devices.blas import coretype
    from hotloop.devices.detect import detect

    environment = dict(os.environ) | runtimes.loader_environment()
    processor = detect()
    core = coretype(processor.flags, processor.machine)
    chosen = settings.CORE_TYPE.get() or core.name
    if chosen:
        environment["OPENBLAS_CORETYPE"] = chosen
    environment.pop("OPENBLAS_L2_SIZE", None)  # a tuning cache of another machine would make the peer slower than it is
    if not settings.BLAS_THREADS.get():
        environment[settings.BLAS_THREADS.name] = str(settings.usable_cores())
    environment["PYOPENCL_NO_CACHE"] = "1"
    environment["AMD_COMGR_CACHE"] = "0"  # the cache of hiprtc since ROCm 6.2 would make build times unrealistic
    return environment


def open_engine(options: Options) -> LocalEngine | Fleet:
    """Return the engine that the options name; the caller must close it."""
    if not options.engine:
        return local_engine(options)
    from hotloop.engine.ray import cluster, here
    from hotloop.engine.ray.fleet import Fleet

    refuse_unknown(options)
    begin = partial(local_engine, replace(options, witness=False))
    beside = worker_environment() if options.witness and options.engine in (RAY, GPUS) else None
    return Fleet(here.Here() if options.engine == GPUS else cluster.join(options.engine), begin, chosen, beside)


def refuse_unknown(options: Options) -> None:
    """Raise UsageError where the options name an engine that there is none of."""
    if options.engine not in ("", RAY, GPUS) and not options.engine.startswith("ray://"):
        raise UsageError(
            f"unknown engine {options.engine!r}; write {GPUS} for all GPUs of this machine, ray, or ray://HOST for a cluster elsewhere."
        )


def local_engine(options: Options, variables: Mapping[str, str] | None = None, share: int = 1) -> LocalEngine:
    """Return an engine on this machine, one of `share`, with variables of its own; the caller must close it."""
    from hotloop.engine.local import LocalEngine

    environment = worker_environment() | settings.child_path() | dict(variables or {})
    return LocalEngine(
        environment,
        build_limit_s=options.limit_s,
        run_limit_s=options.limit_s,
        confined=options.confined,
        witness=options.witness,
        share=share,
    )


def select_device(engine: LocalEngine | Fleet, options: Options) -> Device:
    """Return the device to work on, with what the operating system knows about it added.

    Raises:
        NoDeviceError: no runtime is installed, none works, or none matches.
    """
    named = options.device or settings.DEVICE.get()
    return engine.select(named, options.language) if options.engine else chosen(engine, named, options.language)


def chosen(engine: LocalEngine | Fleet, device_name: str, language: str) -> Device:
    """Do what `select_device` does, on this machine."""
    device = engine.select(device_name, language)
    if device.kind != "cpu":
        return device
    from hotloop.devices.detect import detect
    from hotloop.devices.merge import with_processor

    return with_processor(device, detect())


def open_store(options: Options, *, read_only: bool = False) -> Store:
    """Open the store that options and settings name. Raises StoreError."""
    return opened(options.store, read_only=read_only)


@contextmanager
def desk(options: Options, listener: Listener | None = None) -> Iterator[Desk]:
    """Yield a desk without a store, for checks and single measurements."""
    with open_engine(options) as engine:
        device = select_device(engine, options)
        refuse_unmetered(device, options)
        heard = listener or Silent()
        _remark(engine, heard)
        yield Desk(
            engine, device, MemoryJournal(), SystemClock(), listener=heard, seed=options.seed, mode=options.mode,
            search_seed=options.search, objective=options.objective, loss=options.loss,
        )  # fmt: skip


def _remark(engine: LocalEngine | Fleet, listener: Listener) -> None:
    """Send a notice that names the devices of a cluster's engine."""
    if not isinstance(engine, Numerous):
        return
    places = [lane.place for lane in engine.lanes() if isinstance(lane, Placed)]
    listener.notify(
        Notice(f"{len(places)} {'device' if len(places) == 1 else 'devices'} of the cluster: {', '.join(places)}")
    )
    for remark in engine.remarks:
        listener.notify(Notice(remark))
    engine.remarks.clear()


def _seed(journal: Journal, options: Options) -> int:
    """Return the seed of a run's inputs; a secret one is stored in the journal for a resumed run."""
    if not options.secret:
        return options.seed
    if (kept := journal.recall(_DRAWN)) is None:
        journal.record(_DRAWN, str(options.seed))
        return options.seed
    return int(kept)


_DRAWN = "seed of inputs"
_FRESH_S = 3600.0
"""Time for which measurements of the machine itself hold for other runs, in s."""


def _refuse_interpreter(device: Device, options: Options) -> None:
    """Raise UsageError if the device is an interpreter, whose times mislead a search, unless it was named explicitly."""
    asked = (options.device or settings.DEVICE.get()).casefold()
    if device.interpreted and "interpreter" not in asked:
        raise UsageError(
            "Triton kernels run in its interpreter here, whose times say nothing about a GPU; use hotloop check, or "
            "--device interpreter to try the loop all the same."
        )


def refuse_unmetered(device: Device, options: Options) -> None:
    """Raise if the objective is energy and it cannot be measured; on a cluster the hosts check this."""
    if options.objective is Objective.TIME:
        return
    if options.mode == COLD:
        raise UsageError(
            "emptying the caches before each call takes energy, too; leave out --mode cold or --objective."
        )
    if device.kind == "cpu" and options.engine and settings.PARTS.get() not in ("", "1"):
        raise UsageError(
            f"a processor's energy counter is of all its cores: leave out {settings.PARTS.name}, or --objective {options.objective}."
        )
    if device.kind != "null" and not options.engine and isinstance(meter := metered.meter(device), Unmetered):
        raise MachineError(f"--objective {options.objective} is not possible here: {meter.reason}.")


def _earlier(store: Store, key: str) -> str | None:
    """Return what an earlier run recorded, unless the machine may have changed since."""
    since = datetime.now(tz=UTC) - timedelta(seconds=_FRESH_S)
    entry = store.lately(key, since.isoformat(timespec="seconds"))
    return entry.data if entry else None


@contextmanager
def recorded_desk(
    options: Options,
    kind: str,
    request: Mapping[str, object],
    title: str,
    listener: Listener | None = None,
    *,
    fresh: bool = False,
    began_s: float | None = None,
) -> Iterator[tuple[Desk, Store, bool]]:
    """Yield a desk whose run is recorded in the store; the same request continues an unfinished run unless `fresh`.

    Time counts from `began_s`, a reading of the monotonic clock; None: from now. Yields desk, store, and whether an earlier
    run is continued.
    """
    began_s = SystemClock().monotonic_s() if began_s is None else began_s
    with open_engine(options) as engine:
        device = select_device(engine, options)
        _refuse_interpreter(device, options)
        refuse_unmetered(device, options)
        if options.engine.startswith(RAY):  # a cluster may take a minute to start
            began_s = SystemClock().monotonic_s()
        with open_store(options) as store:
            other = {} if options.mode == ROTATED else {"mode": options.mode}
            other |= {} if options.objective is Objective.TIME else {"objective": str(options.objective)}
            other |= {} if options.loss is None else {"loss": str(options.loss)}
            seed = {"seed": None if options.secret else options.seed}
            text = json.dumps({**request, **other, **seed, "device": device.key}, sort_keys=True)
            begin = store.begin_run if fresh else store.resume_or_begin
            with begin(kind, text, title) as run:
                heard = listener or Silent()
                heard.notify(Began(began_s))
                _remark(engine, heard)
                made = Desk(
                    engine, device, run, SystemClock(), run.id, heard, _seed(run, options), options.mode,
                    search_seed=options.search, began_s=began_s, objective=options.objective,
                    loss=options.loss, earlier=(lambda _: None) if fresh else partial(_earlier, store),
                )  # fmt: skip
                yield made, store, run.resumed
