"""Whole GPU programs from capture to adoption: the predicted gain of the whole beside what is measured end to end.

    PYTHONPATH=src python3 benchmarks/gpu/wholes.py --site FOLDER [--only training] [--budget 40] [--kernels 2] [--rounds 3] [--limit-s 500]

FOLDER holds Liger and flash-linear-attention (`captured.py carry`). `benchmarks/programs/training.py` and `inference.py` run once to fill Triton's
cache, are captured as they are, their most expensive kernels are optimized, and then they run as they were and with the winners adopted, in turns.
A row for each goes to $OUT/wholes.jsonl: what was foretold, the seconds of every process and of its loop, and what it computed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from captured import OUT, ROOT, Session, told

from hotloop.app.capture.run import environment

PROGRAMS = {
    "training": ("training", ("--steps", "12"), ("--steps", "450")),
    "inference": ("inference", ("--prompts", "2"), ("--prompts", "40")),
    "writing": (
        "inference",
        ("--prompts", "2", "--length", "1"),
        ("--prompts", "8", "--length", "1", "--written", "300"),
    ),
}
"""By name: the file, its words for the first run, which compiles, and those that are measured; `writing` reads no prompt, and keeps the GPU waiting."""
_RESULT = re.compile(r"result (\S+), ([\d.]+) s")
_FORETOLD = re.compile(r"([\d.]+)× \(([\d.]+)–([\d.]+)\)")
_CAPTURE_S, _LATE_S = 150.0, 5.0
"""Longest time of a capture, and what an optimization takes beyond its budget."""


def once(words: list[str], variables: dict[str, str]) -> tuple[float, float, float, str]:
    """Run a program; return the seconds of the process and of its loop, what it computed, and what it said on standard error."""
    began_s = time.perf_counter()
    done = subprocess.run(words, capture_output=True, text=True, check=False, env={**os.environ, **variables})
    spent_s, found = time.perf_counter() - began_s, _RESULT.search(done.stdout)
    if found is None:
        raise SystemExit(f"{words} ended with {done.returncode}: {told(done.stderr, done.stdout)}")
    return spent_s, float(found[2]), float(found[1]), done.stderr[-1500:]


def optimized(session: Session, name: str, costs: dict, took_s: float) -> list[dict]:
    """Optimize the most expensive kernels of a capture while time is left to measure the program, which takes `took_s`; return what came of each."""
    rows = []
    for cost in costs["rows"][: session.given.kernels]:
        budget_s = session.given.budget
        if session.left_s < budget_s + _LATE_S + 2 * session.given.rounds * took_s:
            print("   no time for", cost["kernel"], flush=True)
            break
        code, out, err = session.hotloop(
            "optimize", f"{session.work / name}.capture/{cost['kernel']}", "--budget", f"{budget_s:.0f}", "--no-peers", "--json", "-q", "--fresh", limit_s=budget_s + 40
        )  # fmt: skip
        answer = json.loads(out[out.index("{") :]) if "{" in out else {"error": told(err, out)}
        run = json.loads(session.hotloop("history", "--json", limit_s=30)[1] or "[{}]")[0].get("id", "")
        rows.append({"kernel": cost["kernel"], "cost": cost, "code": code, "run": run, "answer": answer})
        print("  ", cost["kernel"], code, json.dumps(answer.get("headline", answer.get("error")))[:300], flush=True)
    return rows


def measured(session: Session, words: list[str], adoption: Path) -> dict:
    """Run a program as it was and with the winners, in alternating order."""
    plain = {"PYTHONPATH": str(session.given.site.resolve())}
    with_winners = {**environment(), "HOTLOOP_ADOPT": str(adoption)}
    with_winners["PYTHONPATH"] += os.pathsep + plain["PYTHONPATH"]
    turns: dict[str, list] = {"before": [], "adopted": []}
    for number in range(session.given.rounds):
        for way in list(turns)[:: 1 if number % 2 == 0 else -1]:
            turns[way].append(once(words, plain if way == "before" else with_winners))
    for at, kind in enumerate(("process", "loop")):
        ratios = [old[at] / new[at] for old, new in zip(turns["before"], turns["adopted"], strict=True)]
        print(f"   {kind}: {statistics.median(ratios):.3f} ({min(ratios):.3f}-{max(ratios):.3f})", flush=True)
    print(
        "   computed", turns["before"][0][2], turns["adopted"][0][2], "said", told(turns["adopted"][0][3]), flush=True
    )
    return turns


def whole(session: Session, name: str) -> dict:
    """Do all of it for one program."""
    file, first, further = PROGRAMS[name]
    start = [sys.executable, str(ROOT / "benchmarks" / "programs" / f"{file}.py")]
    words, site = [*start, *further], {"PYTHONPATH": str(session.given.site.resolve())}
    row: dict = {"program": name, "words": words[2:], "first": once([*start, *first], site)}
    print(name, "first", row["first"][:3], flush=True)
    code, out, err = session.hotloop("capture", "--force", "--json", "--no-roof", "--out", str(session.work / f"{name}.capture"), "--", *words, limit_s=_CAPTURE_S)  # fmt: skip
    if code or "{" not in out:
        return row | {"error": f"capture ended with {code}: {told(err, out)}"}
    row["captured"] = json.loads(out[out.index("{") :])
    for cost in row["captured"]["costs"]["rows"][:8]:
        print("  ", json.dumps(cost)[:260], flush=True)
    row["kernels"] = optimized(session, name, row["captured"]["costs"], row["captured"]["capture"]["wall_s"])
    winners = [one["run"] for one in row["kernels"] if one["code"] == 0]
    if not winners:
        return row | {"error": "no kernel was optimized"}
    adoption = session.work / f"{name}.json"
    code, _, row["sentence"] = session.hotloop("adopt", ",".join(winners), "--out", str(adoption), limit_s=60)
    print("  ", code, row["sentence"].strip(), flush=True)
    found = _FORETOLD.search(row["sentence"])
    row["foretold"] = [float(one) for one in found.groups()] if found else None
    return row | {"measured": measured(session, words, adoption)} if code == 0 else row


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--site", type=Path, required=True)
    asked.add_argument("--only", default="")
    asked.add_argument("--budget", type=float, default=40.0)
    asked.add_argument("--kernels", type=int, default=2)
    asked.add_argument("--rounds", type=int, default=3)
    asked.add_argument("--limit-s", type=float, default=500.0)
    given = asked.parse_args()
    given.pretend, given.stacks = "", False
    OUT.mkdir(parents=True, exist_ok=True)
    chosen = [name for name in PROGRAMS if not given.only or name in given.only.split(",")]
    with tempfile.TemporaryDirectory() as work, (OUT / "wholes.jsonl").open("a") as record:
        for at, name in enumerate(chosen):
            limit_s = given.limit_s / (len(chosen) - at)
            session = Session(argparse.Namespace(**{**vars(given), "limit_s": limit_s}), Path(work))
            record.write(json.dumps(whole(session, name)) + "\n")
            record.flush()
            given.limit_s -= time.monotonic() - session.began_s


if __name__ == "__main__":
    main()
