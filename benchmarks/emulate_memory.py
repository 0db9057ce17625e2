"""Memory that executing a small kernel takes beside its buffers: what every execution costs, and what each byte of a buffer adds.

    python benchmarks/emulate_memory.py --target gfx942 --out memory.json

`y[i] = a * x[i]` over more and more elements, with all checks, in both back ends; each size in a process of its own. Memory is the growth of the
largest resident size from before the first execution (listing read, arrays made and touched) to its end. A second column takes a first execution
of one element away: what that costs (the interpreter opened, tables, the first cohorts) is the constant.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from hotloop.app.code.offline import compile_offline
from hotloop.compilers import executor
from hotloop.compilers.offer import Compiled
from hotloop.emulate.launch import Launch, run
from hotloop.emulate.program import load

SOURCE = "kernel void scale(global const float *x, global float *y, float a) { size_t i = get_global_id(0); y[i] = a * x[i]; }"
GROUP = 256


def grown_bytes() -> int:
    """Return the largest resident size so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def measure(listing: str, n: int, native: bool, pipe: Any) -> None:
    """Send the growth while one element and then n are executed, and the bytes of the buffers."""
    program, backend = load(listing), executor.native() if native else None
    x, y = np.ones(n, np.float32), np.ones(n, np.float32)
    sizes = [grown_bytes()]
    for one, two in ((x[:GROUP].copy(), y[:GROUP].copy()), (x, y)):
        grid = (-(-len(one) // GROUP), 1, 1)
        run(program, Launch(arguments=[one, two, np.float32(2)], grid=grid, workgroup=(GROUP, 1, 1)), backend=backend)
        sizes.append(grown_bytes())
    pipe.send((sizes[1] - sizes[0], sizes[2] - sizes[1], x.nbytes + y.nbytes))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", default="gfx942")
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scale.cl"
        path.write_text(SOURCE)
        made = compile_offline(f"{path}:scale", chosen.target)
    if not isinstance(made, Compiled):
        raise SystemExit(str(made))
    rows, context = [], multiprocessing.get_context("spawn")
    for native in (False, True):
        for n in (GROUP, 1 << 14, 1 << 17, 1 << 20, 1 << 23):
            here, there = context.Pipe()
            process = context.Process(target=measure, args=(made.listing, n, native, there))
            process.start()
            first, further, own = here.recv()
            process.join()
            rows.append(
                {
                    "backend": "C" if native else "NumPy",
                    "elements": n,
                    "buffers": own,
                    "first": first,
                    "further": further,
                }
            )
            print(rows[-1], f"{further / own:.2f} x", flush=True)
    if chosen.out:
        chosen.out.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
