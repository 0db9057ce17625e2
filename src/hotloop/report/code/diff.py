"""Two versions of a kernel's machine code side by side: what moved, in words first and numbers below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from hotloop.report import plain
from hotloop.report.markdown import escape
from hotloop.report.section import Section
from hotloop.units import size

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table

    from hotloop.isa.summary.diff import Difference, Latency, Moved


def verdict(difference: Difference) -> str:
    """Return what changed most, in one sentence."""
    better = [lat.group for lat in difference.latencies if lat.step > 0]
    worse = [lat.group for lat in difference.latencies if lat.step < 0]
    parts = [
        f"hides its {' and '.join(better)} better" if better else "",
        f"exposes its {' and '.join(worse)} more" if worse else "",
    ]
    parts += [
        _cost(moved)
        for moved in difference.kernel
        if moved.what in ("vector registers", "local memory", "spilled registers", "occupancy")
    ]
    sentences = [part for part in parts if part]
    name = difference.after.kernel or "the second version"
    return f"{name}: {'; '.join(sentences)}" if sentences else f"{name}: neither latency nor resources moved"


def _cost(moved: Moved) -> str:
    if not moved.changed or moved.before is None or moved.after is None:
        return ""
    if moved.what == "occupancy":
        return f"occupancy {moved.before:g} → {moved.after:g} {moved.unit}"
    change = moved.after - moved.before
    amount = size(abs(change)) if moved.unit == "B" else f"{abs(change):g}"
    return f"{amount} {'more' if change > 0 else 'less' if moved.unit == 'B' else 'fewer'}{' of' if moved.unit == 'B' else ''} {moved.what}"


def sections(difference: Difference) -> tuple[Section, ...]:
    """Return the parts of the comparison; only what moved, with what stayed the same counted."""
    return (
        Section("latencies of the hot loop", tuple(_latency(lat) for lat in difference.latencies)),
        _table("kernel", difference.kernel),
        _table("hot loop", difference.loop),
        Section("findings", tuple(_findings(difference))),
    )


def render(difference: Difference) -> Group:
    """Return the terminal form; the first line is the verdict."""
    from rich.console import Group
    from rich.text import Text

    parts: list[Text | Table] = [
        Text(plain.line(verdict(difference)), style="bold"),
        Text(
            plain.line(f"before: {difference.before.origin}, {difference.before.target}, {difference.before.hot.place}")
        ),
        Text(plain.line(f"after:  {difference.after.origin}, {difference.after.target}, {difference.after.hot.place}")),
    ]
    for section in sections(difference):
        if not section.lines and not section.rows:
            continue
        parts.append(Text(section.title, style="bold cyan"))
        if section.rows:
            parts.append(section.grid())
        parts += [Text(f"  {plain.line(line)}") for line in section.lines]
    return Group(*parts)


def markdown(difference: Difference) -> str:
    """Return the Markdown form."""
    lines = [f"## {escape(verdict(difference))}", ""]
    for section in sections(difference):
        if not section.lines and not section.rows:
            continue
        lines += [f"### {section.title}", ""]
        if section.rows:
            lines += [*section.pipes(), ""]
        lines += [*(f"- {escape(line)}" for line in section.lines), ""]
    return "\n".join(lines)


def _latency(latency: Latency) -> str:
    first, second = latency.before, latency.after
    if first is None or second is None:
        there = first or second
        return f"{latency.group}: {'only before' if second is None else 'new'}: {there.words if there else ''}"
    moved = f"{first.verdict} → {second.verdict}" if latency.step else f"still {first.verdict}"
    far = (
        f"{first.matrices} → {second.matrices} matrix instructions"
        if first.matrices or second.matrices
        else (f"{first.instructions} → {second.instructions} instructions")
    )
    return f"{latency.group}: {moved}; {far} from issue to wait, {first.stall_cycles} → {second.stall_cycles} cycles of stall per iteration"


def _table(title: str, moved: Sequence[Moved]) -> Section:
    rows = tuple((m.what, _number(m.before, m.unit), _number(m.after, m.unit), _change(m)) for m in moved if m.changed)
    same = sum(not m.changed for m in moved)
    lines = (f"{same} other figure{'s' if same != 1 else ''} the same",) if same else ()
    return Section(title, lines, ("", "before", "after", "change"), rows)


def _number(value: float | None, unit: str) -> str:
    if value is None:
        return "not known"
    return size(value) if unit == "B" else f"{value:.4g}"


def _change(moved: Moved) -> str:
    if moved.before is None or moved.after is None:
        return ""
    change = moved.after - moved.before
    relative = f" ({100 * change / moved.before:+.0f} %)" if moved.before else ""
    return f"{change:+.4g}{relative}"


def _findings(difference: Difference) -> Iterator[str]:
    if difference.gone:
        yield f"gone: {', '.join(difference.gone)}"
    if difference.new:
        yield f"new: {', '.join(difference.new)}"
