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
        finally:
            interrupt.hold()
    except KeyboardInterrupt:  # between two places that expect it
        interrupt.hold()
        from hotloop.host import guardian

        guardian.ending(interrupt.CODE)
        raise SystemExit(interrupt.CODE) from None
