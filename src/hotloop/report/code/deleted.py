"""Which waits and barriers a kernel needs, for the terminal and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hotloop.emulate.sanitizer.deletion import Deletion, Need
from hotloop.report.plain import line

if TYPE_CHECKING:
    from rich.console import Group


def verdict(label: str, target: str, rows: Sequence[Deletion]) -> str:
    """Return the one sentence that a reader should take away."""
    spare = sum(row.need is Need.REDUNDANT for row in rows)
    return f"{label} on {target}: {len(rows) - spare} of {len(rows)} waits and barriers are needed, {spare} redundant for this launch"


def render(label: str, target: str, rows: Sequence[Deletion]) -> Group:
    """Return the report as terminal text."""
    from rich.console import Group
    from rich.text import Text

    shown = [Text(line(verdict(label, target, rows)), style="bold")]
    for row in rows:
        shown.append(Text(line(f"line {row.line}: {row.instruction}: {row.need.value}")))
        shown.append(Text(f"    {line(row.why)}", style="dim"))
    return Group(*shown)


def as_json(label: str, target: str, rows: Sequence[Deletion]) -> dict[str, Any]:
    """Return every row."""
    return {
        "input": label,
        "target": target,
        "verdict": verdict(label, target, rows),
        "deletions": [
            {"kernel": r.kernel, "line": r.line, "instruction": r.instruction, "need": r.need.value, "why": r.why}
            for r in rows
        ],
    }
