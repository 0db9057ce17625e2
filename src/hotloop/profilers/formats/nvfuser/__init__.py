"""nvFuser: the table of kernels that its profiler prints (``NVFUSER_PROF=print``)."""

from __future__ import annotations

import re

from hotloop.profilers.format import Format, Reader, has_text

HEAD = re.compile(r"^\s*Fus#\s.*\bS-KerName\s+S-KerTm\(ms\)", re.MULTILINE)


FORMATS = (Format("nvFuser's table", has_text(HEAD), Reader("formats.nvfuser.table")),)
