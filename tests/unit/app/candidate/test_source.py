from __future__ import annotations

import pytest

from hotloop.app.candidate.source import Recipe, candidate, number, numbers
from hotloop.errors import UsageError
from hotloop.model.problem import Problem
from hotloop.model.record import Record

PROBLEM = Problem("k", Record(n=1000, rows=7, dtype="float32"))


def test_geometry_is_arithmetic_on_sizes():
    assert numbers("--items", "up(n, 64), max(rows, 8) * 2", PROBLEM) == (1024, 16)
    assert number("--define", "n // 4 % 100 - 1", PROBLEM) == 49


@pytest.mark.parametrize(
    "text",
    ["", "n.real", "__import__('os')", "open('/etc/passwd')", "n ** 99", "lambda: 1", "m", "n / 2", "1.5", "dtype", "True",
     "up(n)", "up(n, 0)", "(" * 400, "[n][0]", "n if n else 1", "9999999999999999999 * n", "min(n, *[1])"],
)  # fmt: skip
def test_and_nothing_else(text):
    with pytest.raises((UsageError, ValueError)):
        numbers("--items", text, PROBLEM)


@pytest.mark.parametrize(
    ("options", "macros"),
    [(("-I/etc",), ()), (("-DA=1 -include /etc/passwd",), ()), (("-w\t-idirafter /etc",), ()), (("-Xclang -load",), ()), ((), ("A=1 -include x.h",))],
)  # fmt: skip
def test_no_option_reaches_other_files(tmp_path, options, macros):
    """OpenCL takes all options as one text, so that one with a blank in it was two, and the second was not looked at."""
    file = tmp_path / "k.cl"
    file.write_text("")
    recipe = Recipe(file=file, entry="k", items="n", macros=macros, options=options)
    with pytest.raises(UsageError, match="read or write other files"):
        candidate(recipe, None, "opencl")
