"""A whole OpenCL program from capture to adoption: predicted gain of the whole beside what is measured end to end.

    python benchmarks/pipeline.py [--pictures 150] [--budget 60] [--pairs 8] [--least 0.02] [--out pipeline.json]

`benchmarks/programs/pictures.py` is captured as it is, every kernel that took at least `--least` of its launches' time is optimized, and
the program runs with all winners adopted and without them, in turns. Times are of whole processes, start and compiling included; what
counts is the ratio within a pair. The pictures' checksum must be the same but for single steps of grey.
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
from math import exp, log
from pathlib import Path
from statistics import median

import numpy as np

from hotloop.app.capture.run import environment
from hotloop.captures import folder as folders

PROGRAM = Path(__file__).parent / "programs" / "pictures.py"
_SUM = re.compile(r"sum (\d+), ([\d.]+) s")


def hotloop(*words: str, folder: Path) -> tuple[int, str, str]:
    """Run a command of hotloop; return exit code, output and errors."""
    done = subprocess.run(
        [sys.executable, "-m", "hotloop", *words], capture_output=True, text=True, check=False, cwd=folder
    )
    return done.returncode, done.stdout, done.stderr


def once(words: list[str], variables: dict[str, str]) -> tuple[float, float, int]:
    """Run the program; return seconds of the process, of its pictures, and the checksum."""
    began = time.perf_counter()
    done = subprocess.run(words, capture_output=True, text=True, check=True, env={**os.environ, **variables})
    took = time.perf_counter() - began
    found = _SUM.search(done.stdout)
    assert found is not None, done.stdout
    if "hotloop adopt" in done.stderr:
        raise SystemExit(done.stderr)
    return took, float(found.group(2)), int(found.group(1))


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


def ratios(words: list[str], adopted: dict[str, str], pairs: int) -> dict:
    """Return before over after of whole processes and of the pictures alone, from pairs in alternating order."""
    plain = {name: value for name, value in adopted.items() if name not in ("HOTLOOP_ADOPT", "PYTHONPATH")}
    rows = []
    for number in range(pairs):
        order = (plain, adopted) if number % 2 == 0 else (adopted, plain)
        first, second = once(words, order[0]), once(words, order[1])
        before, after = (first, second) if number % 2 == 0 else (second, first)
        rows.append((before, after))
        print(
            f"pair {number}: {before[0]:.2f} → {after[0]:.2f} s, pictures {before[1]:.2f} → {after[1]:.2f} s",
            flush=True,
        )
    whole = [log(b[0] / a[0]) for b, a in rows]
    inner = [log(b[1] / a[1]) for b, a in rows]
    return {
        "whole": _interval(whole),
        "pictures": _interval(inner),
        "before_s": median(b[0] for b, _ in rows),
        "after_s": median(a[0] for _, a in rows),
        "sums": sorted({one[2] for pair in rows for one in pair}),
        "pairs": [[list(b), list(a)] for b, a in rows],
    }


def _interval(logs: list[float]) -> list[float]:
    """Return the median ratio with its bootstrap interval of 95 %."""
    rng = np.random.default_rng(0)
    drawn = [float(np.median(rng.choice(logs, len(logs)))) for _ in range(2000)]
    return [exp(float(np.median(logs))), *(exp(float(one)) for one in np.quantile(drawn, [0.025, 0.975]))]


def main() -> None:
    """Run everything and print what was predicted and measured."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--pictures", type=int, default=150)
    asked.add_argument("--budget", type=float, default=60.0)
    asked.add_argument("--pairs", type=int, default=8)
    asked.add_argument("--least", type=float, default=0.02)
    asked.add_argument("--out", type=Path, default=None)
    asked.add_argument("--kept", type=Path, default=None, help="folder for the capture; a temporary one otherwise")
    given = asked.parse_args()
    folder = given.kept or Path(tempfile.mkdtemp(prefix="pipeline-"))
    folder.mkdir(parents=True, exist_ok=True)
    words = [sys.executable, str(PROGRAM), "--pictures", str(given.pictures)]
    os.environ["HOTLOOP_STORE"] = str(folder / "store.sqlite")

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

    winners = []
    for row in rows:
        code, _, _ = hotloop("adopt", str(row["run"]), "--out", "one.json", folder=folder)
        if code == 0:
            winners.append(row["run"])
    if not winners:
        raise SystemExit("nothing was found that can be adopted")
    code, _, predicted = hotloop("adopt", ",".join(winners), "--out", "adoption.json", folder=folder)
    print(predicted, flush=True)
    adopted = {**environment(), "HOTLOOP_ADOPT": str(folder / "adoption.json"), "PYOPENCL_NO_CACHE": "1"}
    measured = ratios(words, adopted, given.pairs)
    found = re.search(r"([\d.]+)× \(([\d.]+)–([\d.]+)\)", predicted)
    foretold = [float(one) for one in found.groups()] if found else []
    print("predicted", foretold, "measured", measured["whole"], "pictures alone", measured["pictures"])
    if given.out:
        made = {
            "kernels": rows,
            "predicted": foretold,
            "sentence": predicted.strip(),
            "measured": measured,
            "told": told,
        }
        given.out.write_text(json.dumps(made, indent=1))


if __name__ == "__main__":
    main()
