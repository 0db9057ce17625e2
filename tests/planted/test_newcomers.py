"""Bugs in kernels of kinds that the checker had not met, written after its guards had been settled: a fixed part of them.

All of them are run by `python benchmarks/strangers.py --folder newcomers`; its results are committed.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import strata

from hotloop.app import session
from hotloop.app.desk import Desk
from hotloop.errors import MachineError

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).parent / "newcomers"
PART = {
    "besides": (1, 3), "kuwahara": (6,),
    "pathfinder": (1, 4), "maxmin": (2, 4, 5), "rowflags": (5, 7), "laplace": (), "quads": (0,), "utf8": (5,), "affine": (3,), "viterbi": (5,), "components": (3, 5),
    "int4": (4,), "sparse24": (0,), "runlength": (0,), "bloom": (0,), "warping": (2, 3), "bsrmm": (2, 3), "needle": (1,), "magic": (2,), "rank": (3,), "ffill": (5,), "varint": (1,), "cdf": (3,),
    "itoa": (1,), "suffixes": (), "critical": (), "bachelier": (), "hilbert": (3,), "groupnorm": (2,), "fp8enc": (6,), "brackets": (1,), "cubemap": (0,), "listrank": (0,), "lsemerge": (0, 3),
    "cobs": (2,), "day360": (4,),
}  # fmt: skip
"""Bugs of each: of reading a byte or rows beyond an array, of missing barriers between items that make a vector, of rows of special values;
of words and widths; what was never set; a sum that cancels, of whose errors the file says nothing; arithmetic that overflows, which the compiler hides; and a
size that is an exponent, where results no longer fit. Indices in 16 bits are left to the benchmark: whether
sizes are reached at which they matter depends on how busy the machine is."""


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    try:
        with session.desk(session.Options(limit_s=30)) as opened:
            yield opened
    except MachineError as reason:
        pytest.skip(f"no OpenCL runtime: {reason}")


def rows(desk: Desk, name: str, only: tuple[int, ...]):
    spec = importlib.util.spec_from_file_location("strangers", ROOT / "benchmarks" / "strangers.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["strangers"] = module
    spec.loader.exec_module(module)
    return list(module.rows(desk, FOLDER / f"{name}.py", only=only))


def bugs(file: Path) -> list[tuple[str, ...]]:
    """Return the table with which a file ends: of each bug the implementation, the kind and more."""
    return ast.literal_eval(ast.parse(file.read_text(encoding="utf-8")).body[-1].value)


def test_there_are_enough_of_them():
    every = [bugs(file) for file in FOLDER.glob("*.py")]
    assert len(every) >= 25
    assert sum(map(len, every)) >= 150


def kind(bug: tuple[str, int]) -> str:
    name, index = bug
    return bugs(FOLDER / f"{name}.py")[index][1]


OF_EACH_KIND = strata.part([(name, index) for name, indices in PART.items() for index in indices], kind)
HERE = {name: tuple(index for other, index in OF_EACH_KIND if other == name) for name in PART}
"""A bug of every kind that is in the list above, and of the files those that have one, or none at all."""


def test_a_bug_of_every_kind_is_run():
    assert {kind(bug) for bug in OF_EACH_KIND} == {kind((name, index)) for name in PART for index in PART[name]}
    assert len({name for name, index in OF_EACH_KIND}) >= 15


@pytest.mark.parametrize("name", [name for name in PART if HERE[name] or not PART[name]])
def test_bugs_are_caught_and_clean_kernels_pass(desk, name):
    found = rows(desk, name, HERE[name])
    assert [row.reason for row in found if not row.bug and row.caught] == []
    assert [row.bug for row in found if row.bug and not row.caught] == []
