"""Tables of times by name, of whatever tool: read when no format of a tool recognises a file.

Such a table tells which kernel takes the time and nothing of why; so it is enough to know its columns, and one reader serves
tools that hotloop has no other for.
"""

from __future__ import annotations

from hotloop.profilers.format import Format, Reader
from hotloop.profilers.source import Head
from hotloop.profilers.tables.timed import found


def _is_timed(head: Head) -> bool:
    return found(head.text) is not None


FORMATS = (Format("table of times", _is_timed, Reader("formats.times.table"), general=True),)
