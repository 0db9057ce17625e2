"""Writing report files and turning a run's end into an exit code."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hotloop import registry
from hotloop.cli import output
from hotloop.cli.destination import PAGES
from hotloop.cli.main import INTERRUPTED
from hotloop.errors import MachineError
from hotloop.model.outcome import Measured

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hotloop.report.view import RunRecord


def write(record: RunRecord, files: Mapping[str, str | None]) -> None:
    """Write the requested pages about a run. Raises MachineError when a file cannot be written."""
    from hotloop.report.view import build

    put("run", build(record), files, "the run itself is kept in the store")


def put(subject: str, view: object, files: Mapping[str, str | None], remedy: str = "choose another path") -> None:
    """Write the requested pages about a subject. Raises MachineError when a file cannot be written."""
    for name, path in files.items():
        if path:
            save(path, registry.load(PAGES, name, "render", subject)(view), remedy)


def exit_code(record: RunRecord) -> int:
    """Return 0 for a usable winner, 1 when even the baseline failed, 130 after Ctrl-C."""
    if record.state == "interrupted":
        return INTERRUPTED
    usable = record.steps and isinstance(record.steps[record.winner].outcome, Measured)
    return 0 if usable else 1


def save(path: str | Path, data: str | bytes, remedy: str = "choose another path") -> None:
    """Write a file that was asked for, and say so. Raises MachineError when it cannot be written."""
    try:
        Path(path).write_bytes(data.encode() if isinstance(data, str) else data)
    except OSError as error:
        raise MachineError(f"cannot write {path}: {error.strerror}; {remedy}.") from None
    output.note(f"wrote {path}")
