"""Reading what a person gives to ``hotloop explain``: each input is told by its content."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from hotloop.app import hint
from hotloop.app.code import analysis, compiled
from hotloop.app.code.program import is_program
from hotloop.errors import MachineError, UnsetParameterError, UsageError
from hotloop.explain.material import Material
from hotloop.explain.page import Input
from hotloop.isa.summary.model import KernelReport
from hotloop.profilers.processes import together
from hotloop.profilers.reading import read as read_profile
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import Profile
from hotloop.profiles.tracing.listing import listing

_MOST_FILES = 200
"""Files of a folder that are looked at."""
_MACHINES = ("sysinfo.csv", "*agent_info.csv", "*.sysinfo.txt")
"""Files in which profilers describe the machine, beside those in which they count."""
_MOST_MACHINES = 4
_WORKLOADS = "rocprof-compute"
_MOST_NAMED = 6


def read(texts: Sequence[str], target: str = "") -> Material:
    """Return what the inputs hold, each told by its content.

    Raises:
        UsageError: an input is missing, or neither a profile nor code; the message says what it seems to be.
        MachineError: a tool that is needed to read it is not installed.
    """
    profiles: list[Profile] = []
    reports: list[KernelReport] = []
    inputs: list[Input] = []
    for text in texts:
        read_profile = _profile(text)
        inside = _inside(Path(text)) if isinstance(read_profile, ProfileError) else ()
        if isinstance(read_profile, Profile) or inside:
            taken = [(text, read_profile)] if isinstance(read_profile, Profile) else inside
            profiles += [profile for _, profile in taken]
            inputs += [
                Input(name, f"{source.tool}: {source.format}" if source.format else source.tool)
                for name, source in taken
            ]
            continue
        listed = _code(text, target, read_profile)
        reports += listed
        inputs.append(Input(text, f"{listed[0].dialect} code of {len(listed)} kernel{'s' if len(listed) != 1 else ''}"))
    if not reports:
        reports += _inside_traces(profiles, target)
    for name, source in _beside(texts, {row.name for row in inputs}, profiles):
        profiles.append(source)
        inputs.append(Input(name, f"{source.tool}: {source.format}, beside the input"))
    return Material(tuple(profiles), tuple(reports), tuple(inputs))


def _inside_traces(profiles: Sequence[Profile], target: str) -> Iterator[KernelReport]:
    """Yield the code that traces and samples carry with them; not where waits are missing, as not every branch's target is told."""
    for profile in profiles:
        for kernel in profile.trace.kernels if profile.trace is not None else ():
            with suppress(UsageError):  # of another processor, or cut: the trace itself is still worth reading
                analyses = analysis.of_text(listing(kernel), profile.source, target or profile.architecture or "")
                yield from (
                    replace(report, kernel=kernel.name or report.kernel, hazards=(), unwritten=())
                    for report in analyses
                )


def _beside(texts: Sequence[str], taken: Collection[str], profiles: Sequence[Profile]) -> Iterator[tuple[str, Profile]]:
    """Yield what lies beside the inputs and describes their machine; nothing where a profile names its processor itself."""
    counted = [profile for profile in profiles if profile.kernels or profile.trace]
    if not counted or any(profile.architecture for profile in profiles):
        return
    paths = [path for text in texts if (path := Path(text)).exists()]
    for folder in dict.fromkeys(path if path.is_dir() else path.parent for path in paths):
        stems = [path.name.partition(".")[0] for path in paths if path.parent == folder]
        for path in sorted(path for pattern in _MACHINES for path in folder.glob(pattern))[:_MOST_MACHINES]:
            beside = _profile(str(path)) if str(path) not in taken and _belongs(path, stems) else None
            if isinstance(beside, Profile) and beside.facts and not beside.kernels:
                yield str(path), beside


def _belongs(path: Path, stems: Sequence[str]) -> bool:
    """Tell whether a description is of an input's run: named alike where it has a name of its own, as ``12_agent_info.csv``."""
    prefix = re.split(r"_?agent_info|\.sysinfo|sysinfo", path.name)[0]
    return (
        not prefix or any(stem.startswith(prefix) or prefix.startswith(stem) for stem in stems) or prefix == "results"
    )


