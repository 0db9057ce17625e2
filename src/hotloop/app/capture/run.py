"""Running a program under the recorder, and what is made of it."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import hotloop
from hotloop.app.capture import layer
from hotloop.captures import folder as folders
from hotloop.captures.merge import Merged
from hotloop.captures.nouns import Capture
from hotloop.errors import MachineError, UsageError
from hotloop.host import program, runtimes
from hotloop.version import VERSION

_SITE = Path(hotloop.__file__).parent / "recorder" / "site"
_PYTHON_OFF = ("-S", "-I", "-E", "-sS")
"""Switches with which Python does not look for what begins the recorder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be captured."""

    command: tuple[str, ...]
    folder: Path | None = None
    """None: the script's name with the ending ``.capture``, here."""
    max_bytes: int = 256 << 20
    after_s: float = 0.0
    for_s: float | None = None
    values: bool = True
    overwrite: bool = False


def capture(wanted: Wanted, *, quiet: bool = False) -> tuple[Path, Capture]:
    """Run a program and return the folder and what is in it.

    Raises:
        UsageError: the folder exists, the program cannot be started, or nothing of it could be recorded.
        MachineError: the folder cannot be made.
    """
    folder = wanted.folder or Path(f"{_title(wanted.command)}.capture")
    _fresh(folder, overwrite=wanted.overwrite)
    limit_s = None if wanted.for_s is None else wanted.after_s + wanted.for_s
    heard, deaf = layer.environment(folder.resolve(), wanted.after_s, wanted.max_bytes, values=wanted.values)
    try:
        left = program.run(wanted.command, {**_environment(wanted, folder.resolve()), **heard}, limit_s, quiet=quiet)
    except UsageError:  # it cannot be started: nothing is left behind
        shutil.rmtree(folder)
        raise
    merged = Merged(folder)
    if not merged.processes:
        shutil.rmtree(folder)
        if left.stopped:
            raise KeyboardInterrupt
        raise UsageError(_unrecorded(wanted.command, left.returncode, deaf))
    made = Capture(
        command=_told(wanted.command),
        folder=str(Path.cwd()),
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        tool=VERSION,
        returncode=left.returncode,
        ended=_ended(left),
        wall_s=left.wall_s,
        busy_s=left.busy_s,
        recording_s=merged.recording_s,
        recording_busy_s=merged.recording_busy_s,
        processes=merged.processes,
        cut=merged.cut,
        problems=tuple(dict.fromkeys(merged.problems)),
        kernels=tuple(merged.kernels),
    )
    folders.write(folder, made)
    for journal in folder.glob("seen-*.jsonl"):
        journal.unlink()
    return folder, made


def _ended(left: program.Left) -> str:
    if left.late:
        return "limit"
    return "stopped" if left.stopped else "signal" if left.returncode < 0 else "itself"


def _title(command: Sequence[str]) -> str:
    script = next((word for word in command if word.endswith(".py")), command[0])
    return Path(script).stem


def _fresh(folder: Path, *, overwrite: bool) -> None:
    if folder.exists():
        ours = folders.is_capture(folder)
        if not (ours and (overwrite or _recorded_nothing(folder))):
            hint = "give --force, or another name with --out" if ours else "name another folder with --out"
            raise UsageError(f"{folder} exists already; {hint}.")
        shutil.rmtree(folder)
    try:
        folder.mkdir(parents=True, mode=0o700)
        (folder / "values").mkdir(mode=0o700)
    except OSError as error:
        raise MachineError(f"cannot make {folder}: {error.strerror}; name another folder with --out.") from None


def _recorded_nothing(folder: Path) -> bool:
    """Tell whether a capture that ended holds no kernel, as of a program that could not be started: nothing is lost with it."""
    try:
        return not folders.read(folder).kernels
    except UsageError:
        return False


def _environment(wanted: Wanted, folder: Path) -> dict[str, str]:
    # A program from pyopencl's cache has no source any more.
    given = {
        "folder": str(folder), "max_bytes": wanted.max_bytes, "after_s": wanted.after_s, "values": wanted.values,
        "uncached": not os.environ.get("PYOPENCL_NO_CACHE"),
    }  # fmt: skip
    return {**environment(), "HOTLOOP_CAPTURE": json.dumps(given), "PYOPENCL_NO_CACHE": "1"}


def environment() -> dict[str, str]:
    """Return the variables with which a Python program begins what listens in it."""
    path = os.pathsep.join([str(_SITE), *filter(None, [os.environ.get("PYTHONPATH")])])
    home = str(Path(hotloop.__file__).parents[1])
    return {**runtimes.loader_environment(), "PYTHONPATH": path, "HOTLOOP_HOME": home}


def _told(command: Sequence[str]) -> tuple[str, ...]:
    """Return a command as it is kept: what follows the script may be secret, and is only counted."""
    at = next((at for at, word in enumerate(command) if word.endswith(".py")), min(1, len(command) - 1))
    if "-m" in command:
        at = min(command.index("-m") + 1, len(command) - 1)
    rest = len(command) - at - 1
    return (*command[: at + 1], *((f"({rest} more)",) if rest else ()))


def _unrecorded(command: Sequence[str], returncode: int, deaf: str) -> str:
    words = " ".join(_told(command))
    if off := [word for word in command[1:] if word in _PYTHON_OFF]:
        return f"nothing of {words} was recorded: Python ignores its environment with {off[0]}; leave it out."
    if returncode:
        return f"{words} ended with code {returncode} before Python or OpenCL began; run it without hotloop first."
    if deaf:
        return f"nothing of {words} was recorded: it is no Python program, or its Python ignores PYTHONPATH; {deaf}"
    return (
        f"nothing of {words} was recorded: it is no Python program, or its Python ignores PYTHONPATH, and it found no OpenCL runtime "
        "through a loader that has layers (ocl-icd since 2.3, Khronos' since 2021)."
    )
