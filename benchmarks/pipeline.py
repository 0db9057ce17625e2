"""A whole OpenCL program from capture to adoption: predicted gain of the whole beside what is measured end to end.

    python benchmarks/pipeline.py [--pictures 150] [--budget 60] [--rounds 8] [--least 0.02] [--out pipeline.json]

`benchmarks/programs/pictures.py` is captured as it is, every kernel that took at least `--least` of its launches' time is optimized, and
the program runs as it was, patched (every run's diff applied and launched as `apply` says) and with the winners adopted, in turns. What
counts are ratios within a round: of whole processes, start and compiling included, for which the prediction is; of the pictures alone;
and of the processor time of all threads, which other processes disturb least.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from math import exp, log
from pathlib import Path

import numpy as np

from hotloop.app.capture.run import environment
from hotloop.captures import folder as folders
from hotloop.host import runtimes

PROGRAM = Path(__file__).parent / "programs" / "pictures.py"
_SUM = re.compile(r"sum (\d+), ([\d.]+) s")


def hotloop(*words: str, folder: Path) -> tuple[int, str, str]:
    """Run a command of hotloop; return exit code, output and errors."""
    done = subprocess.run(
        [sys.executable, "-m", "hotloop", *words], capture_output=True, text=True, check=False, cwd=folder
    )
    return done.returncode, done.stdout, done.stderr


@dataclass(frozen=True)
class Ran:
    """One run of the program: seconds of the process, of its pictures, of all its threads; and the checksum."""

    process_s: float
    pictures_s: float
    busy_s: float
    checksum: int


def once(words: list[str], variables: dict[str, str]) -> Ran:
    """Run the program."""
    began, before = time.perf_counter(), os.times()
    done = subprocess.run(words, capture_output=True, text=True, check=True, env={**os.environ, **variables})
    took, after = time.perf_counter() - began, os.times()
    found = _SUM.search(done.stdout)
    assert found is not None, done.stdout
    if "own kernel runs" in done.stderr:
        raise SystemExit(done.stderr)
    busy = after.children_user + after.children_system - before.children_user - before.children_system
    return Ran(took, float(found.group(2)), busy, int(found.group(1)))


def optimized(kernel: str, budget: float, folder: Path) -> dict:
    """Optimize one kernel of the capture; return the run and what it found."""
    code, answer, errors = hotloop(
        "optimize", f"pictures.capture/{kernel}", "--budget", str(budget), "--quiet", "--fresh", "--json", folder=folder
    )
    data = json.loads(answer) if answer else {}
    row = {"kernel": kernel, "code": code, "run": latest(folder), "headline": data.get("headline")}
    row["errors"] = "" if code == 0 else errors[-400:]
    row["steps"] = [[s["technique"], s["change"], s["decision"], s["verdict"]] for s in data.get("steps", [])]
    return row


def latest(folder: Path) -> str:
    """Return the latest run of the store."""
    return str(json.loads(hotloop("history", "--json", folder=folder)[1])[0]["id"])


def again(kernel: str, folder: Path) -> dict:
    """Compare a winner with the captured kernel in a run of its own."""
    name = f"pictures.capture/{kernel}"
    code, answer, errors = hotloop("compare", name, f"{name}@best", "--json", folder=folder)
    try:
        return {"code": code, "comparison": json.loads(answer).get("comparison")}
    except ValueError:
        return {"code": code, "errors": errors[-300:]}


def patched(runs: list[str], folder: Path) -> Path:
    """Return the program as its author would have it: every run's diff applied, and launched as `apply` says."""
    file = folder / "patched" / PROGRAM.name
    shutil.rmtree(file.parent, ignore_errors=True)
    file.parent.mkdir()
    shutil.copy(PROGRAM, file)
    for run in runs:
        _, diff, _ = hotloop("apply", run, folder=folder)
        subprocess.run(
            ["git", "apply", "--unsafe-paths", "-C1", "-"], input=diff, text=True, check=True, cwd=file.parent
        )
    text = file.read_text()
    for one in json.loads((folder / "adoption.json").read_text())["kernels"]:
        sizes = ", ".join(
            f"-(-{size} // {by})" for size, by in zip(_launched(text, one["entry"]), one["steps"], strict=True)
        )
        group = tuple(one["group"]) if one["group"] else None
        text = re.sub(
            rf"\b{one['entry']}\(queue, \([^)]*\), None,", f"{one['entry']}(queue, ({sizes},), {group},", text
        )
    file.write_text(text)
    return file


def _launched(text: str, entry: str) -> list[str]:
    """Return the sizes with which a program's text launches a kernel."""
    found = re.search(rf"\b{entry}\(queue, \(([^)]*)\), None,", text)
    assert found is not None, entry
    return [one.strip() for one in found.group(1).split(",") if one.strip()]


