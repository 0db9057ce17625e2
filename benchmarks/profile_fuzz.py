"""Perturbed recordings through all readers: is anything impossible ever said?

    python benchmarks/profile_fuzz.py --count 20000 --seed 1 --processes 2

Bases are the texts of the tests and, where they lie beside the repository, the recordings. Prints what was broken, by law, with the seed
that repeats it (`--only BASE:SEED`), and how answers moved.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
import traceback
from collections import Counter, defaultdict
from multiprocessing import get_context
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "property"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "golden"))

from perturbing import Files, broken, perturbed
from test_published import PUBLISHED
from test_verdicts_amd import SAMPLES

from hotloop.app.explain.answer import Request, explained
from hotloop.errors import HotloopError
from hotloop.report.pages.markdown.explanation import render

LARGEST = 300_000


def bases() -> dict[str, Files]:
    """Return name → files: published texts, folders of one recording, single recordings."""
    found: dict[str, Files] = {
        f"published/{name}": {"page.txt": text.encode()} for name, (text, *_) in PUBLISHED.items()
    }
    folders = defaultdict(dict)
    for path in sorted(SAMPLES.rglob("*")) if SAMPLES.is_dir() else ():
        if (
            path.is_file()
            and path.suffix in {".csv", ".txt", ".json"}
            and path.stat().st_size < LARGEST
            and path.name != "README.md"
        ):
            folders[path.parent.relative_to(SAMPLES)][path.name] = path.read_bytes()
    for folder, files in folders.items():
        if "sysinfo.csv" in files or any("sysinfo" in name for name in files) or "agent" in str(folder):
            found[str(folder)] = files
        else:
            found.update({f"{folder}/{name}": {name: raw} for name, raw in files.items()})
    return found


def asked(files: Files, folder: Path):
    """Return answer, study and page; an error of the user's is None."""
    for name, raw in files.items():
        (folder / name).write_bytes(raw)
    where = folder if len(files) > 1 else folder / next(iter(files))
    page, study = explained(Request(inputs=(str(where),)))
    return page, study, render(page)


def one(task: tuple[str, int]) -> tuple[str, int, str, list[tuple[str, str]], str]:
    name, seed = task
    every = bases_of()
    rng = random.Random(f"{name}:{seed}")
    others = tuple(files for other, files in every.items() if other != name and set(files) & set(every[name]))
    files, done = perturbed(every[name], rng, others)
    mixed = "other(" in done
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        start = time.monotonic()
        try:
            page, study, shown = asked(files, Path(folder))
        except HotloopError as error:
            refusal = str(error)
            odd = [("an error is a sentence", refusal)] if "\n" in refusal or not refusal.isprintable() else []
            return name, seed, done, odd, "refused"
        except Exception:  # noqa: BLE001 -- what escapes is what is looked for
            return name, seed, done, [("no traceback", traceback.format_exc()[-1500:])], "traceback"
    violations = [(law.law, law.said) for law in broken(page, study, shown.replace(folder, "IN"))]
    before = original(name)
    if before is not None and not mixed and not vague(page.subject.device, before[0], done):
        violations.append(("the device", f"{before[0]!r} became {page.subject.device!r}"))
    if time.monotonic() - start > 20:
        violations.append(("in time", f"{time.monotonic() - start:.0f} s"))
    top = page.findings[0] if page.findings else None
    word = "undecided" if top is None else f"{top.rule} {top.confidence}"
    return name, seed, done, violations, word if before is None or before[1] != word else "as before"


def vague(now: str, before: str, done: str) -> bool:
    """Tell whether a device is the one of the unperturbed files, or less well known."""
    if now.partition(";")[0] == before.partition(";")[0]:
        return True
    if now.startswith(("an AMD chip", "an AMD RDNA chip", "an NVIDIA GPU", "a processor", "a gfx")):
        return True
    touched = any(word in done for word in TOUCHING)
    targets = [word.strip("();,") for word in before.split() if word.strip("(").startswith(("gfx", "sm_"))]
    return touched and (not targets or any(target in now for target in targets))


TOUCHING = ("sysinfo", "agent", "(page", "numbers", "lines", "without", "emptied", "cut", "lost")
"""Changes after which the files may name the device less exactly."""
_CACHE: dict[str, object] = {}


def bases_of() -> dict[str, Files]:
    if "bases" not in _CACHE:
        _CACHE["bases"] = bases()
    return _CACHE["bases"]


def original(name: str):
    key = f"original:{name}"
    if key not in _CACHE:
        with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
            try:
                page, _, _ = asked(bases_of()[name], Path(folder))
                top = page.findings[0] if page.findings else None
                _CACHE[key] = (page.subject.device, "undecided" if top is None else f"{top.rule} {top.confidence}")
            except HotloopError:
                _CACHE[key] = None
    return _CACHE[key]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--limit", type=float, default=600)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    if args.only:
        name, _, seed = args.only.rpartition(":")
        print(one((name, int(seed))))
        return
    names = sorted(bases_of())
    rng = random.Random(args.seed)
    tasks = [(rng.choice(names), args.seed * 10_000_000 + n) for n in range(args.count)]
    laws, words, shown, start = Counter(), Counter(), defaultdict(list), time.monotonic()
    with get_context("fork").Pool(args.processes) as pool:
        for number, (name, seed, done, violations, word) in enumerate(pool.imap_unordered(one, tasks, 8)):
            words[word] += 1
            for law, sentence in violations:
                laws[law] += 1
                shown[law].append(f"--only '{name}:{seed}' {done}\n      {sentence}")
            if time.monotonic() - start > args.limit:
                print(f"stopped at {number + 1}")
                break
    print(f"{len(names)} bases, {sum(words.values())} inputs, {time.monotonic() - start:.0f} s")
    for law, count in laws.most_common():
        print(f"BROKEN {law}: {count}")
        for row in shown[law][:6]:
            print("   ", row)
    for word, count in words.most_common(40):
        print(f"{count:6} {word}")


if __name__ == "__main__":
    main()
