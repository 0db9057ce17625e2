"""PolyBench's OpenCL programs, each optimized from its bare source and compared again by an independent run.

    python benchmarks/foreign/polybench.py FOLDER_OF_SOURCES [--only gemm,atax] [--budget 110] [--out results.json]
    python benchmarks/foreign/polybench.py FOLDER_OF_SOURCES --parallel 4 --cores 2 --out results.json
    python benchmarks/foreign/polybench.py OTHER_FOLDER --table benchmarks/foreign/others.toml --out others.json

The sources are read where they lie. For each program: ``hotloop optimize X.cl`` with the sizes and launches of
``polybench.toml``, then, by a process of its own, ``hotloop compare X.cl X.cl@best``: a ratio counts only when that says
FASTER, everything else counts 1. With ``--parallel``, that many programs run at a time, each on cores and with a store of its own.
Programs that ``--out`` holds already are not run again; one that was cut off is.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from threading import Lock

from programs import Row, chosen, mean, parser


def options(entry: Row) -> list[str]:
    """Return the command-line options of one program."""
    found = ["--size", entry["sizes"]] if entry.get("sizes") else []
    for name in ("launches", "global", "local"):
        if entry.get(name):
            found += [f"--{name}", entry[name]]
    for one in entry.get("options", ()):
        found += ["--build-option", one]
    return found


def hotloop(cores: Sequence[int], *words: str) -> tuple[int, Row, str]:
    """Run a command with --json on some cores; return exit code, answer and errors."""
    command = [sys.executable, "-m", "hotloop", *words, "--json"]
    if cores:
        command = ["taskset", "--cpu-list", ",".join(map(str, cores)), *command]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LONGEST_S)
    except subprocess.TimeoutExpired:
        return 124, {}, f"no end within {LONGEST_S} s"
    try:
        return done.returncode, json.loads(done.stdout), done.stderr
    except ValueError:
        return done.returncode, {}, (done.stderr or done.stdout)[-600:]


LONGEST_S = 600


def optimized(source: str, entry: Row, budget: float, cores: Sequence[int], store: Path) -> Row:
    """Optimize one program."""
    began = time.time()
    words = ("--budget", str(budget), "--quiet", "--fresh", "--store", str(store))
    code, answer, errors = hotloop(cores, "optimize", source, *options(entry), *words)
    row = {"code": code, "seconds": round(time.time() - began, 1), "load": os.getloadavg()[0], "errors": errors[-400:]}
    row |= {key: answer.get(key) for key in ("headline", "stop_reason")}
    row["steps"] = [[s["technique"], s["change"], s["decision"], s["verdict"]] for s in answer.get("steps", [])]
    return row


def compared(source: str, entry: Row, cores: Sequence[int], store: Path) -> Row:
    """Compare the best known with the text as published."""
    words = ("--store", str(store))
    code, answer, errors = hotloop(cores, "compare", source, f"{source}@best", *options(entry), *words)
    return {"code": code, "comparison": answer.get("comparison"), "load": os.getloadavg()[0], "errors": errors[-400:]}


def shares(parallel: int, cores: int) -> list[list[int]]:
    """Return the cores of each of so many programs; no list of cores where one program has the machine."""
    if parallel < 2 and not cores:
        return [[]]
    own = sorted(os.sched_getaffinity(0))
    each = cores or max(1, len(own) // parallel)
    if parallel * each > len(own):
        sys.exit(f"{parallel} programs on {each} cores each need {parallel * each} cores, this machine has {len(own)}")
    return [own[place * each : (place + 1) * each] for place in range(parallel)]


def finished(out: Path | None) -> dict[str, Row]:
    """Return the programs of an earlier run that came to their end."""
    if out is None or not out.is_file():
        return {}
    return {name: row for name, row in json.loads(out.read_text()).items() if "again" in row and row["code"] in (0, 2)}


def main() -> None:
    """Run everything and print a table."""
    asked = parser()
    asked.add_argument("--budget", type=float, default=100.0)
    asked.add_argument("--parallel", type=int, default=1, help="programs at a time")
    asked.add_argument("--cores", type=int, default=0, help="cores of each; 0: an even share")
    given = asked.parse_args()
    table = chosen(given)
    free: Queue[list[int]] = Queue()
    for share in shares(given.parallel, given.cores):
        free.put(share)
    rows = finished(given.out)
    writing = Lock()

    def one(name: str) -> None:
        entry, cores = table[name], free.get()
        source = f"{entry['source']}{entry.get('entry', '')}"
        try:
            with tempfile.TemporaryDirectory(prefix="polybench-") as folder:
                row = {"seen": entry.get("seen", False)}
                row |= optimized(source, entry, given.budget, cores, Path(folder) / "results.db")
                row["again"] = compared(source, entry, cores, Path(folder) / "results.db")
        finally:
            free.put(cores)
        with writing:
            rows[name] = row
            print(name, json.dumps(row)[:1000], flush=True)
            if given.out:
                given.out.write_text(json.dumps(rows, indent=1))

    with ThreadPoolExecutor(given.parallel) as pool:
        list(pool.map(one, (name for name in table if name not in rows)))
    summary(rows)


def summary(rows: dict[str, Row]) -> None:
    """Print the geometric means."""
    for seen in (True, False):
        ratios = []
        for row in (row for row in rows.values() if row["seen"] is seen):
            found = row["again"]["comparison"] or {}
            ratios.append(found.get("speedup", 1.0) if found.get("verdict") == "FASTER" else 1.0)
        if ratios:
            gained = sum(one > 1 for one in ratios)
            print(
                "seen" if seen else "unseen",
                len(ratios),
                "programs,",
                gained,
                "gained, geometric mean",
                round(mean(ratios), 2),
            )


if __name__ == "__main__":
    main()
