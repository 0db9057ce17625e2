"""Running a program under a profiler: where the tool is, a limit on its time and its output, and certain death.

A profiler that is interrupted still writes what it has, so it is asked to stop (SIGINT) before it is killed. It and all
that it started die as a process group and by the mark in their environment, see `hotloop.host.strays`.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from hotloop.errors import MachineError
from hotloop.host import program, strays

GRACE_S = 5.0
"""How long a profiler that was asked to stop may take to write its results."""
_END_BYTES = 64 * 2**10
"""Bytes that are kept of the beginning, and of the end, of what a program prints."""
NODES = Path("/sys/class/kfd/kfd/topology/nodes")
"""Where Linux lists AMD's processors: a folder for each, with its properties."""
_AMD, _NVIDIA = Path("/dev/kfd"), (Path("/dev/nvidiactl"), Path("/dev/nvidia0"), Path("/proc/driver/nvidia/version"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A run that is over."""

    returncode: int | None
    """Negative for a signal; None: it had to be killed and could not be reaped."""
    late: bool
    """True when it was stopped because its time was up."""
    output: str
    """Output of the program and of the tool, shortened in the middle."""
    duration_ns: int


def find(program: str, folders: Sequence[str]) -> str | None:
    """Return the path of a tool: from PATH, else from where it installs itself."""
    return shutil.which(program) or shutil.which(program, path=os.pathsep.join(folders))


def vendor() -> str:
    """Return whose GPU this machine shows, ``nvidia`` or ``amd``; empty for none."""
    if any(path.exists() for path in _NVIDIA):
        return "nvidia"
    return "amd" if _AMD.exists() else ""


def amd_target(nodes: Path = NODES) -> str:
    """Return the processor of the first AMD GPU that Linux lists, such as ``gfx942``; empty for none.

    The kernel's ``gfx_target_version`` is 10000 × major + 100 × minor + stepping (amdkfd, kfd_topology).
    """
    for properties in sorted(nodes.glob("*/properties")):
        with contextlib.suppress(OSError, ValueError):
            words = dict(
                line.split(maxsplit=1) for line in properties.read_text(encoding="utf-8").splitlines() if " " in line
            )
            version = int(words.get("gfx_target_version", "0"))
            if version:
                return f"gfx{version // 10000}{version // 100 % 100:x}{version % 100:x}"
    return ""


def pipes(*paths: Path) -> None:
    """Create named pipes. Raises MachineError."""
    for path in paths:
        try:
            os.mkfifo(path, 0o600)
        except OSError as error:
            raise MachineError(
                f"cannot create the pipe {path}: {error.strerror}; choose another folder with --out."
            ) from error


def run(
    command: Sequence[str], limit_s: float, *, environment: Mapping[str, str], mark: str, grace_s: float = GRACE_S
) -> Ended:
    """Run a command to its end, or until `limit_s` seconds of wall time have passed.

    `mark` is a text that no other process of this machine carries.

    Raises:
        MachineError: the program cannot be started at all.
    """

    def along(number: signal.Signals) -> None:  # else the program would go on alone, for hours perhaps
        strays.kill(mark)
        program.end(number)

    with program.asked_to_end(along):
        return _run(command, limit_s, {**environment, strays.MARK: mark}, mark, grace_s)


def _run(command: Sequence[str], limit_s: float, environment: Mapping[str, str], mark: str, grace_s: float) -> Ended:
    began_ns = time.monotonic_ns()
    try:
        process = subprocess.Popen(  # noqa: S603 - a tool that was found, or the user's own command
            list(command),
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        raise MachineError(f"{command[0]} cannot be started: {error.strerror}; check the command.") from error
    tail = _Tail(process.stdout)
    late = False
    try:
        late = not _ended(process, limit_s)
        if late:
            _signal(process, signal.SIGINT)
            _ended(process, grace_s)
    finally:  # also what it left behind in the background, and on Ctrl-C the program itself
        _signal(process, signal.SIGKILL)
        _ended(process, GRACE_S)
        strays.kill(mark)
        tail.close()
    return Ended(
        returncode=process.returncode,
        late=late,
        output=tail.text(),
        duration_ns=time.monotonic_ns() - began_ns,
    )


def _ended(process: subprocess.Popen[bytes], limit_s: float) -> bool:
    try:
        process.wait(timeout=limit_s)
    except subprocess.TimeoutExpired:
        return False
    return True


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


class _Tail:
    """Reads a stream to its end in a thread and keeps its beginning and its end."""

    def __init__(self, stream: IO[bytes] | None) -> None:
        self._stream = stream
        self._head, self._end, self._dropped = bytearray(), bytearray(), 0
        self._reader = threading.Thread(target=self._drain, daemon=True)
        self._reader.start()

    def text(self) -> str:
        """Return what was kept."""
        gap = f"\n[{self._dropped} bytes left out]\n".encode() if self._dropped else b""
        return (bytes(self._head) + gap + bytes(self._end)).decode(errors="replace")

    def close(self) -> None:
        """Stop reading; a process that escaped may hold the other end open for ever."""
        self._reader.join(timeout=1)
        if self._stream is not None and not self._reader.is_alive():
            self._stream.close()

    def _drain(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while self._stream and (chunk := os.read(self._stream.fileno(), 65536)):
                free = _END_BYTES - len(self._head)
                self._head += chunk[:free]
                self._end += chunk[free:] if free < len(chunk) else b""
                self._dropped += max(0, len(self._end) - _END_BYTES)
                del self._end[:-_END_BYTES]
