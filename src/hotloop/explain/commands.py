"""Commands that bring what an explanation lacks: with the tool that wrote the files, complete but for the program.

Options: the references of rocprof and rocprofv2 and rocprofv3's option table (ROCm documentation, ROCprofiler-SDK 1.x), and
Nsight Compute's command line interface.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hotloop.errors import UsageError
from hotloop.explain.counts import Counted
from hotloop.explain.material import Material
from hotloop.profiles.names import parsed
from hotloop.profiles.planning import plan
from hotloop.targets.target import COMPUTE, GRAPHICS, Target

_PROGRAM = "./program"
_MOST = 3
"""Passes that are spelled out; for more, hotloop makes the runs or writes the input files."""
_EXAMPLE, _GRAPHICS_EXAMPLE = "gfx942", "gfx1100"


@dataclass(frozen=True, slots=True)
class Wanted:
    """Evidence that is missing, for which a command is printed."""

    counted: Counted
    material: Material
    kernel: str
    counters: tuple[str, ...]
    time: bool
    """True when no file tells the time of a launch."""
    again: str = ""
    """Command that asks for the explanation again."""


def commands(wanted: Wanted) -> tuple[str, ...]:
    """Return the commands, most needed first; empty where nothing is missing or the processor is not known."""
    architecture = wanted.counted.counts.architecture
    if Target.of(architecture).nvidia:
        return (
            ()
            if wanted.counted.counts.values
            else (f"ncu --set full --csv --page raw --log-file results.csv {_PROGRAM}",)
        )
    if not Target.of(architecture).amd:
        return ()
    return tuple(_amd(wanted, architecture))


def _amd(wanted: Wanted, architecture: str) -> Iterator[str]:
    tool = _tool(wanted.material)
    if wanted.time:
        yield _times(tool)
    if architecture in (COMPUTE, GRAPHICS):
        example = _EXAMPLE if architecture == COMPUTE else _GRAPHICS_EXAMPLE
        yield f"{wanted.again} --target {example}   # or your chip: formulas and passes depend on it"
        return
    if not wanted.counters:
        return
    names = ",".join(wanted.counters)
    if not plan.limited(architecture):
        yield _unplanned(wanted.counters)
        return
    yield f"hotloop profile --target {architecture}{_kernel(wanted.kernel)} --counters {names} -- {_PROGRAM}"
    try:
        passes = plan.plan(wanted.counters, architecture)
    except UsageError:
        return
    if tool == "rocprofv3" and len(passes) <= _MOST:
        for each in passes:
            yield f"rocprofv3 --pmc {' '.join(each.counters)} --output-format csv -d results -- {_PROGRAM}"
        return
    yield f"hotloop profile plan --target {architecture} --counters {names} --write passes"


def deciding(architecture: str, kernel: str, counters: tuple[str, ...]) -> str:
    """Return the command that brings a few counters of one kernel; empty for a processor whose counters nobody here collects."""
    if Target.of(architecture).nvidia:
        return f"ncu --set full --csv --page raw --log-file results.csv {_PROGRAM}"
    names = plan.countable(counters, architecture)
    if not Target.of(architecture).amd or architecture in (COMPUTE, GRAPHICS) or not names:
        return ""
    if not plan.limited(architecture):
        return _unplanned(names)
    return f"hotloop profile --target {architecture}{_kernel(kernel)} --counters {','.join(names)} -- {_PROGRAM}"


def _unplanned(names: Sequence[str]) -> str:
    """Return the command for a processor of which nothing says how many counters a run can have: the tool refuses too many."""
    return f"rocprofv3 --pmc {' '.join(names)} --output-format csv -d results -- {_PROGRAM}"


def _tool(material: Material) -> str:
    tools = {profile.tool for profile in material.profiles}
    return "rocprof" if "rocprof-v1" in tools else "rocprofv2" if "rocprof-v2" in tools else "rocprofv3"


def _times(tool: str) -> str:
    return {
        "rocprof": f"rocprof --timestamp on -i input.txt -o results.csv {_PROGRAM}",
        "rocprofv2": f"rocprofv2 --kernel-trace --plugin file -d results {_PROGRAM}",
        "rocprofv3": f"rocprofv3 --kernel-trace --output-format csv -d results -- {_PROGRAM}",
    }[tool]


def _kernel(name: str) -> str:
    base = parsed(name).base.rpartition("::")[2] if name else ""
    return f" --kernel {shlex.quote(base)}" if base else ""
