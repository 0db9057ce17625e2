"""Bugs in kernels that the checker was not written beside: what `hotloop check` says of each, on this machine.

    python benchmarks/strangers.py [NAME ...] [--out FILE] [--sanitize] [--bug WORDS ...]

Every file of tests/planted/strangers and tests/planted/newcomers is a kernel file as a user writes one, with a table of bugs: exact edits of its
sources. Each implementation must pass as it is; each bug must be refused. One line of JSON for each goes to `--out`. With `--sanitize`
bugs that pass are run on oclgrind, as `hotloop check --sanitize` does; `--bug` runs those only whose description has one of the words.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from hotloop.app import session, userfile
from hotloop.app.desk import Desk
from hotloop.app.run import faceoff
from hotloop.app.run.inputs.workload import Workload
from hotloop.app.verify.checker import _Shelf, guard
from hotloop.app.verify.sanitize import sanitize
from hotloop.model.check import CheckReport
from hotloop.model.kernel import Kernel, Variant
from hotloop.model.outcome import describe
from hotloop.verify.catalogue.mutant import Edit, Mutant, planted

PLANTED = Path(__file__).parents[1] / "tests" / "planted"
FOLDERS = ("strangers", "newcomers")
"""The files of the second were written after the checker's guards had been settled."""


@dataclass(frozen=True)
class Row:
    """What became of one kernel, with or without a bug."""

    file: str
    implementation: str
    kind: str
    bug: str
    caught: bool
    guard: str
    reason: str
    seconds: float
    index: int = -1
    """Place of the bug in the file's table."""


def rows(desk: Desk, file: Path, only: Sequence[int] | None = None, *, simulated: bool = False) -> Iterator[Row]:
    """Yield the clean implementations of a file, then its bugs (those numbered `only`); `simulated`: survivors on oclgrind, too."""
    kernel = userfile.load(file)
    stand = Workload(_Shelf(desk.engine, f"{file.stem}."), kernel, kernel.problem, desk.device, desk.seed)  # type: ignore[arg-type]
    for index, name, mutant in _planted(file, kernel, only):
        row = _checked(desk, stand, file, kernel, name, mutant)
        if simulated and mutant.bug and not row.caught:
            row = _simulated(desk, file, kernel, name, mutant)
        yield replace(row, index=index)


def simulated(desk: Desk, file: Path, only: Sequence[int] | None = None) -> Iterator[Row]:
    """Yield the same from oclgrind alone, as `hotloop check --sanitize` runs what has passed the check."""
    kernel = userfile.load(file)
    for index, name, mutant in _planted(file, kernel, only):
        yield replace(_simulated(desk, file, kernel, name, mutant), index=index)


def _planted(file: Path, kernel: Kernel, only: Sequence[int] | None) -> Iterator[tuple[int, str, Mutant]]:
    for implementation in kernel.implementations:
        yield -1, implementation.name, Mutant(name="", kind="", bug="")
    table = sys.modules[f"hotloop_user_{file.stem}"].MUTANTS
    for index, (name, kind, bug, old, new) in enumerate(table):
        if only is None or index in only:
            yield index, name, Mutant(name=str(index), kind=kind, bug=bug, edits=_edits(kernel, name, old, new))


def _edits(kernel: Kernel, name: str, old: str, new: str) -> tuple[Edit, ...]:
    return (Edit(old, new, _occurrences(kernel, name, old)),)


def _occurrences(kernel: Kernel, name: str, old: str) -> int:
    variant = userfile.starting(kernel, name)
    source = variant.program(kernel.problem, _ANY).source  # type: ignore[arg-type]
    count = source.count(old)
    assert count, f"{kernel.family} {name}: {old!r} is not in the source"
    return count


class _Any:
    max_workgroup, local_mem_bytes, target = 1024, None, ""


_ANY = _Any()


def _variant(kernel: Kernel, name: str, mutant: Mutant) -> Variant:
    start = userfile.starting(kernel, name)
    return Variant(planted(start.implementation, mutant), start.config)


def _checked(desk: Desk, stand: Workload, file: Path, kernel: Kernel, name: str, mutant: Mutant) -> Row:
    began_s = time.monotonic()
    answer = faceoff.checked(desk, stand, _variant(kernel, name, mutant), to_the_end=False).answer
    right = isinstance(answer, CheckReport)
    told = answer.summary if isinstance(answer, CheckReport) else describe(answer)[:300]
    by = "" if isinstance(answer, CheckReport) else guard(answer)
    return Row(file.stem, name, mutant.kind, mutant.bug, not right, by, told, round(time.monotonic() - began_s, 3))


def _simulated(desk: Desk, file: Path, kernel: Kernel, name: str, mutant: Mutant) -> Row:
    began_s = time.monotonic()
    options = session.Options(limit_s=120, seed=desk.seed)
    seen = sanitize(kernel, _variant(kernel, name, mutant), kernel.problem, options, desk.listener)
    told = [*map(str, seen.findings), *seen.failures] or [f"{len(seen.problems)} problems simulated"]
    caught = bool(seen.findings or seen.failures)
    by = "sanitizer" if caught else ""
    return Row(
        file.stem, name, mutant.kind, mutant.bug, caught, by, told[0][:300], round(time.monotonic() - began_s, 3)
    )


def _chosen(file: Path, words: Sequence[str] | None) -> list[int] | None:
    """Return the numbers of the bugs with one of the words in their description; None for all."""
    table = ast.literal_eval(ast.parse(file.read_text(encoding="utf-8")).body[-1].value)  # type: ignore[attr-defined]
    return None if words is None else [i for i, bug in enumerate(table) if any(word in bug[2] for word in words)]


def main() -> int:
    """Run and print; the exit code is 1 when a bug passed or a clean kernel was refused."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--folder", action="append", help=f"{' or '.join(FOLDERS)}, or any folder of such files")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sanitize", action="store_true", help="bugs that pass are run on oclgrind")
    parser.add_argument("--bug", nargs="+", help="bugs with these words in their description only")
    asked = parser.parse_args()
    every = [file for folder in asked.folder or FOLDERS for file in sorted((PLANTED / folder).glob("*.py"))]
    files = [file for file in every if not asked.names or file.stem in asked.names]
    found: list[Row] = []
    if asked.out:
        asked.out.unlink(missing_ok=True)
    desks: dict[str, Desk] = {}
    with ExitStack() as opened:
        for file in files:
            language = userfile.load(file).implementations[0].language
            if language not in desks:
                options = session.Options(limit_s=30, seed=asked.seed, language=language)
                desks[language] = opened.enter_context(session.desk(options))
            simulated = asked.sanitize and language == "opencl"
            for row in rows(desks[language], file, _chosen(file, asked.bug), simulated=simulated):
                found.append(row)
                if asked.out:
                    with asked.out.open("a") as kept:
                        kept.write(json.dumps(asdict(row)) + "\n")
                good = row.caught == bool(row.bug)
                if not good:
                    print(
                        f"{'MISSED' if row.bug else 'ALARM '} {row.file} {row.implementation} {row.kind}: {row.bug} {row.reason}",
                        flush=True,
                    )
    bugs, clean = [row for row in found if row.bug], [row for row in found if not row.bug]
    caught, passed = sum(row.caught for row in bugs), sum(not row.caught for row in clean)
    print(
        f"{caught} of {len(bugs)} bugs caught, {passed} of {len(clean)} clean kernels pass; {sum(r.seconds for r in found):.0f} s"
    )
    return 0 if caught == len(bugs) and passed == len(clean) else 1


if __name__ == "__main__":
    raise SystemExit(main())
