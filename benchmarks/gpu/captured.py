"""Published Triton kernels through capture of a program that calls them: no line written, against their own launch.

    PYTHONPATH=src python3 benchmarks/gpu/captured.py carry .carry                               # here: the packages as wheels
    PYTHONPATH=src python3 benchmarks/gpu/captured.py list                                       # names, projects, programs
    PYTHONPATH=src python3 benchmarks/gpu/captured.py run --site FOLDER --part 1/4 --limit-s 500  # one GPU; FOLDER holds the packages
    PYTHONPATH=src python3 benchmarks/gpu/captured.py run --site FOLDER --only conch,liger-rms --done captured.jsonl
    PYTHONPATH=src python3 benchmarks/gpu/captured.py table captured.jsonl ...                   # of several runs

The programs are in `captured.toml`. Each runs as it is under `hotloop capture`, three at a time, and then one after the other its most expensive
kernel is optimized. After every kernel a line goes to $OUT/captured.jsonl with all that `hotloop optimize --json` said, and a row to the standard
output; a kernel that crashes or hangs is a row with its error. Nothing is begun that would not end before --limit-s; what was not begun is told.
--done leaves out what an earlier run has finished. Exit status 1: a kernel that was kept is slower, or nothing was measured.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OUT = Path(os.environ.get("OUT", ROOT / "build" / "gpu"))
PROGRAMS = Path(__file__).with_suffix(".toml")
AT_ROOF = 0.9
_AT_ONCE = 3
_CAPTURE_S, _LATE_S, _LEAST_S = 150.0, 8.0, 32.0
"""Longest time of a capture, what an optimization may take beyond its budget, and the least budget: the last kernel gets what is left."""


@dataclass(frozen=True)
class Calling:
    """A program that calls a package's kernel."""

    name: str
    project: str
    code: str
    forward: bool = True
    kernel: str = ""
    """Which of its kernels; empty: the most expensive."""
    expected: str = ""
    """Gain that was expected before hotloop saw the kernel."""


