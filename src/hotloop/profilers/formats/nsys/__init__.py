"""NVIDIA Nsight Systems: the reports of ``nsys stats``, as text or CSV, and exported databases."""

from __future__ import annotations

import re

from hotloop.profilers.format import Format, Reader, has_text
from hotloop.profilers.source import Head
from hotloop.profilers.sqlitefile import holds

HEADER = re.compile(
    r'^\s*"?Time ?\(%\)"?[,\s]\s*"?Total Time(?: \(\w+\))?"?[,\s]\s*"?(?:Instances|Num Calls|Calls|Count|Operations)"?[,\s]', re.MULTILINE
)  # fmt: skip
"""Columns of all its summaries: kernels have instances, functions calls, copies a count."""


_TRACED = re.compile(
    r'^"?Start(?: \(\w+\))?"?,"?Duration(?: \(\w+\))?"?,"?CorrId"?,"?GrdX"?,|^API Start[^\n]*,Kernel Dur(?: \(\w+\))?,[^\n]*,GridXYZ,'
)


def _is_trace(head: Head) -> bool:
    return _TRACED.match(",".join(head.header)) is not None


_RECORDS = re.compile(r"CUPTI_ACTIVITY_KIND_(?:CONCURRENT_)?KERNEL")


def _is_database(head: Head) -> bool:
    return holds(head, _RECORDS)


FORMATS = (
    Format("nsys records SQLite", _is_database, Reader("formats.nsys.database")),
    Format("nsys stats", has_text(HEADER), Reader("formats.nsys.stats")),
    Format("nsys GPU trace CSV", _is_trace, Reader("formats.nsys.launches")),
)
