"""What a patch did, as text: changes, what is still needed and by whom, figures before and after, the proof."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from hotloop.report.code.predicted import MARK
from hotloop.units import duration

if TYPE_CHECKING:
    from hotloop.isa.patch.change import Applied
    from hotloop.isa.patch.rules import Found
    from hotloop.model.proof import Proof
    from hotloop.predict.change import Clocked

_SHOWN = 3
"""Most examples that are shown of each kind."""
_MOVED = 0.001
"""Part by which a time must change to be told."""


def changes(applied: Sequence[Applied]) -> Iterator[str]:
    """Yield what was done, by kind, with the first examples."""
    kinds = Counter(change.what for change in applied)
    for kind, count in kinds.items():
        yield f"{kind}: {count} {'place' if count == 1 else 'places'}"
        for change in [a for a in applied if a.what == kind][:_SHOWN]:
            before, after = (" | ".join(lines) or "nothing" for lines in (change.before, change.after))
            yield f"  line {change.line}: {before}  →  {after}"


def needs(missing: Sequence[tuple[str, Found]]) -> Iterator[str]:
    """Yield why places were left alone, and who still needs what made the operands of a rule."""
    for name, need in missing:
        if need.refused:
            reasons = Counter(r.why.obstacle for r in need.refused)
            yield f"rule {name} fits by its text in {len(need.refused)} more ways and is not applied: " + ", ".join(
                f"{count} {reason}" for reason, count in reasons.most_common(_SHOWN)
            )
            yield f"  line {need.refused[0].line}: {need.refused[0].why.reason}"
        total = len(need.kept) + len(need.spare)
        if total:
            yield f"of {total} instructions that made its operands {len(need.kept)} are still needed, {len(need.spare)} by nobody"
            for line, who in list(need.kept.items())[:_SHOWN]:
                yield f"  line {line} by {who}"


def proof(executed: Proof | None) -> Iterator[str]:
    """Yield what the executions say."""
    if executed is None:
        yield "not executed: nothing says how the kernel is launched (--launch FILE), so nothing is proven"
        return
    for row in executed.rows:
        judged = "" if row.beyond is None else f", {row.beyond} beyond the error bound"
        yield (
            f"{row.trial}: {row.written} elements of {row.groups} work-groups, {row.differ} with other bits"
            f" (largest difference {row.largest:.3g}){judged}; {row.executed[0]} → {row.executed[1]} wave instructions"
        )
        yield from (f"  new: {text}" for text in row.findings[:_SHOWN])
        if row.lost:
            yield f"  {row.lost} elements became, or ceased to be, infinite or NaN"
    if executed.identical:
        yield f"the same bits in all {executed.runs} executions"
    elif executed.holds:
        yield f"not the same bits, but every judged element is within the error bound of the arithmetic, in all {executed.runs} executions"
    else:
        yield "not equal: the patch changes what the kernel computes"


def clock(clocked: Clocked | None) -> Iterator[str]:
    """Yield the predicted times before and after, and what they rest on."""
    if clocked is None:
        return
    if clocked.before is None or clocked.after is None:
        yield f"no time is predicted: {clocked.why_not}"
        return
    before, after = clocked.before, clocked.after
    ratio = before.time_ns / after.time_ns
    yield (
        f"one call of this launch on {after.chip}: {duration(before.time_ns)} → {duration(after.time_ns)}, {ratio:.3f} times as fast, "
        f"{MARK}; {after.bound} bounds{'' if after.trusted and before.trusted else '; do not trust it'}"
    )
    was = {term.name: term.ns for term in before.terms}
    moved = [
        (t.name, was.get(t.name, 0.0), t.ns) for t in after.terms if abs(t.ns - was.get(t.name, 0.0)) > _MOVED * t.ns
    ]
    yield "  " + (
        ", ".join(f"{name} {duration(old)} → {duration(new)}" for name, old, new in moved[:_SHOWN])
        or "no part of the machine is needed for longer or shorter"
    )
    yield from (f"  do not trust: {doubt}" for doubt in after.doubts)
