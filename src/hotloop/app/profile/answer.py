"""Collecting counters of one kernel or of any program: choose the tool, run its passes, put them together, explain.

Whatever keeps a tool from counting becomes one sentence in the record, and the explanation goes on with the machine code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hotloop.app.profile.profiled import Profiled, Request, choose, controlled, prepared, results_folder
from hotloop.app.profile.runs import Gathered, Told, collect
from hotloop.errors import HotloopError
from hotloop.host import profiling, program
from hotloop.profilers import merging
from hotloop.profilers.collector import PATTERN, Collector, Refusal, Vendor
from hotloop.profilers.formats.collected import FILE
from hotloop.profilers.formats.collected.record import Record, write
from hotloop.profiles.planning import known
from hotloop.profiles.profile import Dispatch, Profile
from hotloop.profiles.ratios import blind

if TYPE_CHECKING:
    from hotloop.app.session import Options
    from hotloop.explain.page import Explanation

_VIRTUAL = Refusal(
    "this processor or virtual machine shows no hardware counters",
    "run where 'perf stat -e cycles true' prints a number, on a host or in a virtual machine with a PMU",
)


@dataclass(frozen=True, slots=True)
class Answer:
    """The files and the explanation of a finished profile."""

    record: Record
    folder: Path
    explanation: Explanation | None
    unexplained: str = ""
    """Why there is no explanation."""


def profile(request: Request, options: Options, tell: Told = lambda _: None) -> Answer:
    """Collect what is asked for and explain it; `tell` hears what is being done.

    Raises:
        UsageError: the request cannot be understood, the folder is in use, or there is no such program.
        NoDeviceError: no device runs the kernel of a specification.
        MachineError: the folder cannot be written, or the program cannot be started.
    """
    if request.command:
        program.require(request.command[0])
    folder = results_folder(request)
    try:
        record = _collected(request, options, folder, tell)
        write(record, folder / FILE)
    except BaseException:
        with suppress(OSError):  # only an empty folder goes: a request that was refused leaves nothing behind
            folder.rmdir()
        raise
    tell("explaining")
    explained = explanation(record, folder, (*request.code, *((request.spec,) if request.spec else ())))
    return Answer(record, folder, explained.page, explained.reason)


def _collected(request: Request, options: Options, folder: Path, tell: Told) -> Record:
    with prepared(request, options, folder) as given:
        tool, why = choose(request, given.device)
        if tool.vendor == Vendor.AMD and given.wanted.architecture and not request.unlisted:
            known.check(request.counters, given.wanted.architecture)
        subject = replace(given, wanted=replace(given.wanted, control=controlled(request, tool)))
        path = profiling.find(tool.program, tool.folders)
        gathered = Gathered(trouble=why or ("" if path else str(tool.missing)))
        if path is not None and not why:
            collect(tool, path, subject, folder, request.limit_s, gathered, tell)
        return _record(tool, subject, request, gathered)


# --- the record ------------------------------------------------------------------------------------------------------


def _record(tool: Collector, subject: Profiled, request: Request, gathered: Gathered) -> Record:
    profiles = gathered.profiles
    together = merging.merged(gathered.parts)
    readings = tuple(reading for profile in profiles for reading in profile.readings)
    trouble = gathered.trouble or (str(_VIRTUAL) if blind(readings) else "")
    notes = [*together.notes, *(note for profile in profiles for note in profile.notes)]
    if request.command and not request.launches and len(together.dispatches) >= subject.wanted.most:
        notes.append(f"only {subject.wanted.most} launches of each kernel were profiled: --launches takes more")
    return Record(
        tool=tool.name,
        command=subject.wanted.command,
        subject=subject.words,
        kernel=subject.wanted.kernel,
        skip=subject.wanted.skip,
        tool_version=next((p.tool_version for p in profiles if p.tool_version), gathered.version or None),
        architecture=next((p.architecture for p in profiles if p.architecture), None)
        or subject.wanted.architecture
        or None,
        device_name=_device_name(profiles, subject),
        trouble=trouble,
        steps=tuple(gathered.steps),
        agreement=together.agreement,
        notes=tuple(dict.fromkeys(notes)),
        counted_launches=subject.launches if subject.wanted.control and readings else None,
        dispatches=_plain(together.dispatches),
        readings=readings,
        facts=tuple(dict.fromkeys(fact for profile in profiles for fact in profile.facts)),
        work=subject.work,
    )


def _plain(dispatches: Sequence[Dispatch]) -> tuple[Dispatch, ...]:
    return tuple(replace(launch, counters=dict(launch.counters)) for launch in dispatches)


def _device_name(profiles: Sequence[Profile], subject: Profiled) -> str | None:
    name = next((profile.device_name for profile in profiles if profile.device_name), None)
    return name or (subject.device.name if subject.device else None)


# --- explaining ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Explained:
    """What the counters and the code say."""

    page: Explanation | None
    reason: str = ""
    """Why there is no page; with one, why some of the inputs were left out."""


def explanation(record: Record, folder: Path, code: Sequence[str]) -> Explained:
    """Return what the counters and the code say, or why nothing can be said; never an exception of the inputs."""
    from hotloop.app.explain import answer as explain

    counters = (str(folder / FILE),) if record.dispatches else ()
    reasons: list[str] = []
    for inputs in _fewer(counters, tuple(code)):
        try:
            asked = explain.Request(inputs=inputs, kernel=_kernel(record, inputs), store="")
            return Explained(explain.explain(asked), "; ".join(reasons))
        except HotloopError as error:
            reasons.append(str(error).rstrip("."))
    if not reasons:
        reasons.append("there are neither counters nor code: give the kernel's listing or code object with --code")
    return Explained(None, f"{'; '.join(reasons)}.")


def _fewer(counters: tuple[str, ...], code: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield all inputs, then each kind alone."""
    yield from dict.fromkeys(inputs for inputs in ((*counters, *code), counters, code) if inputs)


def _kernel(record: Record, inputs: Sequence[str]) -> str:
    """Return the kernel to explain where the counters name it; of code alone, the only or first one."""
    plain = record.kernel if not record.kernel.startswith(PATTERN) else ""
    seen = [launch.kernel for launch in record.dispatches]
    return plain if plain and seen and inputs and inputs[0].endswith(FILE) else ""
