"""Writing report files and turning a run's end into an exit code."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hotloop.cli import output
from hotloop.cli.main import INTERRUPTED
from hotloop.errors import MachineError
from hotloop.model.outcome import Measured
from hotloop.report.view import build

if TYPE_CHECKING:
    from hotloop.report.view import RunRecord


def write(record: RunRecord, *, html: str | None = None, markdown: str | None = None) -> None:
    """Write the asked pages. Raises MachineError when a file cannot be written."""
    view = build(record)
    if html:
        from hotloop.report.run.html import render

        _write(Path(html), render(view))
    if markdown:
        from hotloop.report.run.markdown import render as marked

        _write(Path(markdown), marked(view))


def exit_code(record: RunRecord) -> int:
    """Return 0 for a usable winner, 1 when even the baseline failed, 130 after Ctrl-C."""
    if record.state == "interrupted":
        return INTERRUPTED
    usable = record.steps and isinstance(record.steps[record.winner].outcome, Measured)
    return 0 if usable else 1


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise MachineError(f"cannot write {path}: {error.strerror}; the run itself is kept in the store.") from None
    output.note(f"wrote {path}")
