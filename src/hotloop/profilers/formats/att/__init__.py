"""Thread traces (ATT) of rocprofv3 as its decoder writes them, and PC samples in the same layout."""

from __future__ import annotations

import re
from pathlib import Path

from hotloop.profilers.format import Format, has_columns
from hotloop.profilers.source import Head
from hotloop.profiles.profile import Profile

_CODE = re.compile(r'\A\ufeff?\s*\{\s*"(?:code"\s*:\s*\[|header"\s*:\s*["\[]\s*"?ISA)')
_WAVE = re.compile(r'"wave"\s*:\s*\{|"instructions"\s*:\s*\[')
_OCCUPANCY = re.compile(r'\A\ufeff?\s*\{\s*(?:"dispatches"\s*:|"[0-9]{1,3}"\s*:\s*\[\s*(?:\[\s*[0-9]+\s*,|\]))')


def _stats(path: Path) -> Profile:
    from hotloop.profilers.formats.att.stats import read

    return read(path)


def _code(path: Path) -> Profile:
    from hotloop.profilers.formats.att.code import read

    return read(path)


def _folder(path: Path) -> Profile:
    from hotloop.profilers.formats.att.folder import read

    return read(path)


def _manifest(path: Path) -> Profile:
    from hotloop.profilers.formats.att.folder import read_manifest

    return read_manifest(path)


def _wave(path: Path) -> Profile:
    from hotloop.profilers.formats.att.waves import read

    return read(path)


def _occupancy(path: Path) -> Profile:
    from hotloop.profilers.formats.att.occupancy import read

    return read(path)


def _is_wave(head: Head) -> bool:
    return head.text.lstrip("\ufeff \t\r\n").startswith("{") and len(_WAVE.findall(head.text)) > 1


def _is_manifest(head: Head) -> bool:
    return head.text.lstrip("\ufeff \t\r\n").startswith("{") and '"wave_filenames"' in head.text


def _is_folder(head: Head) -> bool:
    return "code.json" in head.entries


FORMATS = (
    Format("thread trace folder", _is_folder, _folder),
    Format("thread trace statistics CSV", has_columns("CodeObj", "Vaddr", "Instruction", "Hitcount"), _stats),
    Format("thread trace file list JSON", _is_manifest, _manifest),
    Format("thread trace code JSON", lambda head: _CODE.match(head.text) is not None, _code),
    Format("thread trace wave JSON", _is_wave, _wave),
    Format("thread trace occupancy JSON", lambda head: _OCCUPANCY.match(head.text) is not None, _occupancy),
)
