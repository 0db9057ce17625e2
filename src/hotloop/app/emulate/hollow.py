"""Values that nobody has defined, where the compiler took that as a licence to leave them out of its code.

A compiler may put anything in the place of an undefined value, so the machine code has none any more and nothing undefined is executed. It
says of some variables that they may be used uninitialised, often of such whose value has no effect. So where it says so, and where a
private array begins without values, of which it says nothing, it is asked twice more, to begin variables with zeros and with a pattern: if
the results are others, they depend on what nobody has defined. The same is done with what a masked load of Triton brings to lanes that are
off, where the source does not say it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hotloop.app.emulate.launching import launch_of
from hotloop.compilers import vacant
from hotloop.emulate.answer import Told
from hotloop.emulate.errors import EmulateError
from hotloop.emulate.launch import run
from hotloop.emulate.machine import Options
from hotloop.emulate.sanitizer.findings import Finding, Trouble
from hotloop.isa.sourcemap import SourceLine
from hotloop.model.dtype import floating

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from hotloop.app.emulate.automatic import Unset
    from hotloop.app.emulate.task import Step, Task
    from hotloop.compilers.offer import Compiled
    from hotloop.emulate.launch import Backend

WARNINGS = ("-Wuninitialized", "-Wsometimes-uninitialized", "-Wconditional-uninitialized")
"""Options that make clang say which variables are, may be or seem to be used before they are set."""
_INCLUDED = (".h", ".hpp", ".cuh")
_FILLS = ("zero", "pattern")
_WARNED = re.compile(
    r"^(?P<file>[^\n]*?):(?P<line>\d+):\d+: warning: (?P<text>variable '(?P<name>\w+)' [^\n\[]*)\[-W[\w-]*uninitialized"
)
_VACANT = "a masked load without `other` ({}), of which Triton defines nothing for lanes that are off; its compiler for AMD makes it 0"
_ROUNDING = 2.0**-10
"""Relative difference between results of two builds that fuse and order additions in other ways."""


def fills(code: Compiled, unset: Sequence[Unset] = ()) -> tuple[tuple[str, ...], ...]:
    """Return what further compilations are like; empty: there are none.

    They are made where a compiler names a variable that may be used uninitialised, where arrays begin without values (`unset`), or where
    masked loads leave lanes undefined.
    """
    if code.vacant:
        return tuple((fill,) for fill in vacant.FILLS)
    return tuple((f"-ftrivial-auto-var-init={fill}",) for fill in _FILLS) if unset or _warned(code.log) else ()


def said(code: Compiled, file: str = "", unset: Sequence[Unset] = ()) -> tuple[str, int, str]:
    """Return file, line and sentence of the first place; where there are more of them, any may be the one.

    Args:
        code: with what the compiler says.
        file: the source in which the arrays stand.
        unset: arrays that begin without values; named where the compiler names no variable.
    """
    if code.vacant:
        (file, line), *rest = code.vacant
        where = f"line {line}, or one of {len(rest)} more" if rest else f"line {line}"
        return file, line, _VACANT.format(where)
    if not (warned := _warned(code.log)):
        begun = len(unset) - 1
        also = f" (or of one of {begun} more that begin so)" if begun else ""
        of = "a member of a structure" if unset[0].member else "an array"
        first = f"elements of '{unset[0].name}', {of} that begins without values, are read before they are set"
        return file, unset[0].line, first + also
    found, *others = warned
    more = len({(one["file"], one["name"]) for one in others} - {(found["file"], found["name"])})
    text = found["text"].strip()
    return (
        found["file"],
        int(found["line"]),
        f"{text} (or one of {more} more that the compiler names)" if more else text,
    )


def _warned(log: str) -> list[re.Match[str]]:
    """Return what clang says, of a kernel's own text first: variables of included files are mostly meant to be as they are."""
    found = [one for line in log.split("\n") if (one := _WARNED.match(line))]
    return sorted(found, key=lambda one: one["file"].endswith(_INCLUDED))


def undefined(task: Task, budget: int, backend: Backend | None = None) -> list[Told]:
    """Return a finding where results depend on variables that nobody has initialised."""
    hollow = task.hollow
    if hollow is None:
        return []
    zero, pattern = (_results(task, step, budget, backend) for step in hollow.steps)
    if zero is None or pattern is None or all(_same(zero[name], pattern[name]) for name in zero):
        return []
    text = f"results depend on what nobody has defined: {hollow.text}"
    finding = Finding(trouble=Trouble.UNINITIALISED, text=text, address=0, line=None, instruction="")
    place = SourceLine(hollow.file, hollow.line, 0)
    return [replace(Told(kernel=hollow.steps[0].program.name, finding=finding), source=place)]


def _results(task: Task, step: Step, budget: int, backend: Backend | None) -> Mapping[str, NDArray[np.generic]] | None:
    """Return the arrays after a build's execution; None: it does not end."""
    launch, names = launch_of(step, task.arrays, task.fresh)
    try:
        ran = run(step.program, launch, Options(budget=budget), backend=backend)
    except EmulateError:
        return None
    held = {name: value for name, value in zip(names, ran.arrays, strict=True) if name}
    for (
        number,
        octets,
    ) in ran.written.items():  # what nobody writes holds anything, and would pass for the size of results
        if name := names[number]:
            value = held[name] = held[name].copy()
            value.reshape(-1)[~octets.reshape(-1, value.itemsize).all(axis=1)] = 0
    return held


def _same(one: NDArray[np.generic], other: NDArray[np.generic]) -> bool:
    """Tell whether arrays are the same, floats but for what another order of additions makes."""
    if not floating(one.dtype):
        return one.tobytes() == other.tobytes()
    a, b = one.astype(np.float64), other.astype(np.float64)
    with np.errstate(invalid="ignore"):
        size = np.abs(a[np.isfinite(a)]).max(initial=0.0)
        near = (np.abs(a - b) <= _ROUNDING * size) | (a == b) | (np.isnan(a) & np.isnan(b))
    return bool(near.all())
