"""Execute the kernels of tests/planted/machine, clean and with each of their bugs, on several processors.

    python benchmarks/emulate_planted.py gfx90a gfx942 gfx950 gfx1030 gfx1100 gfx1201 --out planted.json
    python benchmarks/emulate_planted.py gfx942 --clean --deletions --out deletions.json

A source begins with comments that say how it is launched, its arguments, and its bugs:

    // grid 4, group 256, lds 1024
    // x=f32:1024 y=f32:1024:fresh n=i32:=1000
    // 1: race in local memory | uninitialised; no barrier behind the store
    // 2 on gfx942 gfx950: missing wait; the copy is not waited for

Bug 2 is in the code where the macro BUG is 2; a number that is not there is the clean kernel. A bug is found when one
of the findings that it names is reported; `endless` is the sentence about a spent budget. Only integers and single
products are computed, so that all processors must agree on a clean kernel's result.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from hotloop.app.emulate.ask import Request, task_of
from hotloop.app.emulate.deletions import deletions
from hotloop.app.emulate.execute import Adversary, Backend, execute
from hotloop.emulate.errors import Exhausted
from hotloop.errors import HotloopError

FOLDER = Path(__file__).parents[1] / "tests" / "planted" / "machine"
BUDGET = 300_000
_LAUNCH = re.compile(r"// grid (\d+)(?:, group (\d+))?(?:, lds (\d+))?$")
_BUG = re.compile(r"// (\d+)(?: on ([\w ]+))?: ([\w |]+); (.+)$")


@dataclass(frozen=True)
class Bug:
    """One mistake in a source."""

    number: int
    targets: tuple[str, ...]
    """Processors on which it is one; empty: all."""
    kinds: tuple[str, ...]
    """Findings of which one must be reported."""
    text: str


@dataclass(frozen=True)
class Specimen:
    """A source with its launch and its bugs."""

    path: Path
    grid: int
    group: int
    lds: int
    given: tuple[str, ...]
    targets: tuple[str, ...]
    """Processors that it compiles for; empty: all."""
    bugs: tuple[Bug, ...]


@dataclass
class Row:
    """What came of one source with one bug, or none, on one processor."""

    kernel: str
    target: str
    bug: int = 0
    text: str = ""
    wanted: tuple[str, ...] = ()
    status: str = ""
    """found, escaped; clean, false report; error."""
    findings: list[str] = field(default_factory=list)
    digest: str = ""
    """Of the results, to compare processors."""
    instructions: int = 0
    seconds: float = 0.0


def specimen(path: Path) -> Specimen:
    """Read what a source says about itself."""
    head = [line for line in path.read_text(encoding="utf-8").splitlines()[:40] if line.startswith("// ")]
    launch = next(found for line in head if (found := _LAUNCH.match(line)))
    given = next((line[3:].split() for line in head if re.match(r"// \w+=\w+:", line)), [])
    only = next((line.removeprefix("// only ").split() for line in head if line.startswith("// only ")), [])
    bugs = tuple(
        Bug(int(one[1]), tuple((one[2] or "").split()), tuple(k.strip() for k in one[3].split("|")), one[4])
        for line in head
        if (one := _BUG.match(line))
    )
    return Specimen(path, int(launch[1]), int(launch[2] or 256), int(launch[3] or 0), tuple(given), tuple(only), bugs)


def specimens(names: Sequence[str] = ()) -> list[Specimen]:
    """Return those of the folder, or those named."""
    files = sorted(file for file in FOLDER.iterdir() if file.suffix in (".cl", ".hip"))
    return [specimen(file) for file in files if not names or file.stem in names]


def request(one: Specimen, target: str, bug: int, backend: Backend = Backend.FASTEST) -> Request:
    """Return how a source is executed with a bug."""
    return Request(
        text=str(one.path),
        target=target,
        macros=(f"BUG={bug}",),
        given=one.given,
        grid=(one.grid, 1, 1),
        workgroup=(one.group, 1, 1),
        shared_bytes=one.lds,
        how=Adversary(budget=BUDGET, backend=backend),
    )


def row(one: Specimen, target: str, bug: Bug | None, backend: Backend = Backend.FASTEST) -> Row:
    """Execute a source, clean or with a bug."""
    made = Row(one.path.stem, target)
    if bug is not None:
        made.bug, made.text, made.wanted = bug.number, bug.text, bug.kinds
    began = time.process_time()
    try:
        answer = execute(task_of(request(one, target, made.bug, backend)), request(one, target, made.bug, backend).how)
        made.findings = [
            f"{told.finding.trouble}: {told.finding.text}: {told.finding.instruction} [{told.source.line if told.source else ''}]"
            for told in answer.findings
        ]
        made.findings += [f"note: {note}" for note in answer.notes]
        made.digest = hashlib.sha256(b"".join(value.tobytes() for value in answer.arrays.values())).hexdigest()[:12]
        made.instructions = answer.executed
        made.status = "found" if answer.findings else "clean"
    except Exhausted as reason:
        made.findings, made.status = [one for one in (reason.found, f"endless: {reason}") if one], "found"
    except HotloopError as reason:
        made.findings, made.status = [f"error: {reason}"], "error"
    made.seconds = round(time.process_time() - began, 3)
    made.status = _judged(made, bug)
    return made


def _judged(made: Row, bug: Bug | None) -> str:
    if bug is None:
        return {"found": "false report"}.get(made.status, made.status)
    return "found" if any(one.startswith(bug.kinds) for one in made.findings) else f"escaped ({made.status})"


def rows(targets: Sequence[str], names: Sequence[str] = (), *, clean: bool = False) -> Iterator[Row]:
    """Execute all sources on all processors, clean and, unless only that is wanted, with every bug."""
    for one in specimens(names):
        for target in targets:
            if one.targets and target not in one.targets:
                continue
            yield row(one, target, None)
            for bug in () if clean else one.bugs:
                if not bug.targets or target in bug.targets:
                    yield row(one, target, bug)


def deleted(targets: Sequence[str], names: Sequence[str] = ()) -> Iterator[dict[str, object]]:
    """Take every wait and barrier of the clean kernels away."""
    for one in specimens(names):
        for target in targets:
            if one.targets and target not in one.targets:
                continue
            try:
                for found in deletions(task_of(request(one, target, 0)), BUDGET):
                    yield {"kernel": one.path.stem, "target": target, **asdict(found)}
            except HotloopError as reason:
                yield {"kernel": one.path.stem, "target": target, "need": "error", "why": str(reason)}


def main() -> None:
    """Write one row a line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="+")
    parser.add_argument("--kernel", action="append", default=[], help="only this source; may be repeated")
    parser.add_argument("--clean", action="store_true", help="only the clean kernels")
    parser.add_argument("--deletions", action="store_true", help="take waits and barriers away instead")
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    key = "need" if asked.deletions else "status"
    made = (
        deleted(asked.targets, asked.kernel)
        if asked.deletions
        else map(asdict, rows(asked.targets, asked.kernel, clean=asked.clean))
    )
    found = []
    for one in made:
        found.append(one)
        if one[key] not in ("found", "clean", "needed", "redundant"):
            print(*(value for value in one.values() if value), flush=True)
    for status in sorted({str(one[key]) for one in found}):
        print(f"{sum(str(one[key]) == status for one in found):5} {status}")
    if asked.out:
        asked.out.write_text("[\n" + ",\n".join(json.dumps(one) for one in found) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
