"""What ``hotloop emulate --trace`` wrote: executions, cache lines and bank conflicts of every instruction, and no times."""

from __future__ import annotations

from hotloop.profilers.format import Format, Reader
from hotloop.profilers.source import Head

MARK = "hotloop-emulation 1"
"""First words of a file of counts, by which it is recognised."""


def _is_trace(head: Head) -> bool:
    return head.text.lstrip().startswith("{") and f'"{MARK}"' in head.text[:200]


FORMATS = (Format("hotloop emulate --trace", _is_trace, Reader("formats.emulated.counts")),)
