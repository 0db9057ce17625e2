"""Child processes with a message socket, a wall-clock limit on every answer, and certain death.

Messages are JSON behind a four-byte length. The child's own output goes to a bounded tail, so a flood of it neither
blocks the child nor fills memory. The child is its own process group and is killed as a group, and with it, on Linux,
every process that descends from it, see `hotloop.host.strays`; there it also dies with its parent, see `die_with_parent`.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

from hotloop.errors import WorkerError
from hotloop.host import strays

MAX_MESSAGE_BYTES = 256 * 2**20
"""A longer message is a defect or an attack, not data."""
_TAIL_BYTES = 64 * 2**10
_HEADER = struct.Struct("!I")
_POLL_S = 0.5
"""How often a silent child is looked at where the system does not tell of its death: it may have left a process that keeps its
end of the socket open."""
_DEATH_S = 5.0
"""How long a killed child is waited for: one that hangs inside a driver cannot die, and must not stop the whole run."""
_FIRST_TO_GO = b"1000"
"""Linux' out-of-memory killer takes the process with the highest score: a candidate, never the run that judges it."""


@cache
def _starter() -> ThreadPoolExecutor:
    """Return the one thread that starts children for others: on Linux, a child dies with the thread that started it (prctl(2))."""
    return ThreadPoolExecutor(1, "start")


class ChildDiedError(Exception):
    """The child ended while an answer was awaited; `returncode` is negative for a signal."""

    def __init__(self, returncode: int | None, tail: str) -> None:
        super().__init__(f"child ended with {returncode}")
        self.returncode = returncode
        self.tail = tail


class ChildSilentError(Exception):
    """No answer within the limit; the child has been killed."""


