"""What predicted times are worth to a search, and what wrong ones cost: recorded times replayed, in the bare predicted order and in searches.

    python benchmarks/predict_search.py results/predict-.../locality.jsonl MORE.jsonl --only seven,rows --out ROWS.jsonl

The rows of `predict_convolution.py`, or those of each family of `predict_locality.py`, are a space. Of each the whole is searched with `--runs` seeds, and so many random
halves (`--halves`), each with its own best. What is counted is configurations tried until within 5 % of the best of those at hand, over what a random order needs on average; printed is how many times
fewer than that (of halves the geometric mean), *found* without a start and with one that is drawn at random and counted as tried, as an incumbent is.

*bare* is the predicted order. *with local* is what `tune` did until the sixteenth run: a local search whose first three tries are the one predicted fastest and two that may be as good; *another's* the surrogate
with these first tries and predictions as another machine's times; *now* the surrogate as it is given predictions now (doubted ones where their order is no opinion); *without* gives it none, and *doubted*, which `--kinds` asks for, all of them as doubted ones. What a search is given is what `hotloop.app.predict.foretell` would pass on, of the
rows here all. *reversed* predictions are the same times in reverse order of the configurations.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from statistics import fmean, geometric_mean
from typing import Any

from predict_opinion import recorded, turns

from hotloop.app.predict.foretell import worth
from hotloop.model.space import Config, Constraint, Parameter, Space
from hotloop.search.foretold import Foretold
from hotloop.search.strategy import Strategy, named

NAMES = ("block_size_x", "block_size_y", "tile_size_x", "tile_size_y", "read_only", "use_padding")
CLOSE, FIRST, CAP = 1.05, 3, 400
Key = tuple[int, ...]
Row = dict[str, Any]
Table = dict[Key, Row]
KINDS = ("bare", "with local", "another's", "now", "without")
READING = ("bare", "with local", "another's", "now", "doubted")


def main() -> None:
    """Replay searches and print how many evaluations they needed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=Path, nargs="+")
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--halves", type=int, default=100)
    parser.add_argument("--only", default="")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    spaces = read(given.rows)
    chosen = [name for name in spaces if not given.only or name in given.only.split(",")]
    saved: dict[tuple[str, bool, bool], list[tuple[float, float]]] = {}
    for name in chosen:
        names, table = spaces[name]
        for kind, started, wrong in product(given.kinds.split(","), (False, True), (False, True)):
            if wrong and kind not in READING:
                continue
            rows = list(replays(names, table, kind, given.runs, given.halves, started=started, wrong=wrong))
            whole, halves = ([row for row in rows if (row["part"] == "half") == half] for half in (False, True))
            factors = whole[0]["chance"] / fmean(row["tried"] for row in whole), saved_by(halves)
            saved.setdefault((kind, started, wrong), []).append(factors)
            print(f"{name}, {title(kind, started, wrong)}: whole {factors[0]:.2f}, halves {factors[1]:.2f}", flush=True)
            if given.out:
                with given.out.open("a") as file:
                    file.writelines(json.dumps({"space": name, **row}) + "\n" for row in rows)
    for key, factors in saved.items():
        whole, halves = (geometric_mean(column) for column in zip(*factors, strict=True))
        print(f"all {len(factors)}, {title(*key)}: whole {whole:.2f}, halves {halves:.2f}")


def title(kind: str, started: bool, wrong: bool) -> str:
    """Return how a figure is printed."""
    return kind + (", reversed" if wrong else "") + (", start given" if started else "")


def saved_by(rows: list[Row]) -> float:
    """Return the geometric mean of times fewer than by chance."""
    return geometric_mean(row["chance"] / row["tried"] for row in rows)


def read(files: list[Path]) -> dict[str, tuple[tuple[str, ...], Table]]:
    """Return the parameters' names and the rows of each space that have a prediction."""
    spaces: dict[str, tuple[tuple[str, ...], Table]] = {}
    for row in (json.loads(line) for path in files for line in path.read_text().splitlines()):
        if "predicted" in row and row["ms"]:
            names = tuple(part.partition("=")[0] for part in row["config"].split(",")) if "config" in row else NAMES
            spaces.setdefault(row.get("family", "convolution"), (names, {}))[1][key_of(row)] = row
    return spaces


