"""Thread traces (ATT) of rocprofv3 as its decoder writes them, and PC samples in the same layout."""

from __future__ import annotations

import re

from hotloop.profilers.format import Format, Reader, has_columns
from hotloop.profilers.source import Head

_CODE = re.compile(r'\A\ufeff?\s*\{\s*"(?:code"\s*:\s*\[|header"\s*:\s*["\[]\s*"?ISA)')
_WAVE = re.compile(r'"wave"\s*:\s*\{|"instructions"\s*:\s*\[')
_OCCUPANCY = re.compile(r'\A\ufeff?\s*\{\s*(?:"dispatches"\s*:|"[0-9]{1,3}"\s*:\s*\[\s*(?:\[\s*[0-9]+\s*,|\]))')


def _is_wave(head: Head) -> bool:
    return head.text.lstrip("\ufeff \t\r\n").startswith("{") and len(_WAVE.findall(head.text)) > 1


def _is_manifest(head: Head) -> bool:
    return head.text.lstrip("\ufeff \t\r\n").startswith("{") and '"wave_filenames"' in head.text


def _is_folder(head: Head) -> bool:
    return "code.json" in head.entries


FORMATS = (
    Format("thread trace folder", _is_folder, Reader("formats.att.folder")),
    Format(
        "thread trace statistics CSV",
        has_columns("CodeObj", "Vaddr", "Instruction", "Hitcount"),
        Reader("formats.att.stats"),
    ),
    Format("thread trace file list JSON", _is_manifest, Reader("formats.att.folder", "read_manifest")),
    Format("thread trace code JSON", lambda head: _CODE.match(head.text) is not None, Reader("formats.att.code")),
    Format("thread trace wave JSON", _is_wave, Reader("formats.att.waves")),
    Format(
        "thread trace occupancy JSON",
        lambda head: _OCCUPANCY.match(head.text) is not None,
        Reader("formats.att.occupancy"),
    ),
)
