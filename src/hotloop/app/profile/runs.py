"""Making a tool's runs, one after the other, and telling what became of each."""

from __future__ import annotations

import shlex
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hotloop.app.profile.profiled import Profiled
from hotloop.host import profiling
from hotloop.host.toolchain import Tool, version
from hotloop.profilers import merging
from hotloop.profilers.collector import ANSWER, CONTROL, Collector, Run, selected
from hotloop.profilers.formats.collected.record import Status, Step
from hotloop.profilers.reading import read as read_profile
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import Profile

LOG = "log.txt"
Told = Callable[[str], None]


@dataclass(slots=True)
class Gathered:
    """What the runs have brought so far."""

    steps: list[Step] = field(default_factory=list)
    parts: list[merging.Part] = field(default_factory=list)
    profiles: list[Profile] = field(default_factory=list)
    version: str = ""
    trouble: str = ""


def collect(
    tool: Collector, program: str, subject: Profiled, folder: Path, limit_s: float, gathered: Gathered, tell: Told
) -> None:
    """Make the tool's runs, until one cannot be made."""
    gathered.version = version(Tool(tool.name, (program,), ""))
    for run in tool.runs(subject.wanted, str(folder)):
        tell(f"{tool.name}: {run.name}")
        for file in run.files:
            (folder / file.name).write_text(file.text, encoding="utf-8")
        if subject.wanted.control:
            profiling.pipes(folder / CONTROL, folder / ANSWER)
        if not _made(tool, (program, *run.arguments), run, subject, folder, limit_s, gathered):
            return


def _made(
    tool: Collector,
    command: Sequence[str],
    run: Run,
    subject: Profiled,
    folder: Path,
    limit_s: float,
    gathered: Gathered,
) -> bool:
    """Make one run and take what it wrote; False when later runs would end the same way: nothing has been counted yet."""
    before = {path: path.stat().st_mtime_ns for path in _results(folder, run)}
    ended = profiling.run(command, limit_s, environment=subject.environment, mark=f"{folder}/{uuid.uuid4().hex}")
    with (folder / LOG).open("a", encoding="utf-8") as log:
        log.write(f"# {run.name}: {shlex.join(command)}\n{ended.output}\n# exit {ended.returncode}\n")
    for name in (CONTROL, ANSWER):
        (folder / name).unlink(missing_ok=True)
    fresh = [path for path in _results(folder, run) if before.get(path) != path.stat().st_mtime_ns]
    profiles, unread = _read(fresh)
    launches = tuple(
        launch for taken in profiles for launch in selected(taken.dispatches, subject.wanted, filtered=run.filtered)
    )
    counted = bool(launches) or any(taken.readings for taken in profiles)
    others = tuple(dict.fromkeys(launch.kernel for taken in profiles for launch in taken.kernels))
    status, reason = _became(tool, run, ended, _Said(unread, others), counted=counted, limit_s=limit_s)
    gathered.steps.append(
        Step(
            name=run.name, command=tuple(command), status=status, took_s=round(ended.duration_ns / 1e9, 3),
            files=tuple(str(path.relative_to(folder)) for path in fresh), launches=len(launches), reason=reason,
        )
    )  # fmt: skip
    usable = counted and (status is Status.DONE or tool.partial)
    if usable:
        gathered.profiles += profiles
        gathered.parts += [merging.Part(run.name, launches, run.counters)] if launches else []
    gathered.trouble = gathered.trouble or reason
    return status is not Status.LATE and bool(gathered.parts)


def _results(folder: Path, run: Run) -> list[Path]:
    return sorted({path for pattern in run.results for path in folder.glob(pattern) if path.is_file()})


def _read(paths: Sequence[Path]) -> tuple[list[Profile], str]:
    """Return the profiles in some files, and what the others say: a tool's messages may stand in its table's place."""
    profiles: list[Profile] = []
    unread: list[str] = []
    for path in paths:
        try:
            profiles.append(read_profile(path))
        except ProfileError as error:
            unread.append(f"{_beginning(path)}\n{error}")
    return profiles, "\n".join(unread)


def _beginning(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(1 << 16).decode(errors="replace")


def _became(
    tool: Collector, run: Run, ended: profiling.Ended, output: _Said, *, counted: bool, limit_s: float
) -> tuple[Status, str]:
    """Return what became of a run, and why in one sentence with what mends it."""
    if ended.late:
        return Status.LATE, (
            f"{tool.name}, {run.name}: it did not end within {limit_s:g} s and was stopped: give more time with --limit, "
            "or less work with --launches and --kernel."
        )
    if counted and ended.returncode == 0:
        return Status.DONE, ""
    refused = tool.refusal(f"{ended.output}\n{output.unread}")
    if refused and not counted:
        return Status.REFUSED, f"{tool.name}, {run.name}: {refused}"
    last = _last_line(ended.output) or "it said nothing"
    if ended.returncode:
        how = f"signal {-ended.returncode}" if ended.returncode < 0 else f"exit code {ended.returncode}"
        return (
            Status.FAILED,
            f"{tool.name}, {run.name}: ended with {how} ({last}): see whether the program runs alone, and {LOG}.",
        )
    seen = f"only of {', '.join(name[:60] for name in output.kernels[:5])}" if output.kernels else last
    return (
        Status.FAILED,
        f"{tool.name}, {run.name}: no launch of the kernel was seen ({seen}): check --kernel, --skip and {LOG}.",
    )


@dataclass(frozen=True, slots=True)
class _Said:
    """What a run's files say beside the launches that were asked for."""

    unread: str
    """Text that is no table."""
    kernels: tuple[str, ...]
    """Kernels that were seen."""


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:160].rstrip(".") if lines else ""
