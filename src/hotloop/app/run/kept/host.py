"""What a winner asks of the program's host, and what else changes for the program: words about launches, and the time that compiling takes."""

from __future__ import annotations

import re
from collections.abc import Callable

from hotloop.app.run.kept.result import Hosted
from hotloop.captures.nouns import Captured
from hotloop.model.energy import WORDS
from hotloop.model.program import Program
from hotloop.model.verdict import Comparison

Built = Callable[[Program], float | None]
"""Tells how long compiling a program takes, in ns."""
_STAYS = (
    "its file stays as it is; give those launches a copy of the kernel, or use hotloop adopt, which leaves them alone"
)
_OFFSET = "{entry}: the program also launches it with an offset, for which the faster text is not right: {stays}"
_GROUPED = re.compile(r"\bget_(?:enqueued_)?(?:local_|num_groups|group_id)")
_GROUPS = (
    "{entry}: the faster text is right for groups of {sizes} only, and the program also launches it in others: {stays}"
)
_OTHERS = "{entry}: the faster text is right for launches like the one that was measured only ({why}): {stays}"
_ONLY = (
    "{entry}: the text is right for the work-items {sizes} only: "
    "with other sizes the program would get wrong results, or write where it must not"
)
_PINNED = "{entry}: the faster text is right for the work-items {sizes} only, and the program also launches it with others: {stays}"


def words(launches: tuple[str, ...], hosted: Hosted, comparison: Comparison | None, *, counts: bool) -> tuple[str, ...]:
    """Return what the host must do, or may do, for a winner that is launched otherwise; `counts`: the text asks for its work-items."""
    if hosted.comparison is None:
        return tuple(f"{one}; the patch needs this change of the host, too: {hosted.why}" for one in launches)
    if counts:
        return ("the host must stay as it is: the text asks how many work-items it launches",)
    most = (
        "" if comparison is None else f" brings {comparison.speedup:.2f}× instead of {hosted.comparison.speedup:.2f}×"
    )
    return tuple(f"the host may stay as it is; launching fewer work-items{most}: {one}" for one in launches)


def counts(first: Program, last: Program) -> bool:
    """Tell whether a text asks for the number of work-items, which it did not before."""
    return "get_global_size" in last.source and "get_global_size" not in first.source


def unfit(captured: Captured, first: Program, last: Program, hosted: Hosted | None = None) -> str:
    """Return why the program's file is not patched: it launches the kernel in ways for which the text is not right. Empty where it is patched."""
    if first.source == last.source:
        return ""
    if any(any(launch.offset) for launch in captured.launches):
        return _OFFSET.format(entry=captured.entry, stays=_STAYS)
    alike = [launch.global_size for launch in first.launches] == [launch.global_size for launch in last.launches]
    if hosted is not None and hosted.refused and alike and _several(captured):
        return _OTHERS.format(entry=captured.entry, why=hosted.why, stays=_STAYS)
    groups = captured.further or any(launch.group != captured.main.group for launch in captured.launches)
    was, has = (len(_GROUPED.findall(program.source)) for program in (first, last))
    if groups and captured.main.group and has < was:
        return _GROUPS.format(entry=captured.entry, sizes="x".join(map(str, captured.main.group)), stays=_STAYS)
    others = captured.further or any(launch.grid != captured.main.grid for launch in captured.launches)
    if others and pinned(first, last):
        sizes = "x".join(map(str, captured.main.grid))
        return _PINNED.format(entry=captured.entry, sizes=sizes, stays=_STAYS)
    return ""


def only(captured: Captured, first: Program, last: Program) -> tuple[str, ...]:
    """Return for which sizes a text is right that has the work-items as plain numbers; nothing for one that is right for all."""
    if not pinned(first, last):
        return ()
    return (_ONLY.format(entry=captured.entry, sizes="x".join(map(str, captured.main.grid))),)


def _several(captured: Captured) -> bool:
    """Tell whether the program launches a kernel more than once: numbers that it is given may then be others."""
    return bool(captured.further) or len(captured.launches) > 1 or captured.main.calls > 1


def said(gain: Comparison | None, problem: str, device: str) -> str:
    """Return the result of a last comparison in words."""
    words = "no faster"
    if gain is not None:
        words = f"{gain.speedup:.2f}× ({gain.low:.2f}–{gain.high:.2f}) {WORDS[gain.objective].less} than as published"
    return f"{words} on {problem}, {device}"


def longer_s(captured: Captured, first: Program, last: Program, built: Built | None) -> float:
    """Return how much longer the program compiles, in s, where it compiles whenever it runs."""
    asked = built is not None and captured.native and first.source != last.source
    times = [built(one) for one in (first, last)] if built is not None and asked else []
    known = [one for one in times if one is not None]
    return 1e-9 * (known[1] - known[0]) if len(known) == len(times) == 2 else 0.0


def pinned(first: Program, last: Program) -> bool:
    """Tell whether a text that is launched otherwise has the work-items of its launch as plain numbers: it is right for these only.

    One that has such a number for another reason, and had it less often before, counts, too.
    """
    if [launch.global_size for launch in first.launches] == [launch.global_size for launch in last.launches]:
        return False
    numbers = {str(size) for launch in first.launches for size in launch.global_size if size > 1}
    was, has = (re.findall(r"\b\d+\b", program.source) for program in (first, last))
    return any(has.count(number) > was.count(number) for number in numbers)
