"""Compile kernels of published packages for GPUs that are not here, and write down what their code says.

    pip download --no-deps -d wheels liger-kernel==0.8.5 fla-core==0.6.0 conch-triton-kernels==1.3 flag-gems==5.0.2
    for wheel in wheels/*.whl; do unzip -qo $wheel -d site; done
    python benchmarks/published.py site --kept kept --targets gfx942,sm_90 --write docs/isa/published.md

The list is benchmarks/published.toml. Compiled kernels are kept outside of the project, so a second run only reads them again.
"""

from __future__ import annotations

import argparse
import pickle
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hotloop.app.code.analysis import bare
from hotloop.app.code.compiled import listed
from hotloop.app.code.offline import compile_offline
from hotloop.compilers.offer import Compiled
from hotloop.diagnose.code import Launched, judged
from hotloop.errors import HotloopError
from hotloop.isa.summary.model import KernelReport
from hotloop.units import percent

LIST = Path(__file__).with_name("published.toml")
LARGEST = 1_200
"""Instructions of a kernel that is analysed here: more take minutes and are listed as left out."""


@dataclass(frozen=True)
class Row:
    """One kernel on one target."""

    package: str
    kernel: str
    target: str
    said: str
    rule: str
    hazards: int


def main() -> None:
    """Read the command line, compile what is not kept, write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", type=Path, help="folder with the unpacked packages")
    parser.add_argument("--kept", type=Path, required=True, help="folder for compiled kernels")
    parser.add_argument("--targets", default="gfx942,sm_90")
    parser.add_argument("--write", type=Path, help="Markdown file for the table")
    given = parser.parse_args()
    given.kept.mkdir(parents=True, exist_ok=True)
    entries = tomllib.loads(LIST.read_text())["kernels"]
    rows = [
        row
        for entry in entries
        for target in given.targets.split(",")
        for row in _rows(entry, target, given.site, given.kept)
    ]
    text = _page(rows)
    if given.write:
        given.write.write_text(text)
    print(text if not given.write else f"{len(rows)} rows")


def _rows(entry: dict[str, Any], target: str, site: Path, kept: Path) -> list[Row]:
    name = entry["package"].partition("==")[0]
    path = kept / f"{name}__{entry['kernel']}__{target}.pkl"
    if not path.is_file():
        try:
            made = compile_offline(f"{site / entry['file']}:{entry['kernel']}", target, parameters=entry["parameters"])
        except HotloopError as error:
            return [Row(entry["package"], entry["kernel"], target, f"does not compile: {error}"[:120], "", 0)]
        if not isinstance(made, Compiled):
            reason = type(made).__name__ if not (log := getattr(made, "log", "")) else log.partition("\n")[0]
            return [Row(entry["package"], entry["kernel"], target, f"does not compile: {reason}"[:120], "", 0)]
        path.write_bytes(pickle.dumps(made))
    made = pickle.loads(path.read_bytes())
    return [_row(entry, target, item) for item in listed(made, entry["kernel"])]


def _row(entry: dict[str, Any], target: str, item: Any) -> Row:
    if len(item.function.instructions) > LARGEST:
        reason = f"left out: {len(item.function.instructions)} instructions"
        return Row(entry["package"], entry["kernel"], target, reason, "", 0)
    report = judged(bare(item), Launched())
    top = report.findings[0] if report.findings else None
    return Row(
        entry["package"], entry["kernel"], target, _said(report), top.rule if top else "none", len(report.hazards)
    )


def _said(report: KernelReport) -> str:
    top = report.findings[0] if report.findings else None
    if top is None:
        return "no finding"
    return f"{percent(top.share)} {top.message}"


def _page(rows: list[Row]) -> str:
    judged_rows = [row for row in rows if row.rule]
    counts = Counter(row.rule for row in judged_rows)
    lines = [
        "# Kernels of published packages and what their code says",
        "",
        (
            f"Written by `benchmarks/published.py`: {len(rows)} listings of {len({(r.package, r.kernel) for r in rows})} kernels, compiled as published, "
            f"without PyTorch and without a GPU; {len(judged_rows)} analysed, {sum(r.hazards > 0 for r in judged_rows)} with a missing wait."
        ),
        "",
        "First findings: " + ", ".join(f"{rule} {count}" for rule, count in counts.most_common()) + ".",
        "",
        "| package | kernel | target | first finding |",
        "|---|---|---|---|",
    ]
    lines += [f"| {r.package} | {r.kernel} | {r.target} | {r.said.replace('|', '/')} |" for r in rows]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
