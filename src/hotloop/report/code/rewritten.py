"""A kernel's rewrites without a GPU, as terminal text and JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from hotloop.report import plain
from hotloop.report.section import Section

if TYPE_CHECKING:
    from rich.console import Group

    from hotloop.rewrite.gpu.answer import Answer, Tried


def render(answer: Answer) -> Group:
    """Return the terminal form: a table."""
    from rich.console import Group
    from rich.text import Text

    fitting = sum(not rewrite.refused for rewrite in answer.tried)
    head = f"{answer.kernel} for {answer.target}: {fitting} of {len(answer.tried)} apply; nothing was timed"
    rows = tuple(_row(answer, rewrite) for rewrite in answer.tried)
    parts: list[Any] = [Text(plain.line(head), style="bold")]
    parts.append(Section("", (), ("rewrite", "lines", "registers", "executed", ""), rows).grid())
    parts += [Text(plain.line(answer.remark), style="yellow")] if answer.remark else []
    if len(answer.tried) > 1:
        parts.append(Text("its text with one of them: --start NAME=VALUE"))
    return Group(*parts)


def diff(answer: Answer) -> str:
    """Return the diff where one thing was asked for; empty where all were tried."""
    return plain.visible(answer.tried[0].diff) if len(answer.tried) == 1 else ""


def _row(answer: Answer, rewrite: Tried) -> tuple[str, ...]:
    if rewrite.refused:
        return rewrite.names, "", "", "", rewrite.refused
    registers = "" if rewrite.registers is None else f"{answer.registers} → {rewrite.registers}"
    spills = f", {rewrite.spills} spilled" if rewrite.spills else ""
    lines = ", ".join(map(str, rewrite.lines[:4])) + ("…" if len(rewrite.lines) > 4 else "")
    return rewrite.names, lines, registers + spills, rewrite.executed, f"grid {rewrite.grid}" if rewrite.grid else ""


def as_json(answer: Answer) -> dict[str, Any]:
    """Return it as JSON."""
    return asdict(answer)
