"""A run's winner for a program as it runs: what it replaces, what must be as it was, and whether it still is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from hotloop.app.capture.run import environment
from hotloop.app.run.kept.adoption import Adoption
from hotloop.app.run.kept.patch import Patch
from hotloop.errors import MachineError, UsageError
from hotloop.host import program

FORMAT, VERSION = "hotloop adoption", 1
_SIGNAL = 128
"""What shells add to the number of the signal that ended a program."""


def adoption(patch: Patch) -> Adoption:
    """Return what of a run a program can adopt. Raises UsageError where there is nothing."""
    if patch.idle:
        raise UsageError(f"the run of {patch.path} found nothing faster, so there is nothing to adopt.")
    if patch.adoption is None:
        raise UsageError(
            f"the run of {patch.path} leaves nothing to adopt: it must be of a captured kernel, and have found something faster "
            "whose launch follows from the program's own; see hotloop capture."
        )
    if patch.adoption.native:
        raise UsageError(
            f"{patch.adoption.entry} is launched by a program that is not in Python, where nothing can be adopted; hotloop apply patches it."
        )
    return patch.adoption


def write(adoptions: Sequence[Adoption], path: Path) -> None:
    """Write an adoption file. Raises MachineError."""
    data = {"format": FORMAT, "version": VERSION, "kernels": [asdict(kernel) for kernel in adoptions]}
    try:
        path.write_text(json.dumps(data, indent=1), encoding="utf-8")
    except OSError as error:
        raise MachineError(f"cannot write {path}: {error.strerror}; choose another path.") from None


def run(command: Sequence[str], path: Path) -> int:
    """Run a program with what a file names in the place of its own kernels; return its exit code, as a shell tells it."""
    code = program.run(command, {**environment(), "HOTLOOP_ADOPT": str(path.resolve())}, None).returncode
    return code if code >= 0 else _SIGNAL - code