def _profile(text: str) -> Profile | ProfileError | None:
    """Return a profile, why it is none, or None for what is no file."""
    path = Path(text)
    try:
        if not path.exists():
            return None
    except (OSError, ValueError) as error:
        raise UsageError(f"{text[:200]!r} is no path: {str(error).partition(': ')[0]}.") from None
    try:
        return read_profile(path)
    except ProfileError as error:
        return error
    except OSError as error:
        raise UsageError(f"{text[:200]!r} cannot be read: {str(error).partition(': ')[0]}.") from None
    except ValueError as error:
        raise UsageError(
            f"{text[:200]!r} is damaged, or not as its tool writes such files: {' '.join(str(error).split())[:200]}."
        ) from None


def _inside(folder: Path) -> Sequence[tuple[str, Profile]]:
    """Return the profiles in a folder that is none as a whole: what rocprof wrote, two levels deep, in the order of names.

    Code that Triton keeps in such a folder comes first: it is then no folder of profiles.

    Raises:
        UsageError: there are tables alone, or a machine's description with them, and none tells of a kernel: why the first cannot be read.
    """
    if not folder.is_dir() or any(folder.glob("*.amdgcn")) or any(folder.glob("*.ptx")):
        return ()
    workloads = _workloads(folder)
    files = sorted(path for depth in ("*", "*/*", "*/*/*") for path in folder.glob(depth) if path.is_file())
    apart = [path for path in files[:_MOST_FILES] if not any(path.is_relative_to(name) for name, _ in workloads)]
    read = [(str(path), _profile(str(path))) for path in apart]
    profiles = [*workloads, *together([(name, profile) for name, profile in read if isinstance(profile, Profile)])]
    refused = next((p for name, p in read if isinstance(p, ProfileError) and name.endswith(".csv")), None)
    machine_alone = profiles and all(p.facts and not (p.kernels or p.trace) for _, p in profiles)
    if refused is not None and (machine_alone or (not profiles and all(path.suffix == ".csv" for path in files))):
        raise UsageError(str(refused))
    return profiles


def _workloads(folder: Path) -> Sequence[tuple[str, Profile]]:
    """Return the one workload that a folder holds, empty without one.

    Raises:
        UsageError: there are several: their counters are of different machines or runs, and never those of one kernel.
    """
    below = sorted(path for depth in ("*", "*/*") for path in folder.glob(depth) if path.is_dir())[:_MOST_FILES]
    read = ((str(path), _profile(str(path))) for path in below)
    workloads = [
        (name, profile)
        for name, profile in read
        if isinstance(profile, Profile) and profile.tool == _WORKLOADS and profile.kernels
    ]
    if len(workloads) > 1:
        names = [str(Path(name).relative_to(folder)) for name, _ in workloads]
        rest = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        raise UsageError(
            f"{folder} holds {len(names)} workloads of rocprof-compute ({', '.join(names[:_MOST_NAMED])}{rest}): give one of them."
        )
    return workloads


def _code(text: str, target: str, refused: ProfileError | None) -> tuple[KernelReport, ...]:
    if text.endswith(".py") and refused is not None and is_program(Path(text)):
        raise UsageError(
            f"{text} is a Python program that defines no kernel, and was not run; give what a profiler wrote of its run, "
            f"machine code, or a file with a kernel: '{hint.command('init')}' writes one."
        )
    try:
        analysed = analysis.analyse(analysis.Request(text=text, target=target))
    except MachineError:
        raise
    except UsageError as error:
        if not target and compiled.uncompiled(text):
            raise UsageError(_source(text)) from None
        if isinstance(error, UnsetParameterError):
            raise UsageError(
                f"{str(error).rstrip('.')} to '{hint.command('isa', text, '--target', target)}'."
            ) from None
        if refused is None or text.endswith(".py"):
            raise
        if Path(text).is_file() and not Path(text).stat().st_size:
            raise UsageError(str(refused)) from None
        reason = str(error).removeprefix(f"{text}: ").rstrip(".")
        raise UsageError(f"{str(refused).rstrip('.')}; nor can it be read as code: {reason}.") from None
    if not analysed:
        raise UsageError(f"{text} has no kernel; give a profile, a listing or a code object.")
    return analysed


def _source(text: str) -> str:
    """Return what to do with a source, which is neither a profile nor code: parameters of functions in Python are `isa`'s to take."""
    path = Path(text.partition(":")[0])
    verb, target = "isa" if path.suffix == ".py" else "explain", "sm_90" if path.suffix == ".cu" else "gfx942"
    more = ", with -P NAME=VALUE for each constexpr," if path.suffix == ".py" else ""
    return (
        f"{text} is a source, neither a profile nor machine code: '{hint.command(verb, text, '--target', target)}' (or another "
        f"processor){more} explains the code that its compiler makes; what a profiler wrote of a run tells more."
    )
