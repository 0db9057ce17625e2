"""A process that watches the one that works, where code of a user's file runs in it and may end it without a word.

``os._exit(0)`` in a function of a kernel file would end the command with the exit code of success, and a wild pointer with
a signal. So the command forks before it runs such a file: the child goes on as if nothing had happened, and the parent
waits, passes signals on, and ends as the child did. Where the child ended without saying so first, the parent says which
function was running. Both share one page, whose first byte names that function.
"""

from __future__ import annotations

import mmap
import os
import signal
import struct
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import NoReturn

from hotloop.errors import HotloopError, KernelFileError, MachineError

_SLOT_BYTES, _SLOTS = 512, 256
_RUNNING, _ENDED, _CODE, _HEARD, _DUE = 0, 1, 2, 8, 16
"""Places in the first slot: number of the function that runs, whether the child has said how it ends, with what code, when (as
`_WHEN`) it last heard Ctrl-C, and when at the latest that function ends; 0 for no such time."""
_WHEN = struct.Struct("d")
_PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2)
_FAULTS = {
    signal.SIGSEGV: "a wild memory access",
    signal.SIGBUS: "a wild memory access",
    signal.SIGABRT: "an abort",
    signal.SIGFPE: "an arithmetic fault",
    signal.SIGILL: "an illegal instruction",
    signal.SIGKILL: "as happens when memory runs out",
}
_OUTSIDE = frozenset({*_PASSED_ON, signal.SIGKILL, signal.SIGXCPU} - {signal.SIGINT})
"""Ends that come from others: a person, a batch system whose time is over (some send SIGUSR1 or SIGXCPU), a terminal that is gone, a system without memory."""
_GOES_ON = ": what was recorded is kept, and a run goes on where it stopped when the same command is given again."
_SAME_S = 0.1
"""Ctrl-C that came to the whole process group reaches the child by itself, within this time before or after."""

_GRACE_S = 30.0
"""How much longer than its limit a function may take at least: the alarm of `deadline` interrupts a call into C only when that returns."""
_LOOK_S = 1.0
"""The child's end is looked for this often, should its signal be lost."""

page = mmap.mmap(-1, _SLOT_BYTES * _SLOTS)
"""Shared with the guardian once there is one; before that, nobody reads it."""
_subjects: list[str] = []
_tell: Callable[[HotloopError], object] | None = None
"""Prints a sentence about an end that nobody announced; None where `watch` must not fork."""
_guarded = 0
"""Process that has a guardian; another one that has this number here is a fork of it."""


def allow(tell: Callable[[HotloopError], object]) -> None:
    """Let `watch` fork: called by a command line that is a process of its own, never by a program that imports hotloop.

    `tell` prints an error as the command line does.
    """
    global _tell  # noqa: PLW0603 - one process, one answer
    _tell = tell


def subject(text: str) -> int:
    """Return the number under which a function of a user's file is told, for `page[0]` while it runs."""
    if text not in _subjects:
        _subjects.append(text)
    number = min(_subjects.index(text) + 1, _SLOTS - 1)
    encoded = text.encode(errors="replace")[: _SLOT_BYTES - 1]
    page[number * _SLOT_BYTES : (number + 1) * _SLOT_BYTES] = encoded.ljust(_SLOT_BYTES, b"\0")
    return number


def due(limit_s: float) -> float:
    """Note that the function which begins now has a limit; returns what was noted before, for `restore`.

    A function that stays in one call into C cannot be interrupted. Where it takes twice its limit, the guardian ends the process.
    """
    before: float = _WHEN.unpack_from(page, _DUE)[0]
    restore(time.monotonic() + limit_s + max(limit_s, _GRACE_S))
    return before


def restore(due_s: float) -> None:
    """Note again what `due` returned: the function has ended."""
    _WHEN.pack_into(page, _DUE, due_s)


def watch() -> None:
    """Put a guardian in front of this process; returns in its child, which goes on. Once per process, on Linux."""
    global _guarded  # noqa: PLW0603 - one process, one guardian
    fit = hasattr(signal, "sigwaitinfo") and sys.platform == "linux" and threading.active_count() == 1
    if _guarded or _tell is None or not fit:
        return
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    awaited = {*_PASSED_ON, signal.SIGCHLD, signal.SIGALRM}
    own, before = os.getpid(), signal.pthread_sigmask(signal.SIG_BLOCK, awaited)
    alarm = signal.setitimer(signal.ITIMER_REAL, 0)  # a limit is the child's, which does not inherit it
    try:
        child = os.fork()
    except OSError:  # no process can be started: what follows says so, or needs none
        signal.setitimer(signal.ITIMER_REAL, *alarm)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return
    if child:
        _guard(child, awaited)
    from hotloop.host.process import die_with  # slow to import, and most commands need no guardian

    die_with(own)
    signal.setitimer(signal.ITIMER_REAL, *alarm)
    _guarded = os.getpid()
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _heard)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)


