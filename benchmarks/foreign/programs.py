"""Tables of published programs: what can be asked of all benchmarks that go through one, and what they are worth together."""

from __future__ import annotations

import argparse
import tomllib
from pathlib import Path
from statistics import geometric_mean
from typing import Any

Row = dict[str, Any]
"""What a table or an answer in JSON holds."""


def parser() -> argparse.ArgumentParser:
    """Return a parser of the options that name programs and the file of results."""
    asked = argparse.ArgumentParser()
    asked.add_argument("folder", type=Path)
    asked.add_argument("--table", type=Path, default=Path(__file__).with_name("polybench.toml"))
    asked.add_argument("--only", default="", help="names, separated by commas")
    asked.add_argument("--out", type=Path)
    return asked


def chosen(given: argparse.Namespace) -> dict[str, Row]:
    """Return the entries that are asked for, each with the path of its source."""
    table = tomllib.loads(given.table.read_text())
    names = given.only.split(",") if given.only else list(table)
    return {name: {**table[name], "source": given.folder / table[name].get("file", f"{name}.cl")} for name in names}


def mean(ratios: list[float]) -> float:
    """Return the geometric mean."""
    return geometric_mean(ratios) if ratios else float("nan")
