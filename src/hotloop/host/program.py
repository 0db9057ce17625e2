"""Running a user's program as it is: its own terminal, its own environment with a few variables more, a limit on its time."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from hotloop.errors import UsageError

_GRACE_S = (10.0, 5.0)
"""How long a program may take to end when it is asked to (SIGINT, then SIGTERM) before it is killed."""


@dataclass(frozen=True, slots=True)
class Left:
    """Exit status and output of a program that ended."""

    returncode: int
    """Exit status; negative where a signal ended it."""
    late: bool
    """True where it was ended because its time was up."""
    wall_s: float
    busy_s: float
    """Processor time of all its threads, and of processes that it waited for."""
    stopped: bool = False
    """True where it failed after Ctrl-C; one that takes Ctrl-C for its usual end, and says that all is well, was not stopped."""


def require(program: str) -> None:
    """Raise UsageError unless a user's command begins with a program that can be started."""
    if shutil.which(program) is None:
        raise UsageError(
            f"{program or repr(program)} cannot be started: there is no such program; name a program after --."
        )


def printed(command: Sequence[str], extra: Mapping[str, str], folder: str) -> tuple[int, str]:
    """Run a program in a folder to its end; return its exit status, and what it wrote to standard output, its errors left out.

    Raises:
        UsageError: it cannot be started.
    """
    try:
        done = subprocess.run(  # noqa: S603 - the user's own command
            list(command), cwd=folder, env={**os.environ, **extra}, capture_output=True, check=False
        )
    except OSError as error:
        raise UsageError(f"{command[0]} cannot be started: {error.strerror}; name a program after --.") from None
    return done.returncode, done.stdout.decode(errors="replace")


def run(command: Sequence[str], extra: Mapping[str, str], limit_s: float | None, *, quiet: bool = False) -> Left:
    """Run a program to its end or to its limit; `quiet` sends what it prints to standard error.

    Raises:
        UsageError: there is no such program, or it cannot be started.
    """
    require(command[0])
    began_s, busy_s = time.monotonic(), _busy_s()
    try:
        process = subprocess.Popen(  # noqa: S603 - the user's own command
            list(command),
            env={**os.environ, **extra},
            stdout=sys.stderr.fileno() if quiet else None,
            start_new_session=limit_s is not None,
        )
    except OSError as error:
        raise UsageError(f"{command[0]} cannot be started: {error.strerror}; name a program after --.") from None
    late = interrupted = False
    try:
        with asked_to_end(process.send_signal):  # the program ends instead, and what it left can be written down
            process.wait(limit_s)
    except subprocess.TimeoutExpired:
        late = True
        _end(process)
    except KeyboardInterrupt:
        interrupted = True
        _interrupted(process, alone=limit_s is not None)
    spent = time.monotonic() - began_s, _busy_s() - busy_s
    return Left(process.returncode, late, *spent, stopped=interrupted and process.returncode != 0)


def _interrupted(process: subprocess.Popen[bytes], *, alone: bool) -> None:
    """Wait for a program after Ctrl-C, which it got, too, where it shares our terminal; it is told where it does not."""
    if alone:
        _end(process)
        return
    try:
        process.wait(None if sys.stdin is not None and sys.stdin.isatty() else _GRACE_S[0])
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
        process.wait()


@contextlib.contextmanager
def asked_to_end(do: Callable[[signal.Signals], object]) -> Iterator[None]:
    """Call a function instead of ending, in the main thread only, as Python sets handlers nowhere else; what `nohup` ignores stays ignored."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {
        number: signal.signal(number, lambda asked, _frame: do(signal.Signals(asked)))
        for number in (signal.SIGTERM, signal.SIGHUP)
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def end(number: signal.Signals) -> None:
    """End as the signal ends a process that has no handler for it."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def _busy_s() -> float:
    """Return the processor time of all processes that this one started and that ended."""
    spent = os.times()
    return spent.children_user + spent.children_system


def _end(process: subprocess.Popen[bytes]) -> None:
    for number, grace_s in zip((signal.SIGINT, signal.SIGTERM), _GRACE_S, strict=True):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(grace_s)
            return
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
