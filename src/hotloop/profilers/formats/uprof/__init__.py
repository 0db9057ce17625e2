"""AMD uProf: what ``AMDuProfPcm`` writes as CSV, of a time or cumulated."""

from __future__ import annotations

import re

from hotloop.profilers.format import Format, Reader
from hotloop.profilers.source import Head

_CUMULATED = re.compile(r"^Metric,(?:System \(Aggregated\)|Package|Core|CCX)", re.MULTILINE)
_RATE = re.compile(
    r"^(?:(?:IPC|CPI) \((?:Sys \+ User|User)\)|(?:Retiring|Backend_Bound)(?: \(%\))?|Total Mem Bw \(GB/s\)),[0-9]",
    re.MULTILINE,
)
_SERIES = re.compile(r"^(?:[^\n]*,)?\"?Utilization ?\(%\)\"?,[^\n]*\"?(?:IPC|CPI) \(Sys \+ User\)\"?,", re.MULTILINE)


def _is_pcm(head: Head) -> bool:
    return _SERIES.search(head.text) is not None or bool(_CUMULATED.search(head.text) and _RATE.search(head.text))


FORMATS = (Format("AMD uProf PCM CSV", _is_pcm, Reader("formats.uprof.pcm")),)
