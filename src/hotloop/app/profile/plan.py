"""Planning without a GPU: which counters there are, and in how many passes they can be collected."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

from hotloop.errors import MachineError, UnknownNameError, UsageError
from hotloop.profilers.collector import Wanted, collector, expression
from hotloop.profiles.planning import known, plan
from hotloop.profiles.planning.needed import default_counters, used_counters
from hotloop.profiles.planning.plan import Pass
from hotloop.targets.target import Target

_PROGRAM = ("./program",)


@dataclass(frozen=True, slots=True)
class CounterRow:
    """One counter, as the plan of a profile lists it."""

    name: str
    unit: str
    meaning: str
    facts: tuple[str, ...]
    """Facts that are computed from the counters."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Passes, and how to make them."""

    architecture: str
    passes: tuple[Pass, ...]
    commands: tuple[str, ...]
    """Commands of rocprofv3, one for each run."""
    files: tuple[str, ...] = ()
    """Input files that were written."""


def counters(target: str) -> tuple[CounterRow, ...]:
    """Return the counters of a processor that metrics are computed from.

    Raises:
        UnknownNameError: no formula covers the processor.
    """
    architecture = Target.named(target).name
    planned = tuple(counter.architecture for counter in plan.known_limits() if default_counters(counter.architecture))
    needed = used_counters(architecture) if architecture in planned or Target.of(architecture).nvidia else ()
    if not needed:
        raise UnknownNameError("GPU with counters", target, (*planned, "sm_90"))
    return tuple(CounterRow(counter.name, counter.unit, counter.meaning, facts) for counter, facts in needed)


def passes(
    target: str, names: tuple[str, ...] = (), kernel: str = "", folder: str = "", *, unlisted: bool = False
) -> Plan:
    """Return the fewest passes for some counters, by default all that metrics need, and write input files to a folder.

    Raises:
        UnknownNameError: no limits are known for the GPU.
        UsageError: a name is no hardware counter of the GPU, not known to be one and not `unlisted`, or a pattern is none.
        MachineError: the folder cannot be written.
    """
    architecture = Target.of(target).name
    if Target.of(target).nvidia:
        raise UsageError(
            f"{target}: Nsight Compute divides metrics into passes itself; run hotloop profile, or ncu --set full."
        )
    wanted = names or default_counters(architecture)
    planned = plan.plan(wanted, architecture)
    if not unlisted:
        known.check(names, architecture)
    subject = Wanted(command=_PROGRAM, kernel=kernel, counters=names, architecture=architecture)
    single = any("[" in name for name in names)
    runs = collector("rocprof" if single else "rocprofv3").runs(subject, "results")
    program = "rocprof" if single else "rocprofv3"
    commands = tuple(shlex.join((program, *run.arguments)) for run in runs)
    return Plan(architecture, planned, commands, _written(planned, kernel, folder) if folder else ())


def _written(planned: tuple[Pass, ...], kernel: str, folder: str) -> tuple[str, ...]:
    pattern = expression(kernel).pattern if kernel else ""
    texts = {
        "rocprofv3.json": plan.rocprofv3_json(planned, pattern),
        "rocprofv3.yaml": plan.rocprofv3_yaml(planned, pattern),
    }
    texts |= {f"pass{place}.txt": text for place, text in enumerate(plan.rocprof_files(planned), 1)}
    root = Path(folder)
    try:
        root.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (root / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise MachineError(f"cannot write {root}: {error.strerror}; choose another folder with --write.") from error
    return tuple(str(root / name) for name in texts)
