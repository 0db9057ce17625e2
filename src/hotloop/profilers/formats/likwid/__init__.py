"""LIKWID: what ``likwid-perfctr`` prints of regions of a program, or writes as CSV (``-O``)."""

from __future__ import annotations

import re

from hotloop.profilers.format import Format, Reader, has_text

_TABLE = re.compile(
    r"^\|\s+(?:Event\s+\|\s+Counter|Metric)\s+\|\s+(?:HWThread|Core|Sum|CPU) ?|^TABLE,(?:Region [^,\n]*,)?Group \d+ (?:Raw|Metric)",
    re.MULTILINE,
)


FORMATS = (Format("likwid-perfctr", has_text(_TABLE), Reader("formats.likwid.regions")),)
