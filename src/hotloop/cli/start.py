"""Where a ``hotloop`` process begins: from here on, Ctrl-C is one sentence and exit code 130.

Only for a process of its own, as importing it changes what Ctrl-C does. What comes before, the interpreter and its site, is
Python's.
"""

from __future__ import annotations

try:
    from hotloop.host import interrupt

    interrupt.hold()
except KeyboardInterrupt:
    raise SystemExit(130) from None


def main() -> None:
    """Run the command line and exit with its code."""
    try:
        from hotloop.cli.main import main as command_line

        try:
            command_line()
        except SystemExit as leave:
            _end(leave.code)
            raise
        finally:
            interrupt.hold()
    except KeyboardInterrupt:  # between two places that expect it
        interrupt.hold()
        from hotloop.host import guardian

        guardian.ending(interrupt.CODE)
        raise SystemExit(interrupt.CODE) from None


_PATIENCE_S = 5.0
"""How long threads that are left may still work: one that a kernel file started may never end."""


def _leave(code: int) -> None:
    """End the process although threads go on. Everything was written before they were waited for."""
    import os
    import sys
    import time

    time.sleep(_PATIENCE_S)
    try:
        sys.stderr.write("hotloop: a thread, which a kernel file may have started, did not end; it is left behind.\n")
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    finally:
        os._exit(code)


def _end(code: object) -> None:
    """End the process when everything is closed and written: to take its modules apart costs Python a third of what a short command computes.

    Returns where Python has to wait for threads, or where it shall say that nobody reads what is left to write.
    """
    import atexit
    import os
    import sys
    import threading

    interrupt.hold()
    waited = (thread for thread in threading.enumerate() if not thread.daemon)
    if not isinstance(code, int):
        return
    if any(thread is not threading.main_thread() for thread in waited):
        threading.Thread(target=_leave, args=(code,), daemon=True).start()
        return
    atexit._run_exitfuncs()  # noqa: SLF001 - what Python itself would do next, and has no other name for
    try:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    except (OSError, ValueError):
        return
    os._exit(code)