@dataclass
class Session:
    """One run of the benchmark."""

    given: argparse.Namespace
    work: Path
    began_s: float = field(default_factory=time.monotonic)

    @property
    def left_s(self) -> float:
        return float(self.given.limit_s - (time.monotonic() - self.began_s))

    def hotloop(self, *arguments: str, limit_s: float) -> tuple[int, str, str]:
        """Run a command of hotloop and return code, output and errors."""
        site = str(self.given.site.resolve())
        path = os.pathsep.join(
            filter(None, [str(ROOT / "src"), str(ROOT / "benchmarks/gpu"), site, os.environ.get("PYTHONPATH", "")])
        )
        pretended = {"PRETEND_GPU": self.given.pretend} if self.given.pretend else {}
        environment = {
            **os.environ, "PYTHONPATH": path, "HOTLOOP_STORE": str(self.work / "captured.sqlite"), "GEMS_VENDOR": "nvidia", **pretended,
        }  # fmt: skip
        try:
            ran = subprocess.run(
                [sys.executable, *(self._watched(arguments) or ("-m", "hotloop")), *arguments], env=environment, capture_output=True, text=True, timeout=limit_s, check=False
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return 124, "", f"no end in {limit_s:.0f} s"
        return ran.returncode, ran.stdout, ran.stderr[-4000:]

    def _watched(self, arguments: tuple[str, ...]) -> tuple[str, ...]:
        """Return what runs a command under `stacks.py`, for the kernels that --stacks asks for."""
        if not self.given.stacks or arguments[0] != "optimize":
            return ()
        name = Path(arguments[1]).parent.stem
        return str(ROOT / "benchmarks/gpu/stacks.py"), str(OUT / f"{name}.stacks.txt")


def callings() -> tuple[str, dict[str, Calling]]:
    """Return what stands before every program, and the programs by name."""
    data = tomllib.loads(PROGRAMS.read_text())
    rows = {name: Calling(name, **row) for name, row in data.items() if isinstance(row, dict)}
    return data["head"], rows


def carry(folder: Path) -> int:
    """Download the packages as wheels, and into a folder below them what hotloop needs beside PyTorch and NumPy, which a GPU's machine has."""
    file = tomllib.loads((ROOT / "pyproject.toml").read_text())
    own = [name for name in file["project"]["dependencies"] if not name.startswith("numpy")]
    abis = ["--implementation", "cp", *(f"--abi={abi}" for abi in ("cp312", "abi3", "none")), *(f"--platform={name}_x86_64" for name in ("manylinux2014", "manylinux_2_28"))]  # fmt: skip
    plain = ["--no-deps", "--implementation", "py", "--abi", "none", "--platform", "any"]
    code = _downloaded(folder, tomllib.loads(PROGRAMS.read_text())["wheels"], plain)
    return _downloaded(folder / "deps", own, abis) or code


def _downloaded(folder: Path, wheels: list[str], options: list[str]) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    ran = subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--only-binary=:all:", "--python-version", "3.12", *options, "-d", str(folder), *wheels], check=False)  # fmt: skip
    for there in (*folder.glob("numpy-*"), *folder.glob("typing_extensions-*")):
        there.unlink()
    size = sum(path.stat().st_size for path in folder.glob("*.whl"))
    print(f"{len(list(folder.glob('*.whl')))} wheels, {size / 2**20:.1f} MiB in {folder}")
    return ran.returncode


def captured(session: Session, head: str, calling: Calling) -> dict[str, object]:
    """Capture a program and return what it costs, or why that is not known."""
    script = session.work / f"{calling.name}.py"
    script.write_text(head + calling.code)
    began_s = time.monotonic()
    limit_s = max(10.0, min(_CAPTURE_S, session.left_s))
    code, out, err = session.hotloop(
        "capture", "--force", "--json", "--no-roof", "--out", str(session.work / f"{calling.name}.capture"), "--", sys.executable, str(script),
        limit_s=limit_s,
    )  # fmt: skip
    row: dict[str, object] = {
        "program": calling.name,
        "project": calling.project,
        "capture_s": time.monotonic() - began_s,
    }
    if "{" not in out:
        return row | {"error": f"capture ended with {code}: {told(err, out)}"}
    answer = json.loads(out[out.index("{") :])
    if code != 0:
        captured = answer.get("capture", {})
        problems = " | ".join(captured.get("problems", ())) or ("" if captured.get("kernels") else "it launched no kernel that is recorded")  # fmt: skip
        return row | {"error": f"capture ended with {code}: {problems or answer.get('error', '')}; {told(err)}"}
    return row | {
        "costs": answer["costs"],
        "problems": answer["capture"]["problems"],
        "returncode": answer["capture"]["returncode"],
    }


def told(*texts: str) -> str:
    """Return the last lines of the first text that has any."""
    return next((" | ".join(text.strip().splitlines()[-3:])[-500:] for text in texts if text.strip()), "it said nothing")  # fmt: skip


def optimized(session: Session, calling: Calling, cost: dict) -> dict[str, object]:
    """Optimize one kernel of a capture and return what came of it."""
    kernel, budget_s = str(cost["kernel"]), min(float(session.given.budget), session.left_s - _LATE_S)
    began_s = time.monotonic()
    code, out, err = session.hotloop(
        "optimize", f"{session.work / calling.name}.capture/{kernel}", "--budget", f"{budget_s:.0f}", "--no-peers", "--json", "-q", "--fresh",
        limit_s=min(float(session.given.kernel_s), max(20.0, session.left_s)),
    )  # fmt: skip
    row: dict[str, object] = {
        "program": calling.name, "project": calling.project, "forward": calling.forward, "expected": calling.expected, "kernel": kernel, "code": code,
        "budget_s": budget_s, "wall_s": time.monotonic() - began_s, "cost": cost,
    }  # fmt: skip
    if code not in (0, 1) or "{" not in out:
        return row | {"error": f"optimize ended with {code}: {told(err, out)}"}
    answer = json.loads(out[out.index("{") :])
    return row | (
        {"answer": answer} if "headline" in answer else {"error": f"optimize ended with {code}: {answer.get('error')}"}
    )


def run(given: argparse.Namespace) -> int:
    """Measure what was asked for, and write a line for every kernel."""
    head, programs = callings()
    chosen = [programs[name] for name in picked(programs, given)]
    OUT.mkdir(parents=True, exist_ok=True)
    rows: list[dict] = []
    with tempfile.TemporaryDirectory() as work, (OUT / "captured.jsonl").open("a") as record:

        def note(row: dict) -> None:
            rows.append(row)
            record.write(json.dumps(row) + "\n")
            record.flush()
            print(line(row), flush=True)

        session = Session(given, Path(work))
        for at in range(0, len(chosen), _AT_ONCE):
            batch(session, head, chosen[at : at + _AT_ONCE], note)
        if (store := Path(work) / "captured.sqlite").exists():
            with store.open("rb") as source, gzip.open(OUT / "captured.sqlite.gz", "wb") as target:
                shutil.copyfileobj(source, target)
    return table(rows)


def batch(session: Session, head: str, chosen: list[Calling], note: object) -> None:
    """Capture some programs side by side, then optimize their kernels one after the other."""
    given = session.given
    if session.left_s < _LEAST_S + _LATE_S + 15:
        for calling in chosen:
            note({"program": calling.name, "project": calling.project, "error": "not begun: the time was up"})
        return
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        captures = list(pool.map(lambda calling: captured(session, head, calling), chosen))
    for calling, row in zip(chosen, captures, strict=True):
        rows = [one for one in (row.get("costs") or {}).get("rows", []) if calling.kernel in ("", one["kernel"])]
        if "error" in row or not rows:
            note({"error": f"nothing was captured: {row.get('problems')}", **row})
        for cost in rows[: given.kernels]:
            if given.pretend:
                note({"program": calling.name, "project": calling.project, "kernel": cost["kernel"], "error": f"captured in {row['capture_s']:.0f} s, problems: {row['problems']}"})  # fmt: skip
            elif session.left_s < _LEAST_S + _LATE_S:
                note({"program": calling.name, "project": calling.project, "kernel": cost["kernel"], "error": "not begun: the time was up"})  # fmt: skip
            else:
                note(optimized(session, calling, cost) | {"capture_s": row["capture_s"]})


def picked(programs: dict[str, Calling], given: argparse.Namespace) -> list[str]:
    """Return the programs' names that the options leave, in the file's order unless they are asked for by name."""
    finished = {
        row["program"]
        for path in given.done
        for row in map(json.loads, path.read_text().splitlines())
        if "answer" in row
    }
    words = list(filter(None, given.only.split(",")))
    names = [n for n, one in programs.items() if not words or n in words or one.project in words or n.partition("-")[0] in words]  # fmt: skip
    names.sort(key=lambda name: words.index(name) if name in words else len(words))  # in the order asked for
    part, _, parts = given.part.partition("/")
    return [name for at, name in enumerate(names) if at % int(parts) == int(part) - 1 and name not in finished]


def figures(row: dict) -> dict[str, object]:
    """Return what the table has of a kernel."""
    answer = row["answer"]
    head, steps = answer["headline"], answer["steps"]
    ratio = head["speedup"] or {}
    share = head["roof_fraction"]  # absent where the time is below the roof: then it is none
    kept = [f"{s['technique']}: {s['change']}" for s in steps if s["decision"] == "keep"]
    return {
        "before_us": (head["baseline_ns"] or 0) / 1e3, "after_us": (head["winner_ns"] or 0) / 1e3, "ratio": ratio.get("value", 1.0),
        "low": ratio.get("low"), "high": ratio.get("high"), "share": share, "tried": max(0, len(steps) - 1), "kept": kept,
        "searched": (answer.get("search") or {}).get("evaluated", 0), "stop": answer["stop_reason"],
    }  # fmt: skip


def line(row: dict) -> str:
    """Return one row of the table."""
    name = f"{row['project']:<24.24} {row['program']:<20.20}"
    if "answer" not in row:
        return f"{name} {row.get('kernel', '')!s:<30.30} {row['error']}"
    one = figures(row)
    interval = f"({one['low']:.3f}-{one['high']:.3f})" if one["low"] else ""
    share = f"{one['share']:.0%}" if one["share"] else "?"
    tried = f"{one['tried']} steps, {one['searched']} searched"
    return (
        f"{name} {row['kernel']:<30.30} {one['before_us']:9.2f} us -> {one['after_us']:9.2f} us {one['ratio']:6.3f} {interval:<15} "
        f"roof {share:>4} {row['wall_s']:5.0f} s {tried}; {'; '.join(one['kept']) or one['stop']}"
    )


def table(rows: list[dict]) -> int:
    """Print every row and what they come to; return the exit status."""
    measured = [row for row in rows if "answer" in row and row["answer"]["headline"]["baseline_ns"]]
    print()
    for row in rows:
        print(line(row))
    if not measured:
        print("nothing was measured")
        return 1
    every = [figures(row) for row in measured]
    mean = math.exp(sum(math.log(one["ratio"]) for one in every) / len(every))
    better = sum(one["ratio"] > 1.02 for one in every)
    good = sum(one["ratio"] > 1.02 or (one["share"] or 0) >= AT_ROOF for one in every)
    print(
        f"{len(every)} kernels of {len({row['project'] for row in measured})} projects, {sum(bool(row.get('forward')) for row in measured)} forward: geometric "
        f"mean {mean:.3f}, {better} faster, {good} faster or at {AT_ROOF:.0%} of their roof ({good / len(every):.0%}), at most {max(row['wall_s'] for row in measured):.0f} s, "
        f"{len(rows) - len(measured)} without a result"
    )
    return int(any(one["ratio"] < 0.98 for one in every))


def main() -> int:
    """Do what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("carry").add_argument("folder", type=Path)
    verbs.add_parser("list")
    verbs.add_parser("table").add_argument("files", type=Path, nargs="+")
    running = verbs.add_parser("run")
    running.add_argument("--site", type=Path, required=True, help="where the packages are installed")
    running.add_argument("--only", default="", help="programs, projects or beginnings, by comma")
    running.add_argument("--part", default="1/1", help="K/N: every N-th program, from the K-th on")
    running.add_argument("--done", type=Path, action="append", default=[], help="captured.jsonl of an earlier run")
    running.add_argument("--budget", type=float, default=75.0)
    running.add_argument("--kernels", type=int, default=1, help="most expensive kernels of each program")
    running.add_argument("--kernel-s", type=float, default=180.0, help="longest time of a kernel")
    running.add_argument("--limit-s", type=float, default=530.0, help="nothing is begun that would end later")
    running.add_argument(
        "--stacks", action="store_true", help="write where each optimization spends its time, see stacks.py"
    )
    running.add_argument("--pretend", default="", help="target of a GPU that is not there: programs and captures are tried only")  # fmt: skip
    given = parser.parse_args()
    if given.verb == "carry":
        return carry(given.folder)
    if given.verb == "list":
        for name, one in callings()[1].items():
            print(f"{name:<22} {one.project:<34} {'forward' if one.forward else 'gradient'}")
        return 0
    if given.verb == "table":
        rows = [json.loads(text) for path in given.files for text in path.read_text().splitlines()]
        done = {row["program"] for row in rows if "answer" in row}
        return table([row for row in rows if "answer" in row or row["program"] not in done])
    return run(given)


if __name__ == "__main__":
    sys.exit(main())
