"""How the system schedules this process and its children: which processors, priority and limits they have.

A candidate's own process may change all of this for other processes of the same user, and whoever is slowed so loses a comparison.
So it is noted before such a process starts, and looked at again when that has ended.
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

ASIDE = "HOTLOOP_ASIDE"
"""Variable in the environment of processes that only compile: they lower their own priority when they start, nothing is timed in them,
and they are left out here."""
_TASKS = Path("/proc/self/task")
_GROUPS = Path("/sys/fs/cgroup")
_OF_GROUP = ("cpu.max", "cpu.weight", "cpuset.cpus", "cpuset.mems", "memory.max", "memory.high", "cgroup.freeze")
_LIMITS = tuple(sorted(name for name in dir(resource) if name.startswith("RLIMIT_")))


@dataclass(frozen=True, slots=True)
class Scheduled:
    """What the system notes for one thread."""

    processors: frozenset[int]
    policy: int
    priority: int
    nice: int


@dataclass(frozen=True, slots=True)
class Standing:
    """State of this process at one moment."""

    threads: dict[int, Scheduled]
    """State of this process's threads, by thread."""
    children: dict[int, Scheduled]
    """Main threads of its children, those that only compile left out."""
    limits: dict[str, tuple[int, int]]
    group: tuple[str, ...]
    """The control group (version 2) and what it grants."""


def standing() -> Standing | None:
    """Return how this process stands; None where the system does not tell."""
    if sys.platform != "linux" or not _TASKS.is_dir():
        return None
    limits = {name: resource.getrlimit(getattr(resource, name)) for name in _LIMITS}
    return Standing(_scheduled(_numbers(_TASKS)), _scheduled(_children()), limits, _group())


def changed(before: Standing, now: Standing) -> str:
    """Return what was changed in between, empty for nothing.

    A child that was started in between must stand as this process did before.
    """
    own = before.threads.get(os.getpid())
    for thread, state in now.threads.items():
        if (was := before.threads.get(thread)) is not None and (word := _differs(was, state)):
            return word
    for child, state in now.children.items():
        if (was := before.children.get(child, own)) is not None and (word := _differs(was, state)):
            return f"{word} of its worker"
    if limit := next((name for name, value in now.limits.items() if before.limits.get(name) != value), ""):
        return f"the limit {limit}"
    return "" if before.group == now.group else "its control group"


def _differs(was: Scheduled, now: Scheduled) -> str:
    if was.processors != now.processors:
        return "the processors"
    same = (was.policy, was.priority, was.nice) == (now.policy, now.priority, now.nice)
    return "" if same else "the priority"


def _scheduled(numbers: Iterable[int]) -> dict[int, Scheduled]:
    states: dict[int, Scheduled] = {}
    for number in numbers:
        with suppress(OSError):  # it has ended meanwhile
            states[number] = Scheduled(
                frozenset(os.sched_getaffinity(number)),
                os.sched_getscheduler(number),
                os.sched_getparam(number).sched_priority,
                os.getpriority(os.PRIO_PROCESS, number),
            )
    return states


def _numbers(folder: Path) -> list[int]:
    with suppress(OSError):
        return [int(path.name) for path in folder.iterdir()]
    return []


def _children() -> list[int]:
    """Return the children of this process, of which kernels without CONFIG_PROC_CHILDREN do not tell."""
    children: list[int] = []
    for thread in _numbers(_TASKS):
        with suppress(OSError):
            children += map(int, (_TASKS / str(thread) / "children").read_text(encoding="utf-8").split())
    return [child for child in children if f"{ASIDE}=1" not in _read(Path(f"/proc/{child}/environ")).split("\0")]


def _group() -> tuple[str, ...]:
    with suppress(OSError):
        text = Path("/proc/self/cgroup").read_text(encoding="utf-8")
        name = next((row[3:] for row in text.splitlines() if row.startswith("0::")), "")
        return (text, *(_read(_GROUPS / name.lstrip("/") / file) for file in _OF_GROUP))
    return ()


def _read(path: Path) -> str:
    with suppress(OSError):
        return path.read_text(encoding="utf-8", errors="replace")
    return ""
