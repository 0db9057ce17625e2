"""Bugs and kernels that the checker was not written beside: a fixed part of what `benchmarks/strangers.py` runs.

The whole table took minutes on a busy machine; its results are committed. Here every third file, and of its bugs every
second one (`HOTLOOP_TESTS=whole`) or every fourth one, so that each kind of kernel and each kind of input is met.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest
import strata

from hotloop.app import session
from hotloop.app.desk import Desk
from hotloop.errors import MachineError

ROOT = Path(__file__).parents[2]
FILES = sorted((Path(__file__).parent / "strangers").glob("*.py"))
KNOWN_MISSES = {
    ("histogram8", "local counts in 16 bits when added"),
    ("rowscan", "no barrier before the next tile"),
    ("rowscan", "sums in float"),
    ("yuv", "sums in 16 signed bits"),
}
"""Told in results/checker-2026-11: sizes that nobody asks for, a race that a CPU does not show, ranges that the file never draws."""


KNOWN_ALARMS: set[str] = set()
"""Refused though right, told in results/checker-2026-11."""


def strangers():
    spec = importlib.util.spec_from_file_location("strangers", ROOT / "benchmarks" / "strangers.py")
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules["strangers"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    try:
        with session.desk(session.Options(limit_s=30)) as opened:
            yield opened
    except MachineError as reason:
        pytest.skip(f"no OpenCL runtime: {reason}")


def test_there_are_enough_of_them():
    texts = [file.read_text() for file in FILES]
    assert len(FILES) >= 25
    assert sum(text.count('\n    ("') for text in texts) >= 150
    assert sum(text.count("hl.OpenCL(") for text in texts) >= 50


@pytest.mark.parametrize("file", FILES[::3], ids=lambda file: file.stem)
def test_bugs_are_caught_and_clean_kernels_pass(desk, file):
    only = range(0, 8, 2) if strata.WHOLE else range(FILES.index(file) // 3 % 2 * 2, 8, 4)
    found = list(strangers().rows(desk, file, only=only))
    alarms = {row.file for row in found if not row.bug and row.caught}
    assert alarms <= KNOWN_ALARMS, [row.reason for row in found if not row.bug and row.caught]
    missed = {(row.file, row.bug) for row in found if row.bug and not row.caught}
    assert missed <= KNOWN_MISSES
