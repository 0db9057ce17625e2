"""What this process does when it is asked to end, by `kill`, `timeout`, or the end of its terminal."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def to_end(do: Callable[[signal.Signals], object]) -> Iterator[None]:
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
