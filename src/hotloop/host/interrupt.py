"""Ctrl-C while Python imports the command line, and when everything has been said: the process ends, without an exception.

A KeyboardInterrupt that is raised amid an import may be printed and forgotten by the import system, or come out as another
error; one that is raised while the interpreter shuts down is always printed. Nothing is at work in either case, so ending
at once loses nothing.
"""

from __future__ import annotations

import os
import signal

TYPE_CHECKING = False  # typing would be most of the time in which nobody listens yet
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

CODE = 130
"""Exit code after Ctrl-C, by the shells' convention."""
_TOLD = b"\nstopped.\n"


def hold() -> None:
    """End the process at once when Ctrl-C comes; a process that was started to ignore it goes on ignoring it."""
    if callable(signal.getsignal(signal.SIGINT)):  # SIG_IGN and SIG_DFL are numbers
        signal.signal(signal.SIGINT, _end)


def release() -> None:
    """Raise KeyboardInterrupt again when Ctrl-C comes, where `hold` was called before."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(_number: int, _frame: FrameType | None) -> NoReturn:
    try:  # noqa: SIM105 - contextlib is not loaded yet
        os.write(2, _TOLD)
    except OSError:  # standard error is closed
        pass
    os._exit(CODE)