class Child:
    """A Python child process running ``python -m module``."""

    def __init__(self, module: str, environment: Mapping[str, str]) -> None:
        ours, theirs = socket.socketpair()
        self._mark = environment.get(strays.MARK, "")
        command = [sys.executable, "-X", "faulthandler", "-m", module, str(theirs.fileno())]

        def start() -> subprocess.Popen[bytes]:
            return subprocess.Popen(  # noqa: S603 - our own interpreter and module
                command,
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )

        try:
            main = threading.current_thread() is threading.main_thread()
            self._process = start() if main else _starter().submit(start).result()
        except OSError as error:
            ours.close()
            raise WorkerError(f"cannot start a worker process: {error}; check memory and process limits.") from error
        finally:
            theirs.close()
        self._socket = ours
        self._ear = _Ear(ours, self._process)
        self._tail = bytearray()
        self._reader = threading.Thread(target=self._drain, daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        """Process id of the child."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Tell whether the child still runs."""
        return self._process.poll() is None

    @property
    def tail(self) -> str:
        """Last output of the child, at most 64 KiB."""
        return bytes(self._tail).decode(errors="replace")

    def ask(self, message: Mapping[str, Any], limit_s: float) -> dict[str, Any]:
        """Send a message and return the answer.

        Raises:
            ChildDiedError: the child ended instead of answering, or answered nonsense and was killed.
            ChildSilentError: `limit_s` seconds of wall time passed; the child is dead afterwards.
        """
        deadline_s = time.monotonic() + limit_s
        try:
            send(self._socket, message, deadline_s)
            return _received(self._ear, deadline_s)
        except TimeoutError:
            self.kill()
            raise ChildSilentError from None
        except (EOFError, OSError):
            raise ChildDiedError(self._reap(), self.tail) from None
        except ValueError as nonsense:
            self.kill()
            raise ChildDiedError(None, f"garbled answer: {nonsense}") from None
        except BaseException:  # Ctrl-C: the answer that is still under way must not be taken for the next one's
            self.kill()
            raise

    def kill(self) -> None:
        """Kill the child, its process group and what it left behind elsewhere, and reap it. Safe to call twice."""
        kill_all((self,))

    def _signal(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def _wait(self) -> None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=_DEATH_S)

    def _close(self) -> None:
        self._reader.join(timeout=1)
        self._ear.close()
        self._socket.close()
        if self._process.stdout:
            self._process.stdout.close()

    def _reap(self) -> int | None:
        try:
            returncode: int | None = self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            returncode = None
        self.kill()
        return returncode

    def _drain(self) -> None:
        stream = self._process.stdout
        with contextlib.suppress(OSError, ValueError):
            while stream and (chunk := os.read(stream.fileno(), 65536)):
                self._tail += chunk
                del self._tail[:-_TAIL_BYTES]


def kill_all(children: Sequence[Child]) -> None:
    """Kill children together, as `Child.kill` does with one: each look for what they left behind takes as long as for one."""
    for child in children:
        child._signal()  # noqa: SLF001 - of this module
    for child in children:
        child._wait()  # noqa: SLF001
    strays.kill(*(child._mark for child in children))  # noqa: SLF001
    for child in children:
        child._close()  # noqa: SLF001


def send(channel: socket.socket, message: Mapping[str, Any], deadline_s: float | None = None) -> None:
    """Write one message; `deadline_s` is a `time.monotonic` value. Raises TimeoutError."""
    body = json.dumps(message).encode()
    _allow(channel, deadline_s)
    channel.sendall(_HEADER.pack(len(body)) + body)


def receive(channel: socket.socket, deadline_s: float | None = None) -> dict[str, Any]:
    """Read one message; `deadline_s` is a `time.monotonic` value.

    Raises TimeoutError, EOFError or ValueError.
    """
    return _received(_Ear(channel), deadline_s)


class _Ear:
    """Waits for what a channel brings, or for the death of the process at its other end."""

    def __init__(self, channel: socket.socket, sender: subprocess.Popen[bytes] | None = None) -> None:
        self._channel, self._sender = channel, sender
        self._waiting = select.poll()  # select.select refuses descriptors above 1023
        self._waiting.register(channel, select.POLLIN)
        self._death = None if sender is None else _death_of(sender.pid)
        if self._death is not None:
            self._waiting.register(self._death, select.POLLIN)
        self._slice_s = _POLL_S if sender is not None and self._death is None else None

    def hear(self, deadline_s: float | None) -> bytes:
        """Return bytes that have come. Raises TimeoutError, or EOFError when no more can come."""
        while True:
            left_s = None if deadline_s is None else max(0.0, deadline_s - time.monotonic())
            slices = [value for value in (left_s, self._slice_s) if value is not None]
            events = self._waiting.poll(1e3 * min(slices) if slices else None)
            if any(descriptor != self._death for descriptor, _ in events):  # what it sent before it died, too
                break
            if self._sender is not None and self._sender.poll() is not None and not self._readable():
                raise EOFError
            if left_s == 0.0:
                raise TimeoutError
        if not (chunk := self._channel.recv(1 << 18)):
            raise EOFError
        return chunk

    def close(self) -> None:
        """Free what the system was asked to watch. Safe to call twice."""
        if self._death is not None:
            os.close(self._death)
            self._death = None

    def _readable(self) -> bool:
        return any(descriptor != self._death for descriptor, _ in self._waiting.poll(0))


def _death_of(pid: int) -> int | None:
    """Return a descriptor that can be read once a process has ended (pidfd_open(2), Linux 5.3); None where there is none."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None


def _received(ear: _Ear, deadline_s: float | None) -> dict[str, Any]:
    """Read one message; both sides take turns, so whatever is there belongs to one."""
    parts = bytearray()
    while len(parts) < _HEADER.size:
        parts += ear.hear(deadline_s)
    (length,) = _HEADER.unpack_from(parts)
    if length > MAX_MESSAGE_BYTES:
        raise ValueError(f"message of {length} bytes")
    while len(parts) < _HEADER.size + length:
        parts += ear.hear(deadline_s)
    body = parts[_HEADER.size :]
    if len(body) > length:
        raise ValueError("there is more than one answer")
    try:
        message = json.loads(body)
    except RecursionError:
        raise ValueError("message is nested too deeply") from None
    if not isinstance(message, dict):
        raise ValueError("message is not an object")
    return message


def _allow(channel: socket.socket, deadline_s: float | None) -> None:
    channel.settimeout(None if deadline_s is None else max(0.001, deadline_s - time.monotonic()))


def die_with_parent() -> None:
    """Ask Linux to kill this process when its parent dies, or when memory runs out; keep it from writing core files."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            Path("/proc/self/oom_score_adj").write_bytes(_FIRST_TO_GO)
        die_with(os.getppid())


def die_with(parent: int) -> None:
    """Ask Linux to kill this process when its parent, of this number, dies; it may be dead by now."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG = 1, linux/prctl.h
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)
