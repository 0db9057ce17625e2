"""nvprof, NVIDIA's profiler before Nsight: summaries of times and tables of metrics, as text or CSV."""

from __future__ import annotations

import re

from hotloop.profilers.format import Format, Reader, has_text

TIMES = re.compile(
    r'^\s*(?:"?Type"?[,\s]\s*)?"?Time\(%\)"?[,\s]\s*"?Time"?[,\s]\s*"?Calls"?[,\s]\s*"?Avg"?[,\s]', re.MULTILINE
)
METRICS = re.compile(r'^\s*(?:"?Device"?,"?Kernel"?,)?"?Invocations"?[,\s]\s*"?(?:Metric|Event) Name"?', re.MULTILINE)


_ACTIVITY = re.compile(r"^\s*GPU activities:\s+[0-9.]+%\s+[0-9.]+[mun]?s\s+[0-9]+\s", re.MULTILINE)
"""A summary whose head was left out."""


LAUNCHES = re.compile(
    r'^\s*Start\s+Duration\s+Grid Size\s+Block Size\s+Regs\*|^"?Start"?,"?Duration"?,"?Grid X"?,', re.MULTILINE
)
"""Head of ``--print-gpu-trace``, as text or separated by commas."""


FORMATS = (
    Format("nvprof GPU trace", has_text(LAUNCHES), Reader("formats.nvprof.launches")),
    Format("nvprof metrics", has_text(METRICS), Reader("formats.nvprof.metrics")),
    Format("nvprof summary", has_text(TIMES, _ACTIVITY), Reader("formats.nvprof.times")),
)
