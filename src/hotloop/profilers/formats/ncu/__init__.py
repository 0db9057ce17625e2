"""NVIDIA Nsight Compute: CSV pages ``raw`` and ``details``, the default page, and report files."""

from __future__ import annotations

import re
from pathlib import Path

from hotloop.profilers.format import Format, Reader, has_text
from hotloop.profilers.source import Head
from hotloop.profiles.profile import Profile

_HEADER = re.compile(
    r'^(?:"?(?:Process )?ID"?[,;](?:"?[A-Z][A-Za-z ]*"?[,;])*?)?"?Kernel Name"?[,;][^\n]{0,300}', re.MULTILINE
)
"""Columns that people cut away may be missing, up to the kernel's name; spreadsheets of some languages part them by semicolons."""
_MESSAGE = re.compile(r"^==(?:PROF|WARNING|ERROR)== ", re.MULTILINE)
_METRIC = re.compile(
    r'"?Metric Name"?[,;](?:"?Metric Unit"?[,;])?"?(?:Metric Value|Minimum"?[,;]"?Maximum"?[,;]"?Average)"?'
)
"""Columns of the page of metrics by name; people and scripts that copy it leave units away or put them last."""
_BARE = re.compile(r'^"?Metric Name"?([,;])"?Metric Unit"?\1"?Metric Value"?\s*$', re.MULTILINE)
"""A table of metrics without the columns that name the launch."""
_LONE = re.compile(r'^"?Kernel Name"?[,;](?!"?[\w.]*__|"?Metric Name"?[,;])')


def _is_details(head: Head) -> bool:
    header = _HEADER.search(head.text)
    if header is None:
        return _BARE.search(head.text) is not None
    return _METRIC.search(header[0]) is not None


def _is_raw(head: Head) -> bool:
    header = _HEADER.search(head.text)
    return header is not None and not _METRIC.search(header[0]) and not _LONE.match(header[0])


def _is_report(head: Head) -> bool:
    return head.raw.startswith(b"NVR\0")


def _is_console(head: Head) -> bool:
    return _MESSAGE.search(head.text) is not None and "ERR_NVGPUCTRPERM" not in head.text


_SOURCE = re.compile(
    r'^(?:"?#"?,|"?Line No"?,"?Source"?,)?"?Address"?,"?Source"?,[^\n]*"?(?:Warp Stall Sampling \(All Samples\)|# Samples)"?,',
    re.MULTILINE,
)


_TABLE = re.compile(
    r"^[ \t]*-{3,}(?:[ \t]+-{3,}){1,2}[ \t]*\n[ \t]*Metric Name[ \t]+(?:Metric Unit[ \t]+)?Metric Value[ \t]*$",
    re.MULTILINE,
)
"""The head of a table whose section's title was left out."""
_PRINTED = re.compile(
    r"^\s*Section: \S.*\n\s*(?:-{3,}(?:[ \t]+-{3,})+\s*\n\s*\S|-{20,}[ \t]*\n\s*\S.*?\s{2,}[0-9][0-9.,]*(?:\s|$)"
    r"|(?:SOL DRAM|(?:Memory|SM|DRAM) \[%\]|(?:Memory|DRAM|Compute \(SM\)) Throughput|(?:DRAM|SM) Frequency)\s{2,}\S+\s{2,}[0-9][0-9.,]*\s)",
    re.MULTILINE,
)
"""A table under a section's title; before 2022.2 it has no header, the ruler of one that was drawn again has no gaps, and people leave it away."""


def _console(path: Path) -> Profile:
    from hotloop.profilers.formats.ncu.text import no_table

    raise no_table(path)


FORMATS = (
    Format("ncu source CSV", has_text(_SOURCE), Reader("formats.ncu.sampled")),
    Format("ncu details CSV", _is_details, Reader("formats.ncu.details")),
    Format("ncu raw CSV", _is_raw, Reader("formats.ncu.raw")),
    Format("ncu report", _is_report, Reader("formats.ncu.report")),
    Format("ncu default page", has_text(_PRINTED, _TABLE), Reader("formats.ncu.printed")),
    Format("ncu console output", _is_console, _console),
)