def key_of(row: Row) -> Key:
    """Return the values of a row's configuration."""
    if "config" in row:
        return tuple(int(part.partition("=")[2]) for part in row["config"].split(","))
    return tuple(map(int, row["name"].split("_")[: len(NAMES)]))


def replays(
    names: tuple[str, ...], table: Table, kind: str, runs: int, halves: int, *, started: bool, wrong: bool
) -> Iterator[Row]:
    """Yield what each search of the whole space and of its halves needed."""
    settled = kind == "bare" and not started  # the same for every seed
    for part, count in (("whole", 1 if settled else runs), ("half", halves)):
        for seed in range(count):
            keys = sorted(table)
            mine = keys if part == "whole" else random.Random(seed).sample(keys, len(keys) // 2)
            some = {key: table[key] for key in mine}
            best = min(row["ms"] for row in some.values())
            good = {key for key, row in some.items() if row["ms"] <= CLOSE * best}
            start = random.Random(1000 + seed).choice(sorted(some)) if started else None
            tried = search(names, some, good, kind, start, seed, wrong=wrong)
            chance = (len(some) + 1) / (len(good) + 1)
            yield {
                "kind": kind, "part": part, "seed": seed, "started": started, "reversed": wrong, "tried": tried, "chance": chance
            }  # fmt: skip


def search(
    names: tuple[str, ...], table: Table, good: set[Key], kind: str, start: Key | None, seed: int, *, wrong: bool
) -> int:
    """Return the evaluations that one run needed."""
    times = {key: row["predicted"] * 1e6 for key, row in table.items()}
    if wrong:
        order = sorted(times, key=times.__getitem__)
        times = {key: times[other] for key, other in zip(order, reversed(order), strict=True)}
    if kind == "bare":
        ordered = [start] * (start is not None) + [key for key in sorted(times, key=times.__getitem__) if key != start]
        return 1 + next(count for count, key in enumerate(ordered) if key in good)
    believed = worth({key: recorded(row) for key, row in table.items()})
    guessed = {config(names, key): times[key] for key in believed}
    everything = {config(names, key): ns for key, ns in times.items()}
    begin = [] if start is None else [config(names, start)]
    made = strategy(kind, space_of(names, table), seed, begin, guessed, everything)
    for count in range(1, CAP + 1):
        asked = made.ask()
        if asked is None:
            break
        key = tuple(asked[name] for name in names)
        if key in good:
            return count
        made.tell(asked, table[key]["ms"] * 1e6)
    return CAP


def strategy(
    kind: str, space: Space, seed: int, start: list[Config], guessed: dict[Config, float], every: dict[Config, float]
) -> Strategy:
    """Return a search of one kind."""
    configs, doubted = list(guessed), Foretold(every, doubted=True)
    told = Foretold(guessed) if guessed else doubted
    drawn = [configs[n] for n in turns([guessed[one] for one in configs], seed)[:FIRST]]
    made: dict[str, Callable[[], Strategy]] = {
        "with local": lambda: named("local")(space, seed, start=[*start, *drawn]),
        "another's": lambda: named("surrogate")(space, seed, start=[*start, *drawn], elsewhere=[guessed] if guessed else []),
        "now": lambda: named("surrogate")(space, seed, start=[*start, *told.best], foretold=told),
        "doubted": lambda: named("surrogate")(space, seed, start=start, foretold=doubted),
        "without": lambda: named("surrogate")(space, seed, start=start),
    }  # fmt: skip
    return made[kind]()


def space_of(names: tuple[str, ...], table: Table) -> Space:
    """Return a space that holds exactly the recorded configurations."""
    parameters = tuple(Parameter(name, tuple(sorted({key[k] for key in table}))) for k, name in enumerate(names))
    return Space(parameters, (Constraint("was recorded", lambda c: tuple(c[n] for n in names) in table, names),))


def config(names: tuple[str, ...], key: Key) -> Config:
    """Return a row's configuration."""
    return Config(dict(zip(names, key, strict=True)))


if __name__ == "__main__":
    main()
