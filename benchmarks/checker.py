"""Runs the checker's whole record on one tree: planted bugs, cheats in the source, cheats in Python files; resumable.

    python benchmarks/checker.py OUT.jsonl [--part mutants ...] [--jobs 1] [--cores 2] [--names WORD ...] [--report]

Parts, in order: `catalogue` (bugs in hotloop's own kernels), `mutants` (tests/planted/strangers and newcomers, by `check`), `sanitize` (what
`mutants` let pass, and the clean kernels, on oclgrind), `source` (cheats as `compare` judges them), `others` (the same beside other kernels), `stored` (the same in a `tune` run with a store of its
own), `python` (`hotloop compare A.py B.py` as typed). Each unit of work is a process of its own, `--jobs` of them at once, each on `--cores`
processors. Rows are appended as units end, with CPU seconds; the same command continues where it was stopped, and refuses rows of another
tree. Exit code 1 where a cheat won or was stored, or a clean kernel was refused.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import platform
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

import stand
import strangers

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "planted"))

PARTS = ("catalogue", "mutants", "sanitize", "source", "others", "stored", "python")
TOGETHER = {"source": 6, "others": 6, "stored": 8}
"""Cheats of one process: what they share (the honest kernel, its references) costs as much as a cheat."""
UNIT_S = 1500
"""Longest that a unit may take, in s: it is then ended, and what it had not reached counts as not run."""
TUNE_S = 12.0
"""Budget of a tune run for each configuration in it."""
Row = dict[str, object]


def tree() -> str:
    """Return a digest of what is run: the product and everything planted."""
    files = [
        path
        for folder in ("src", "tests/planted", "examples")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.is_file() and path.suffix not in (".pyc", ".so")
    ]
    whole = hashlib.sha256()
    for path in files:
        whole.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return whole.hexdigest()[:16]


def conditions(tree_digest: str, jobs: int, cores: int) -> Row:
    from hotloop.app import session

    with session.desk(session.Options()) as desk:
        device = desk.device.key
    versions = {name: _version(name) for name in ("intel-opencl-rt", "pyopencl", "numpy")}
    return {"part": "conditions", "tree": tree_digest, "device": device, "python": platform.python_version(), "jobs": jobs,
            "cores_each": cores, "versions": versions, **stand.conditions()}  # fmt: skip


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "?"


# --- units -----------------------------------------------------------------------------------------------------------


def units(part: str, rows: Sequence[Row], words: Sequence[str]) -> list[tuple[str, ...]]:
    """Return what is left to run of a part: names that one process takes together."""
    done = {row["unit"] for row in rows if row["part"] == part}
    left = [name for name in _names(part, rows) if name not in done and (not words or any(w in name for w in words))]
    size = TOGETHER.get(part, 1)
    return [tuple(left[i : i + size]) for i in range(0, len(left), size)]


def _names(part: str, rows: Sequence[Row]) -> list[str]:
    if part == "catalogue":
        from hotloop import registry
        from hotloop.app.verify import checker

        return list(registry.names(checker.SPECIMENS))
    if part in ("mutants", "sanitize"):
        files = [file for folder in strangers.FOLDERS for file in sorted((strangers.PLANTED / folder).glob("*.py"))]
        every, missed = [file.stem for file in files], _missed(rows)
        return every if part == "mutants" else [*missed, *(name for name in every if name not in missed)]
    return [cheat["name"] for cheat in _cheats(part)]


def _missed(rows: Sequence[Row]) -> dict[str, list[int]]:
    """Return the numbers of the bugs that the check let pass, by file."""
    missed: dict[str, list[int]] = {}
    for row in rows:
        if row["part"] == "mutants" and row.get("bug") and not row["caught"]:
            missed.setdefault(str(row["unit"]), []).append(int(str(row["index"])))
    return missed


def _cheats(part: str) -> list[dict]:
    import tomllib

    table = part if part in ("python", "others") else "source"
    return tomllib.loads((strangers.PLANTED / "cheats" / f"{table}.toml").read_text())["cheat"]


def run_unit(part: str, names: Sequence[str], survivors: Sequence[int]) -> Iterator[Row]:
    """Run in this process; rows say to which name they belong."""
    if part == "catalogue":
        yield from _catalogue(names[0])
    elif part in ("mutants", "sanitize"):
        yield from _mutants(names[0], survivors if part == "sanitize" else None)
    elif part == "source":
        yield from _source(names)
    elif part == "others":
        yield from _others(names)
    elif part == "stored":
        yield from _stored(names)
    else:
        yield _python(names[0])


def _catalogue(name: str) -> Iterator[Row]:
    from hotloop.app import session
    from hotloop.app.events import Silent
    from hotloop.app.verify import checker

    answer = checker.catalogue(session.Options(limit_s=30), Silent(), (name,))
    for clean in answer.clean:
        yield {"unit": name, "bug": "", "caught": bool(clean.reason), "reason": clean.reason, "problem": clean.problem}
    for row in answer.rows:
        yield {"unit": name, "bug": row.bug, "kind": row.kind, "caught": bool(row.guard), "guard": row.guard}
    for told in answer.skipped:
        yield {"unit": name, "skipped": told}


def _mutants(name: str, survivors: Sequence[int] | None) -> Iterator[Row]:
    from hotloop.app import session

    file = next(f for folder in strangers.FOLDERS if (f := strangers.PLANTED / folder / f"{name}.py").exists())
    made = strangers.rows if survivors is None else strangers.simulated
    with session.desk(session.Options(limit_s=60, seed=1)) as desk:
        for row in made(desk, file, survivors):
            yield {"unit": name, "folder": file.parent.name, **asdict(row)}


def _source(names: Sequence[str]) -> Iterator[Row]:
    import test_source_cheats as planted

    from hotloop.app import session

    by_name = {cheat["name"]: cheat for cheat in _cheats("source")}
    with session.desk(session.Options(limit_s=20)) as desk:
        workload = planted.stand_for(desk)
        for name in names:
            began_s = time.monotonic()
            cheat = planted.kernel(planted.source(by_name[name]["body"], by_name[name].get("state", "")))
            won, why = planted.contest(desk, workload, cheat)
            right = by_name[name].get("right", False)  # for every legal input, and without memory: no cheat
            yield {
                "unit": name,
                "right": right,
                "won": won,
                "why": why,
                "seconds": round(time.monotonic() - began_s, 1),
            }


def _others(names: Sequence[str]) -> Iterator[Row]:
    import test_other_cheats as planted

    from hotloop.app import session

    chosen = sorted((one for one in _cheats("others") if one["name"] in names), key=lambda one: one["host"])
    with session.desk(session.Options(limit_s=20)) as desk:
        for host, cheats in groupby(chosen, key=lambda one: one["host"]):
            workload = planted.stand_for(desk, host)
            for cheat in cheats:
                began_s = time.monotonic()
                won, why = planted.contest(desk, workload, cheat)
                took_s = round(time.monotonic() - began_s, 1)
                right = cheat.get("right", False)
                yield {
                    "unit": cheat["name"],
                    "host": host,
                    "right": right,
                    "won": won,
                    "why": why[:300],
                    "seconds": took_s,
                }


def _stored(names: Sequence[str]) -> Iterator[Row]:
    """Tune the honest kernel with cheats as its other configurations, tried one after the other; see what the store keeps."""
    import test_source_cheats as planted

    from hotloop.app import session
    from hotloop.app.run import climb
    from hotloop.app.run.plan import Plan
    from hotloop.model.kernel import Implementation
    from hotloop.model.space import Config, Parameter, Space
    from hotloop.model.step import Decision

    by_name = {cheat["name"]: cheat for cheat in _cheats("source")}
    texts = ["y[i] = f(x[i]);", *(by_name[name]["body"] for name in names)]
    states = ["", *(by_name[name].get("state", "") for name in names)]
    plans = [planted.kernel(planted.source(t, s)).implementations[0].plan for t, s in zip(texts, states, strict=True)]
    space = Space((Parameter("CHEAT", tuple(range(len(texts)))),))
    several = Implementation("k", "opencl", space, Config(CHEAT=0), lambda p, c, d: plans[int(c["CHEAT"])](p, c, d))
    kernel = replace(planted.HONEST, implementations=(several,))
    seeds = tuple(Config(CHEAT=number) for number in range(1, len(texts)))
    plan = Plan(budget_s=20 + TUNE_S * len(texts), techniques=False, peers=False, seeds=seeds)
    with TemporaryDirectory() as folder:
        options = session.Options(store=f"{folder}/store.db", limit_s=20, seed=time.time_ns() % 2**31)
        request = climb.Request(
            kind="tune", kernel=kernel, spec="relax", problem=kernel.problem, plan=plan, options=options
        )
        record = climb.run(request)
        with session.open_store(options, read_only=True) as store:
            kept = {int(one.winner.config["CHEAT"]) for one in store.all_best()}
    for number, name in enumerate(names, 1):
        steps = [step for step in record.steps if step.config["CHEAT"] == number]
        keep = any(step.decision is Decision.KEEP for step in steps)
        why = "; ".join(step.reason for step in steps) or "not reached"
        right = by_name[name].get("right", False)
        yield {
            "unit": name,
            "right": right,
            "stored": number in kept,
            "kept": keep,
            "tried": bool(steps),
            "why": why[:300],
        }


def _python(name: str) -> Row:
    import test_python_cheats as planted

    cheat = next(cheat for cheat in _cheats("python") if cheat["name"] == name)
    began_s = time.monotonic()
    with TemporaryDirectory() as place:
        folder = Path(place)
        planted.write(folder, "A.py", "honest")
        planted.write(folder, "B.py", cheat["kernel"], cheat["top"], cheat.get("inputs", ""), cheat.get("option", ""))
        before = (folder / "A.py").read_bytes()
        try:
            code, verdict = planted.compare(folder)
        except subprocess.TimeoutExpired:
            code, verdict = -1, "TIMED OUT"
        left = sorted(one.name for one in folder.iterdir() if one.name not in ("__pycache__", "A.py", "B.py"))
        changed = (folder / "A.py").read_bytes() != before
    won = code == 0 or verdict.upper() in ("FASTER", "SAME")
    return {"unit": name, "won": won, "stored": "store.db" in left, "left": left, "changed": changed, "code": code,
            "verdict": verdict, "seconds": round(time.monotonic() - began_s, 1)}  # fmt: skip


# --- the run ---------------------------------------------------------------------------------------------------------


def run_part(part: str, out: Path, rows: list[Row], words: Sequence[str], jobs: int, cores: int) -> None:
    """Run what is left of a part in processes of its own, and append rows as they end."""
    missed = _missed(rows)
    commands = {
        names: [sys.executable, __file__, str(out), "--unit", part, json.dumps([names, missed.get(names[0], [])])]
        for names in units(part, rows, words)
    }
    for names, ended in stand.side_by_side(commands, jobs, cores, UNIT_S):
        made = [json.loads(line) for line in ended.stdout.splitlines() if line.startswith('{"unit"')]
        reached = {row["unit"] for row in made}
        made += [{"unit": name, "failed": ended.stderr[-400:]} for name in names if name not in reached]
        with out.open("a", encoding="utf-8") as kept:
            for row in ({"part": part, **row, "unit_cpu_s": round(ended.cpu_s, 2)} for row in made):
                rows.append(row)
                kept.write(json.dumps(row) + "\n")
        print(f"{part}: {', '.join(names)}: {len(made)} rows, {ended.cpu_s:.0f} s of CPU", flush=True)


def main() -> int:
    parser = stand.parser(__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--part", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--cores", type=int, default=2, help="processors of each job")
    parser.add_argument("--names", nargs="+", default=(), help="only what has one of these words in its name")
    parser.add_argument("--report", action="store_true", help="run nothing, print what the rows say")
    parser.add_argument("--unit", nargs=2, help="for this script alone: a part, and names as JSON")
    asked = parser.parse_args()
    if asked.unit:
        names, survivors = json.loads(asked.unit[1])
        for row in run_unit(asked.unit[0], names, survivors):
            print(json.dumps(row), flush=True)
        return 0
    rows: list[Row] = [json.loads(line) for line in asked.out.read_text().splitlines()] if asked.out.exists() else []
    if not asked.report:
        digest = tree()
        if {row["tree"] for row in rows if row["part"] == "conditions"} - {digest}:
            parser.error(f"{asked.out} has rows of another tree than {digest}")
        rows = [row for row in rows if "failed" not in row]  # they are tried again
        asked.out.write_text("".join(json.dumps(row) + "\n" for row in rows))
        with asked.out.open("a") as kept:
            rows.append(conditions(digest, asked.jobs, asked.cores))
            kept.write(json.dumps(rows[-1]) + "\n")
        for part in (part for part in PARTS if part in asked.part):
            run_part(part, asked.out, rows, asked.names, asked.jobs, asked.cores)
    return report(rows)


def report(rows: Sequence[Row]) -> int:
    """Print counts; return the exit code."""
    bad = 0
    for part in PARTS:
        own = [row for row in rows if row["part"] == part]
        if own:
            bad += (_bugs if part in ("catalogue", "mutants", "sanitize") else _contests)(part, own, rows)
    seconds = {(row["part"], row["unit"]): row["unit_cpu_s"] for row in rows if "unit_cpu_s" in row}
    grouped = Counter[str]()
    for (part, _), cpu_s in seconds.items():
        grouped[str(part)] += float(str(cpu_s)) / TOGETHER.get(str(part), 1)
    print("CPU seconds:", ", ".join(f"{part} {cpu_s:.0f}" for part, cpu_s in grouped.items()))
    return int(bad > 0)


def _bugs(part: str, own: Sequence[Row], rows: Sequence[Row]) -> int:
    failed = [row for row in own if "failed" in row]
    bugs = [row for row in own if row.get("bug")]
    clean = [row for row in own if row.get("bug") == ""]
    alarms = [row for row in clean if row["caught"]]
    caught = sum(bool(row["caught"]) for row in bugs)
    print(f"\n{part}: {caught} of {len(bugs)} bugs caught, {len(clean) - len(alarms)} of {len(clean)} clean kernels pass"
          f"{f', {len(failed)} units failed' if failed else ''}")  # fmt: skip
    if part == "sanitize":
        before = [row for row in rows if row["part"] == "mutants" and row.get("bug")]
        whole = sum(bool(row["caught"]) for row in before) + caught
        print(f"check and sanitizer together: {whole} of {len(before)} ({whole / max(1, len(before)):.1%})")
    else:
        every, hit = (
            Counter(str(row["kind"]) for row in bugs),
            Counter(str(row["kind"]) for row in bugs if row["caught"]),
        )
        thin = [f"{kind} {hit[kind]}/{count}" for kind, count in sorted(every.items()) if hit[kind] < count]
        print(f"{len(every)} kinds of bugs; all caught but: {', '.join(thin) or 'none'}")
        print(
            "guards:",
            ", ".join(f"{g} {n}" for g, n in Counter(str(r["guard"]) for r in bugs if r["caught"]).most_common()),
        )
    for row in [*alarms, *(row for row in bugs if not row["caught"])]:
        print(
            f"  {'MISSED' if row.get('bug') else 'ALARM'} {row['unit']} {row.get('implementation', '')}: {row['bug']} {row.get('reason', '')}"
        )
    return len(alarms) + len(failed)


def _contests(part: str, own: Sequence[Row], _rows: Sequence[Row]) -> int:
    failed = [row for row in own if "failed" in row]
    won, stored = ([row for row in own if row.get(what) and not row.get("right")] for what in ("won", "stored"))
    idle = [row for row in own if row.get("tried") is False]
    print(f"\n{part}: {len(own) - len(failed) - len(idle)} cheats run, {len(won)} won, {len(stored)} stored"
          f"{f', {len(failed)} failed to run' if failed else ''}{f', {len(idle)} not reached' if idle else ''}")  # fmt: skip
    for row in [
        *won,
        *stored,
        *failed,
        *idle,
        *(row for row in own if row.get("kept") or row.get("changed") or row.get("left")),
    ]:
        print(f"  {row['unit']}: {row}")
    words = Counter(str(row.get("why") or row.get("verdict") or "refused").partition(" ")[0].strip(",") for row in own)
    print("answers:", ", ".join(f"{word} {count}" for word, count in words.most_common(12)))
    return len(won) + len(stored) + len(failed)


if __name__ == "__main__":
    raise SystemExit(main())