def ratios(plain: list[str], others: dict[str, tuple[list[str], dict[str, str]]], rounds: int) -> dict:
    """Return by name before over after of processes, pictures and processor time, from rounds in alternating order."""
    usual = {**runtimes.loader_environment(), "PYOPENCL_NO_CACHE": "1"}
    rows = []
    for number in range(rounds):
        turn = [("before", (plain, {})), *others.items()]
        ran = {name: once(words, {**usual, **more}) for name, (words, more) in turn[:: 1 if number % 2 == 0 else -1]}
        rows.append(ran)
        print(
            f"round {number}: " + ", ".join(f"{n} {r.process_s:.2f} s ({r.pictures_s:.2f})" for n, r in ran.items()),
            flush=True,
        )
    found: dict = {"rounds": [{name: asdict(one) for name, one in row.items()} for row in rows]}
    for name in others:
        found[name] = {
            kind: _interval([log(getattr(row["before"], kind) / getattr(row[name], kind)) for row in rows])
            for kind in ("process_s", "pictures_s", "busy_s")
        }
    return found


def _interval(logs: list[float]) -> list[float]:
    """Return the median ratio with its bootstrap interval of 95 %."""
    rng = np.random.default_rng(0)
    drawn = [float(np.median(rng.choice(logs, len(logs)))) for _ in range(2000)]
    return [exp(float(np.median(logs))), *(exp(float(one)) for one in np.quantile(drawn, [0.025, 0.975]))]


def found_in(folder: Path, words: list[str], given: argparse.Namespace) -> tuple[str, list[dict]]:
    """Capture the program and optimize its kernels; return the table and what became of each."""
    shutil.rmtree(folder / "pictures.capture", ignore_errors=True)
    code, told, errors = hotloop("capture", "--", *words, folder=folder)
    print(told, flush=True)
    if code:
        raise SystemExit(errors)
    capture = folders.read(folder / "pictures.capture")
    costly = [one.name for one in capture.kernels if (one.total_ns or 0.0) >= given.least * capture.total_ns]
    rows = [optimized(name, given.budget, folder) for name in costly]
    for row in rows:
        print(row["kernel"], row["code"], row["headline"], row["errors"], flush=True)
        row["again"] = again(row["kernel"], folder)
        print("   again", json.dumps(row["again"])[:200], flush=True)
    (folder / "rows.json").write_text(json.dumps(rows))
    return told, rows


def main() -> None:
    """Run everything and print what was predicted and measured."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--pictures", type=int, default=150)
    asked.add_argument("--budget", type=float, default=60.0)
    asked.add_argument("--rounds", type=int, default=8)
    asked.add_argument("--least", type=float, default=0.02)
    asked.add_argument("--out", type=Path, default=None)
    asked.add_argument("--again", action="store_true", help="take the runs that --kept has; measure only")
    asked.add_argument("--kept", type=Path, default=None, help="folder for the capture; a temporary one otherwise")
    given = asked.parse_args()
    folder = given.kept or Path(tempfile.mkdtemp(prefix="pipeline-"))
    folder.mkdir(parents=True, exist_ok=True)
    words = [sys.executable, str(PROGRAM), "--pictures", str(given.pictures)]
    os.environ["HOTLOOP_STORE"] = str(folder / "store.sqlite")

    told, rows = ("", json.loads((folder / "rows.json").read_text())) if given.again else found_in(folder, words, given)
    winners = []
    for row in rows:
        code, _, _ = hotloop("adopt", str(row["run"]), "--out", "one.json", folder=folder)
        if code == 0:
            winners.append(row["run"])
    if not winners:
        raise SystemExit("nothing was found that can be adopted")
    code, _, predicted = hotloop("adopt", ",".join(winners), "--out", "adoption.json", folder=folder)
    print(predicted, flush=True)
    adopted = {**environment(), "HOTLOOP_ADOPT": str(folder / "adoption.json")}
    file = patched(winners, folder)
    own = [words[0], str(file), *words[2:]]
    measured = ratios(words, {"patched": (own, {}), "adopted": (words, adopted)}, given.rounds)
    found = re.search(r"([\d.]+)× \(([\d.]+)–([\d.]+)\)", predicted)
    foretold = [float(one) for one in found.groups()] if found else []
    print("predicted", foretold, "load", os.getloadavg())
    for name in ("patched", "adopted"):
        print(name, {kind: [round(one, 3) for one in ratio] for kind, ratio in measured[name].items()})
    if given.out:
        made = {
            "kernels": rows,
            "predicted": foretold,
            "sentence": predicted.strip(),
            "measured": measured,
            "told": told,
        }
        given.out.write_text(json.dumps({**made, "load": os.getloadavg()}, indent=1))


if __name__ == "__main__":
    main()
