"""LIKWID: what ``likwid-perfctr`` prints of regions of a program, or writes as CSV (``-O``)."""

from __future__ import annotations

import re

from hotloop.profilers.format import Format, Reader
from hotloop.profilers.source import Head

_TABLE = re.compile(
    r"^\|\s+(?:Event\s+\|\s+Counter|Metric)\s+\|\s+(?:HWThread|Core|Sum|CPU) ?|^TABLE,(?:Region [^,\n]*,)?Group \d+ (?:Raw|Metric)",
    re.MULTILINE,
)


def _is_regions(head: Head) -> bool:
    return _TABLE.search(head.text) is not None


FORMATS = (Format("likwid-perfctr", _is_regions, Reader("formats.likwid.regions")),)
