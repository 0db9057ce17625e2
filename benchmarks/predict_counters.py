"""Predicted against counted traffic of caches: the reuse model's bytes beside an NVIDIA card's own counters, configuration by configuration.

    python benchmarks/predict_counters.py ../shared/spaces/ktt-conv-RTX2080Ti.json.gz KernelTunerConvolution.cu OUT.jsonl [--count 60]
    python benchmarks/predict_counters.py --score OUT.jsonl

The recorded space has sectors (32 bytes) between first- and second-level caches and to and from device memory for each configuration. Its kernel
(HiPerCoRe/KTT, Examples/KernelTunerConvolution, MIT) is compiled for a GPU with waves of 32 lanes; addresses do not depend on the
instruction set, so the caches of the card that was counted, given below, must let through what it counted. Times are not compared.
"""

from __future__ import annotations

import argparse
import dataclasses
import gzip
import json
import random
import statistics
import tempfile
from pathlib import Path
from typing import Any

from predict_convolution import rho

from hotloop.app.code.offline import compile_offline
from hotloop.compilers.offer import Compiled
from hotloop.emulate.launch import Launch
from hotloop.emulate.memory import Blank
from hotloop.errors import HotloopError
from hotloop.predict.ask import kernel
from hotloop.predict.card import Card, card
from hotloop.predict.reuse import Residency, flow
from hotloop.predict.sample import sample

SECTOR, THREADS, BLOCKS, REGISTERS, SHARED, L1 = 32, 1024, 16, 65536, 65536, 98304
"""Of a Turing SM: CUDA C++ programming guide, compute capability 7.5; first-level cache and shared memory are one of 96 KiB."""
SIDE, BORDER = 4096, 14
Row = dict[str, Any]


def turing(shared_bytes: int) -> Card:
    """Return the caches of an RTX 2080 Ti (NVIDIA Turing white paper: 68 SMs, 5.5 MiB of L2); its other facts are not asked for."""
    return dataclasses.replace(
        card("W7800"), name="RTX 2080 Ti", units=68, unit_simds=4, simds=4, dies=1, arrays=0, array_bytes=0, mall_bytes=0,
        line_bytes=SECTOR, l1_bytes=L1 - (32768 if shared_bytes <= 32768 else 65536), l2_bytes=5_767_168,
    )  # fmt: skip


def resident(row: Row) -> int:
    """Return the blocks of an SM at a time."""
    threads = row["local"]["X"] * row["local"]["Y"]
    used = row["compilation"]
    limits = [BLOCKS, THREADS // threads, REGISTERS // (-(-used["RegistersCount"] // 8) * 8 * (-(-threads // 32) * 32))]
    return max(1, min([*limits, SHARED // max(1, used["LocalMemorySize"])]))


def predicted(source: Path, row: Row) -> Row:
    """Return the predicted sectors."""
    names = (
        "BLOCK_SIZE_X",
        "BLOCK_SIZE_Y",
        "TILE_SIZE_X",
        "TILE_SIZE_Y",
        "IMAGE_WIDTH",
        "IMAGE_HEIGHT",
        "HFS",
        "READ_ONLY",
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "k.hip"
        path.write_text(
            f"#include <hip/hip_runtime.h>\n#define use_padding {row['PADDING']}\n{source.read_text(encoding='utf-8')}"
        )
        macros = {name: row[name] for name in names}
        made = compile_offline(f"{path}:Convolution", "gfx1100", parameters=macros | {"READ_ONLY": 0})
    if not isinstance(made, Compiled):
        raise TypeError(str(made)[:200])
    compiled = kernel(made.listing)
    sizes = (4 * SIDE**2, 4 * (SIDE + BORDER) ** 2, 4 * 225)
    grid, group = (tuple(row[key][axis] for axis in "XYZ") for key in ("global", "local"))
    launch = Launch(arguments=[Blank(n) for n in sizes], grid=grid, workgroup=group)
    held, device = resident(row), turing(resident(row) * row["compilation"]["LocalMemorySize"])
    taken = sample(compiled.program, launch, held * device.units)
    moved = flow(taken, device, Residency(grid=grid, unit_groups=held), SECTOR)
    return {"l2": moved.l2_bytes / SECTOR, "memory": moved.memory_bytes / SECTOR, "resident": held}


def score(rows: list[Row]) -> None:
    """Print rank correlations and factors."""
    scored = [row for row in rows if "l2" in row and not row["spilled"]]  # spills are the other compiler's
    for key, counted in (("l2", "lts"), ("memory", "dram")):
        factors = [max(row[key] / row[counted], row[counted] / row[key]) for row in scored]
        close = sum(factor <= 1.1 for factor in factors) / len(scored)
        print(
            f"{key}: {len(scored)} configurations, rho {rho([r[key] for r in scored], [r[counted] for r in scored]):.3f}, "
            f"median factor {statistics.median(factors):.3f}, within 1.1 {close:.0%}, worst {max(factors):.2f}"
        )


def main() -> None:
    """Predict a random part of the space, or score what was predicted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("space", type=Path, nargs="?")
    parser.add_argument("source", type=Path, nargs="?")
    parser.add_argument("out", type=Path, nargs="?")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--score", type=Path)
    given = parser.parse_args()
    if given.score:
        score([json.loads(line) for line in given.score.read_text().splitlines()])
        return
    with gzip.open(given.space) as file:
        rows = {key: row for key, row in json.load(file)["cache"].items() if "__error__" not in row}
    names = sorted(rows)
    random.Random(given.seed).shuffle(names)
    for name in names[: given.count]:
        counted = rows[name]["counters"]
        dram = counted["dram__sectors_read.sum"] + counted["dram__sectors_write.sum"]
        lts = counted["lts__t_sectors_op_read.sum"] + counted["lts__t_sectors_op_write.sum"]
        answer: Row = {
            "name": name,
            "lts": lts,
            "dram": dram,
            "spilled": counted["l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum"],
        }
        try:
            answer |= predicted(given.source, rows[name])
        except (HotloopError, TypeError) as error:
            answer["error"] = f"{type(error).__name__}: {error}"[:300]
        with given.out.open("a") as file:
            file.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    main()
