"""Nsight Compute's report files (``.ncu-rep``), through the Python module that comes with Nsight Compute."""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from hotloop.errors import HotloopError, MissingExtraError
from hotloop.profilers.formats.ncu.number import number, scale
from hotloop.profilers.formats.ncu.text import Page, dispatch, is_attribute, profile
from hotloop.profilers.source import named
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import DeviceFact, Dispatch, Profile

FORM = "report file"
_MODULE = "ncu_report"
_INSTALLED = (
    ("/opt/nvidia/nsight-compute", "*/extras/python"),
    ("/usr/local", "cuda*/nsight-compute*/extras/python"),
    ("/usr/local", "cuda*/extras/python"),
)
"""Folders in which NVIDIA's installers put the module; the newest version sorts last."""
_ATTRIBUTE = "device__attribute_"


class MissingReportReaderError(MissingExtraError):
    """NVIDIA's module ``ncu_report`` is not importable."""

    def __init__(self, path: Path) -> None:
        HotloopError.__init__(
            self,
            f"{named(path)} is a report file, which needs NVIDIA's Python module ncu_report: 'pip install ncu-report', or put Nsight "
            "Compute's folder extras/python on PYTHONPATH, or write a table with 'ncu --import FILE --csv --page raw'.",
        )


def read(path: Path) -> Profile:
    """Return the launches of a report file, values in base units.

    Raises:
        MissingReportReaderError: ``ncu_report`` is not importable.
        ProfileError: the module cannot read the file.
    """
    reader = _module(path)
    try:
        ranges = list(reader.load_report(str(path)))
    except Exception as error:  # the module documents no exception of its own
        raise ProfileError(
            f"{named(path)} cannot be read by ncu_report ({type(error).__name__}): write it again."
        ) from error
    page, capabilities, facts = Page(path), set[str](), dict[DeviceFact, None]()
    launches = (_launch(action, i, capabilities, facts) for i, action in enumerate(a for r in ranges for a in r))
    return profile(page, FORM, launches, capabilities, facts)


def _module(path: Path) -> ModuleType:
    """Return NVIDIA's module: importable as it is, or from the folder of an installed Nsight Compute."""
    try:
        return importlib.import_module(_MODULE)
    except ImportError as error:
        for folder in _folders():
            sys.path.append(str(folder))
            try:
                return importlib.import_module(_MODULE)
            except ImportError:  # made for another Python
                sys.path.remove(str(folder))
        raise MissingReportReaderError(path) from error


def _folders() -> Iterator[Path]:
    """Yield folders with the module: beside the ncu that would run first, then others, newest first."""
    program = shutil.which("ncu")
    beside = [parent / "extras" / "python" for parent in Path(program).resolve().parents] if program else []
    others = [folder for root, pattern in _INSTALLED for folder in sorted(Path(root).glob(pattern), reverse=True)]
    yield from (folder for folder in dict.fromkeys((*beside, *others)) if (folder / f"{_MODULE}.py").is_file())


def _launch(action: Any, index: int, capabilities: set[str], facts: dict[DeviceFact, None]) -> Dispatch:  # noqa: ANN401 - theirs
    counters: dict[str, float] = {}
    values: dict[str, str] = {}
    for name, unit, value in _metrics(action):
        if is_attribute(name):
            values[name.removeprefix(_ATTRIBUTE)] = str(value)
        elif isinstance(value, int | float):
            counters[name] = float(value) * scale(unit)
        elif (parsed := number(str(value))) is not None:
            counters[name] = parsed * scale(unit)
    capabilities.add(
        ".".join(values[n] for n in ("compute_capability_major", "compute_capability_minor") if n in values)
    )
    facts |= dict.fromkeys(DeviceFact("", name, value) for name, value in values.items())
    cells = {"ID": str(index), "Kernel Name": str(action.name())}
    for title, kind in (("Block Size", "block"), ("Grid Size", "grid")):
        sizes = [counters.get(f"launch__{kind}_dim_{axis}") for axis in "xyz"]
        cells[title] = ", ".join(str(int(size)) for size in sizes if size is not None)
    return dispatch(cells, counters)


def _metrics(action: Any) -> Iterator[tuple[str, str, object]]:  # noqa: ANN401 - theirs
    for name in action.metric_names():
        metric = action[name]
        value = metric.value() if metric is not None else None
        if value is not None:
            yield name, metric.unit() or "", value
