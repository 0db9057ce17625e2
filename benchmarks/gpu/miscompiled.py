"""Programs in Triton's cache that read registers without a value: what a run of random calls compiled, looked at by hotloop's own analysis.

    PYTHONPATH=src python benchmarks/gpu/miscompiled.py FOLDER [--limit-s 60] [--out FILE.jsonl]

FOLDER is what TRITON_CACHE_DIR named. Each cubin is disassembled by nvdisasm, on all cores, in an order drawn at random, until the limit;
programs that stand there several times are looked at once. Printed are the number of programs looked at and of those that were left, then
each with such a register; FILE gets a line for each of these, and its cubin beside it. Exit status 1: there is one.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from hotloop.errors import HotloopError
from hotloop.host import disassemble
from hotloop.isa.dialects.sass import DIALECT
from hotloop.isa.nvidia.unwritten import unwritten
from hotloop.model.record import digest


def looked(path: Path) -> tuple[Path, int, list[str]]:
    """Return a program, its instructions, and what it reads without a value."""
    functions = DIALECT.parse(disassemble.sass(path.read_bytes()))
    said = [f"{f.name}: {found}" for f in functions for found in unwritten(f)]
    return path, sum(len(f.instructions) for f in functions), said


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit-s", type=float, default=60.0)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    ends = time.monotonic() + given.limit_s
    different = {digest([path.read_bytes().hex()]): path for path in given.folder.rglob("*.cubin")}
    programs = list(different.values())
    random.shuffle(programs)
    instructions, bad, done = 0, [], 0
    with ProcessPoolExecutor() as pool:
        for made in as_completed([pool.submit(looked, path) for path in programs]):
            if not made.cancelled() and made.exception() is None:
                path, count, said = made.result()
                done, instructions = done + 1, instructions + count
                bad += [(path, said)] if said else []
            elif isinstance(made.exception(), HotloopError | ValueError):
                print("not read:", made.exception())
            if time.monotonic() > ends:
                pool.shutdown(wait=False, cancel_futures=True)
                break
    print(
        f"{done} programs of {instructions} instructions looked at, {len(programs) - done} left; {len(bad)} with a register without a value"
    )
    for number, (path, said) in enumerate(bad):
        print(path.stem, said)
        if given.out:
            with given.out.open("a", encoding="utf-8") as sink:
                sink.write(json.dumps({"program": path.name, "said": said}) + "\n")
            given.out.with_suffix(f".{number}.cubin").write_bytes(path.read_bytes())
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
