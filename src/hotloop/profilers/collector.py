"""What a tool that counts looks like to hotloop: how to ask it, where its results are, and what its refusals mean.

A collector is data and pure functions: it writes command lines and reads messages, it starts nothing. Each tool's package
has a module ``collect`` with ``COLLECTORS``; adding a tool is adding such a module.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import chain

from hotloop import registry
from hotloop.errors import UnknownNameError, UsageError
from hotloop.profilers.format import FORMATS
from hotloop.profiles.names import parsed, same
from hotloop.profiles.profile import Dispatch

PATTERN = "regex:"
"""Prefix of a kernel that is given as a regular expression; without it the name is meant as it stands."""
MOST_LAUNCHES = 100
"""Launches of a kernel that are profiled when nobody says how many: a program may launch millions."""


class Vendor(StrEnum):
    """Whose processors a tool counts on."""

    AMD = "amd"
    NVIDIA = "nvidia"
    CPU = "cpu"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What shall be counted while which program runs."""

    command: tuple[str, ...]
    """The program with its arguments, as it is started without a profiler."""
    kernel: str = ""
    """Plain name, or ``regex:...``; empty: all kernels."""
    skip: int = 0
    """Launches of each kernel that come first and do not count: warm-up."""
    count: int = 0
    """Launches of each kernel after those; 0: up to `MOST_LAUNCHES`."""
    counters: tuple[str, ...] = ()
    """The tool's names; empty: what hotloop's metrics are computed from."""
    architecture: str = ""
    """``gfx942`` ...; needed to divide AMD's counters into passes."""
    control: bool = False
    """True when the program itself says when to count, through two named pipes: see `CONTROL` and `ANSWER`."""

    @property
    def most(self) -> int:
        """Launches of each kernel that are profiled at most."""
        return self.count or MOST_LAUNCHES


CONTROL, ANSWER = "control", "answer"
"""Names of the pipes in the results folder: the program writes ``enable`` or ``disable``, the tool answers."""


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file that the tool reads."""

    name: str
    """Name within the results folder."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of the program under the tool."""

    name: str
    """Name of the run in words: ``times``, ``pass 2 of 8``."""
    arguments: tuple[str, ...]
    """Arguments after the tool's program; the wrapped command is among them."""
    results: tuple[str, ...]
    """Patterns of the files that it writes, within the results folder."""
    files: tuple[InputFile, ...] = ()
    counters: tuple[str, ...] = ()
    """Counters in the order in which they were asked for; empty: times only, or the tool chooses."""
    filtered: bool = False
    """True when the tool has left out other kernels and the warm-up itself."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a tool did not count, and what mends it."""

    reason: str
    """One sentence without its full stop."""
    remedy: str
    """One command or setting."""

    def __str__(self) -> str:
        return f"{self.reason}: {self.remedy}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Collector:
    """A tool that counts, and how it is run."""

    name: str
    """Name that a person gives to choose it: ``rocprofv3``."""
    vendor: Vendor
    rank: int
    """Among the tools of one vendor the lowest is used first."""
    program: str
    folders: tuple[str, ...]
    """Folders in which it is looked for when it is not on the PATH."""
    install: str
    """The one command or setting that brings it."""
    runs: Callable[[Wanted, str], tuple[Run, ...]]
    """Runs that collect everything, given the absolute path of the results folder. Raises UsageError."""
    refusals: tuple[tuple[re.Pattern[str], Refusal], ...]
    """What messages of the tool mean."""
    partial: bool = False
    """True when results written before an interruption are whole."""

    def refusal(self, text: str) -> Refusal | None:
        """Return the meaning of the tool's messages, None when they are no known refusal."""
        return next((meaning for pattern, meaning in self.refusals if pattern.search(text)), None)

    @property
    def missing(self) -> Refusal:
        """What to say when the tool is not installed."""
        return Refusal(f"{self.name} is not installed", self.install)


@cache
def collectors() -> tuple[Collector, ...]:
    """Return all tools, by vendor and rank."""
    tools = chain.from_iterable(registry.load_all(FORMATS, "COLLECTORS", "collect"))
    return tuple(sorted(tools, key=lambda tool: (tool.vendor, tool.rank)))


def collector(name: str) -> Collector:
    """Return one tool. Raises UnknownNameError."""
    by_name = {tool.name: tool for tool in collectors()}
    if name not in by_name:
        raise UnknownNameError("profiler", name, tuple(by_name))
    return by_name[name]


def matches(kernel: str, wish: str) -> bool:
    """Tell whether a kernel, as a tool spells it, is the one that is asked for.

    Raises:
        UsageError: the wish is no regular expression.
    """
    if not wish:
        return True
    if not wish.startswith(PATTERN):
        return same(kernel, wish) or parsed(kernel).base.rpartition("::")[2] == wish
    return expression(wish).search(kernel) is not None


def expression(wish: str) -> re.Pattern[str]:
    """Return the regular expression that a wish is, or that finds its plain name. Raises UsageError."""
    text = wish.removeprefix(PATTERN) if wish.startswith(PATTERN) else plain(wish)
    try:
        return re.compile(text)
    except re.error as error:
        raise UsageError(
            f"the kernel {wish[:100]!r} is no regular expression ({error}): correct it, or give the plain name."
        ) from None


def plain(name: str) -> str:
    r"""Return a regular expression that finds a plain name as a whole word, for tools that search.

    >>> plain("gemm")
    '\\bgemm\\b'
    """
    return rf"\b{re.escape(name)}\b"


def selected(dispatches: Iterable[Dispatch], wanted: Wanted, *, filtered: bool) -> tuple[Dispatch, ...]:
    """Return the launches that are asked for: of the right kernel, without each kernel's warm-up, no more than asked.

    `filtered`: the tool has already left out the warm-up. Raises UsageError.
    """
    skip = 0 if filtered else wanted.skip
    seen: dict[str, int] = {}
    kept: list[Dispatch] = []
    for dispatch in dispatches:
        if not matches(dispatch.kernel, wanted.kernel):
            continue
        number = seen[dispatch.kernel] = seen.get(dispatch.kernel, 0) + 1
        if skip < number <= skip + wanted.most:
            kept.append(dispatch)
    return tuple(kept)