def ending(code: int) -> None:
    """Say with which code this process is about to end, so that its end is no surprise."""
    if os.getpid() == _guarded:
        page[_CODE], page[_ENDED] = code & 0xFF, 1


def _heard(_number: int, _frame: FrameType | None) -> None:
    _WHEN.pack_into(page, _HEARD, time.monotonic())
    raise KeyboardInterrupt


def _guard(child: int, awaited: set[signal.Signals]) -> NoReturn:
    signal.signal(
        signal.SIGCHLD, signal.SIG_DFL
    )  # discards one that waits, sigaction(2): so the child is asked for first
    signal.setitimer(signal.ITIMER_REAL, _LOOK_S, _LOOK_S)
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            _end(os.waitstatus_to_exitcode(status))
        if 0 < _WHEN.unpack_from(page, _DUE)[0] < time.monotonic():
            _stop(child)
        # An alarm is what ends the wait after a while: of sigtimedwait Python returns what happened to stand in memory, a signal that
        # nobody sent among it, where the process was stopped (Ctrl-Z) for longer than the wait.
        came = signal.sigwaitinfo(awaited)
        if came.si_signo in _PASSED_ON:
            _pass_on(child, came)


def _stop(child: int) -> NoReturn:
    """End a child whose function does not return from a call into C, and say which."""
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    who = _subject(page[_RUNNING]) or "code of the kernel file"
    _say(
        KernelFileError(
            f"{who} did not end in time, in a call that nothing interrupts: mend it, choose a smaller shape, or give more "
            "time with --limit."
        )
    )


def _pass_on(child: int, came: signal.struct_siginfo) -> None:
    """Give the child a signal that only this process got; those of a terminal reach the whole process group."""
    if came.si_code > 0:  # of the kernel, sigaction(2)
        return
    if came.si_signo == signal.SIGINT:  # twice would stop the report that the first one asks for
        came_s = time.monotonic()
        time.sleep(_SAME_S)
        while signal.SIGINT in signal.sigpending():
            signal.sigwaitinfo((signal.SIGINT,))
        if _WHEN.unpack_from(page, _HEARD)[0] > came_s - _SAME_S:
            return
    with suppress(ProcessLookupError):
        os.kill(child, came.si_signo)


def _end(code: int) -> NoReturn:
    """End as the child did, or as it said it would; where it said nothing, tell what ended it."""
    if page[_ENDED]:
        os._exit(code if code > 0 else page[_CODE])
    sentence = _sentence(page[_RUNNING], code) if code >= 0 or -code in _FAULTS else None
    if sentence is not None:
        _say(sentence)
    if -code in _OUTSIDE:
        _print(MachineError(f"ended from outside by {_named(-code)}{_GOES_ON}"))
    _die(-code)


def _say(sentence: HotloopError) -> NoReturn:
    """Print why the command ends, and end it."""
    _print(sentence)
    os._exit(sentence.exit_code)


def _print(sentence: HotloopError) -> None:
    with suppress(OSError, ValueError):  # standard error is closed
        if os.isatty(2):
            os.write(2, b"\r\n\x1b[?25h")  # the cursor, which the progress display hides
        assert _tell is not None
        _tell(sentence)


def _sentence(number: int, code: int) -> HotloopError | None:
    """Return what to say of an end that nobody announced; None where it came from outside."""
    function = _subject(number)
    if code >= 0:
        who = function if number else "something, presumably code of the kernel file,"
        return KernelFileError(f"{who} ended hotloop with exit code {code}, as os._exit does; it must return.")
    name = _named(-code)
    if number:
        return KernelFileError(
            f"{function} crashed hotloop ({name}); mend it: functions of a kernel file run unprotected."
        )
    if -code == signal.SIGKILL:
        return None
    return HotloopError(f"defect: hotloop crashed ({name}) outside of the kernel file's functions; report it.")


def _named(number: int) -> str:
    """Return a signal's name, with what it usually means where that is known."""
    came = signal.Signals(number)
    return f"{came.name}, {_FAULTS[came]}" if came in _FAULTS else came.name


def _subject(number: int) -> str:
    """Return the function that was told under a number."""
    return (
        page[number * _SLOT_BYTES : (number + 1) * _SLOT_BYTES].rstrip(b"\0").decode(errors="replace") if number else ""
    )


def _die(number: int) -> NoReturn:
    """End by a signal, as the child did."""
    signal.signal(number, signal.SIG_DFL) if number != signal.SIGKILL else None
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
    os.kill(os.getpid(), number)
    os._exit(128 + number)
