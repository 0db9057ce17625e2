"""Traces of PyTorch's profiler (Kineto), and of XLA's (JAX, TensorFlow), in the format of Chrome's trace viewer."""

from __future__ import annotations

import re

from hotloop.profilers.format import Format, Reader, has_text
from hotloop.profilers.source import Head

_EVENT = re.compile(
    r'"cat"\s*:\s*"(?:[Kk]ernel|cpu_op|gpu_memcpy|gpu_memset|Memcpy|Memset|(?:cuda|hip)_runtime|cuda_driver)"'
)


_XLA = re.compile(r'"kernel_details"\s*:|"name"\s*:\s*"/device:GPU:')
"""A kernel, or a device, in a trace that JAX or TensorFlow wrote through XLA."""


def _is_trace(head: Head) -> bool:
    text = head.text
    if '"deviceProperties"' in text[:20_000] and '"traceEvents"' in text:
        return True
    return text.lstrip("\ufeff \t\r\n")[:1] in {"{", "["} and (
        _EVENT.search(text) is not None or _XLA.search(text) is not None
    )


HEAD = re.compile(
    r"^\s*Name\s{2,}Self CPU(?: total)? %\s{2,}Self CPU(?: total)?\s{2,}.*?(?:# of|Number of) Calls", re.MULTILINE
)
"""Head of what ``key_averages().table()`` prints; until PyTorch 1.6 with ``total`` and ``Number of Calls``."""


FORMATS = (
    Format("table of PyTorch's profiler", has_text(HEAD), Reader("formats.kineto.printed")),
    Format("trace of PyTorch's profiler", _is_trace, Reader("formats.kineto.trace")),
)
