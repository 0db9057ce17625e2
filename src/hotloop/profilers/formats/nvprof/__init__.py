"""nvprof, NVIDIA's profiler before Nsight: summaries of times and tables of metrics, as text or CSV."""

from __future__ import annotations

import re

from hotloop.profilers.format import Format, Reader
from hotloop.profilers.source import Head

TIMES = re.compile(
    r'^\s*(?:"?Type"?[,\s]\s*)?"?Time\(%\)"?[,\s]\s*"?Time"?[,\s]\s*"?Calls"?[,\s]\s*"?Avg"?[,\s]', re.MULTILINE
)
METRICS = re.compile(r'^\s*(?:"?Device"?,"?Kernel"?,)?"?Invocations"?[,\s]\s*"?(?:Metric|Event) Name"?', re.MULTILINE)


_ACTIVITY = re.compile(r"^\s*GPU activities:\s+[0-9.]+%\s+[0-9.]+[mun]?s\s+[0-9]+\s", re.MULTILINE)
"""A summary whose head was left out."""


def _is_times(head: Head) -> bool:
    return TIMES.search(head.text) is not None or _ACTIVITY.search(head.text) is not None


LAUNCHES = re.compile(
    r'^\s*Start\s+Duration\s+Grid Size\s+Block Size\s+Regs\*|^"?Start"?,"?Duration"?,"?Grid X"?,', re.MULTILINE
)
"""Head of ``--print-gpu-trace``, as text or separated by commas."""


def _is_launches(head: Head) -> bool:
    return LAUNCHES.search(head.text) is not None


def _is_metrics(head: Head) -> bool:
    return METRICS.search(head.text) is not None


FORMATS = (
    Format("nvprof GPU trace", _is_launches, Reader("formats.nvprof.launches")),
    Format("nvprof metrics", _is_metrics, Reader("formats.nvprof.metrics")),
    Format("nvprof summary", _is_times, Reader("formats.nvprof.times")),
)
