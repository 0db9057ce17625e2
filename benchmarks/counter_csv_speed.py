"""How fast, and in how much memory, is a long counter table or a large trace read?

    python benchmarks/counter_csv_speed.py [--csv-mb 1000] [--json-mb 500] [--seed 7] [--folder DIR] [--slow] [--compare]

Writes a rocprofv3 counter table (eight counters a dispatch, two dies that list SQ counters apart, 23 kernels) and a
rocprofv3 JSON record from the seed, reads each in a fresh process pinned to one core, and prints megabytes per second of
CPU and of wall time and the highest resident memory (getrusage) of that process, imports included. The sums found are
compared with those of the writer. `--slow` also reads the table without pyarrow, `--compare` by pyarrow alone, polars and
duckdb where they are installed, on one thread each. Files are removed at the end unless `--folder` is given.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import stand

KERNELS = (
    "void addition_kernel<float>(float*, float const*, float const*, int, int)",
    "Cijk_Ailk_Bljk_HHS_BH_MT128x128x32_MI32x32x8x1_SE_K1",
    "attention_fwd<128, true>(half const*, half const*, half const*, half*, int, float)",
    *(f"kernel_{i}(float*, int)" for i in range(20)),
)
COUNTERS = ("SQ_WAVES", "SQ_INSTS_VALU", "SQ_INSTS_SALU", "SQ_INSTS_LDS", "SQ_BUSY_CU_CYCLES", "GRBM_COUNT", "GRBM_GUI_ACTIVE",
            "TCC_HIT_sum")  # fmt: skip
HEADER = (
    '"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id","Kernel_Name",'
    '"Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Counter_Name",'
    '"Counter_Value","Start_Timestamp","End_Timestamp"\n'
)


def write_csv(path: Path, size_bytes: int, seed: int) -> dict[str, float]:
    """Write a counter table of about a size; return the sum of each counter."""
    rng, sums = random.Random(seed), dict.fromkeys(COUNTERS, 0.0)
    written = dispatch = 0
    clock_ns = 3200098838431081
    with path.open("w", encoding="utf-8") as file:
        written += file.write(HEADER)
        while written < size_bytes:
            dispatch, clock_ns = dispatch + 1, clock_ns + 60_000
            kernel = rng.randrange(len(KERNELS))
            rows = []
            for counter in COUNTERS:
                for _ in range(2 if counter.startswith("SQ_I") else 1):
                    value = rng.randrange(10**6)
                    sums[counter] += value
                    rows.append(f'{dispatch},{dispatch},"Agent 1",1,15606,15606,1048576,{kernel + 10},"{KERNELS[kernel]}",256,1024,0,64,'
                                f'4,32,"{counter}",{value}.000000,{clock_ns},{clock_ns + 50_000}\n')  # fmt: skip
            written += file.write("".join(rows))
    return sums


def write_json(path: Path, size_bytes: int, seed: int) -> dict[str, float]:
    """Write a rocprofv3 record of about a size, names after the dispatches; return the sum of each counter."""
    rng, sums = random.Random(seed), dict.fromkeys(COUNTERS, 0.0)
    written = dispatch = 0
    with path.open("w", encoding="utf-8") as file:
        written += file.write(
            '{"rocprofiler-sdk-tool":[{"metadata":{"pid":15606},"callback_records":{"counter_collection":['
        )
        while written < size_bytes:
            records = []
            for handle, counter in enumerate(COUNTERS):
                value = rng.randrange(10**6)
                sums[counter] += value
                records.append({"counter_id": {"handle": handle}, "value": float(value)})
            dispatch += 1
            info = {"agent_id": {"handle": 1}, "queue_id": {"handle": 1}, "kernel_id": rng.randrange(len(KERNELS)),
                    "dispatch_id": dispatch, "private_segment_size": 0, "group_segment_size": 1024,
                    "workgroup_size": {"x": 256, "y": 1, "z": 1}, "grid_size": {"x": 1048576, "y": 1, "z": 1}}  # fmt: skip
            item = {"dispatch_data": {"correlation_id": {"internal": dispatch, "external": 0}, "dispatch_info": info},
                    "records": records, "thread_id": 15606, "arch_vgpr_count": 64, "sgpr_count": 32, "lds_block_size_v": 1024}  # fmt: skip
            written += file.write(("," if dispatch > 1 else "") + json.dumps(item))
        tail = {
            "agents": [{"id": {"handle": 1}, "node_id": 1, "name": "gfx942", "wave_front_size": 64}],
            "counters": [{"id": {"handle": h}, "name": c} for h, c in enumerate(COUNTERS)],
            "kernel_symbols": [{"kernel_id": k, "formatted_kernel_name": n} for k, n in enumerate(KERNELS)],
        }
        file.write("]}," + json.dumps(tail)[1:] + "]}")
    return sums


def read_profile(path: Path) -> dict[str, float]:
    """Read by hotloop."""
    from hotloop.profilers.reading import read

    sums: dict[str, float] = {}
    for kernel in read(path).kernels:
        for name, tally in kernel.counters.items():
            sums[name] = sums.get(name, 0.0) + tally.total
    return sums


def read_slow(path: Path) -> dict[str, float]:
    """Read by hotloop without pyarrow."""
    from hotloop.profilers.tables import longcsv

    longcsv.fast_available = lambda: False
    return read_profile(path)


def read_arrow(path: Path) -> dict[str, float]:
    """Parse and group each block by pyarrow, nothing else."""
    import pyarrow as pa
    from pyarrow import csv

    text = pa.dictionary(pa.int32(), pa.string())
    kinds = {"Kernel_Name": text, "Counter_Name": text, "Agent_Id": text, "Counter_Value": pa.float64()}
    columns = [*kinds, "Process_Id", "Dispatch_Id", "Start_Timestamp", "End_Timestamp"]
    sums: dict[str, float] = {}
    for block in csv.open_csv(path, csv.ReadOptions(use_threads=False, block_size=4 << 20),
                              convert_options=csv.ConvertOptions(include_columns=columns, column_types=kinds)):  # fmt: skip
        groups = pa.Table.from_batches([block]).group_by(
            ["Process_Id", "Agent_Id", "Dispatch_Id", "Kernel_Name", "Counter_Name"]
        )
        totals = (
            groups.aggregate([("Counter_Value", "sum")])
            .group_by("Counter_Name")
            .aggregate([("Counter_Value_sum", "sum")])
        )
        for name, total in zip(
            *(c.to_pylist() for c in totals.select(["Counter_Name", "Counter_Value_sum_sum"]).columns), strict=True
        ):
            sums[name] = sums.get(name, 0.0) + total
    return sums


def read_polars(path: Path) -> dict[str, float]:
    """Group twice by polars' streaming engine."""
    os.environ["POLARS_MAX_THREADS"] = "1"
    import polars as pl

    keys = ["Process_Id", "Agent_Id", "Dispatch_Id", "Kernel_Name", "Counter_Name"]
    value = pl.col("Counter_Value").sum()
    query = pl.scan_csv(path).group_by(keys).agg(value).group_by("Counter_Name").agg(value)
    return dict(query.collect(engine="streaming").iter_rows())


def read_duckdb(path: Path) -> dict[str, float]:
    """Group twice by duckdb."""
    import duckdb

    query = """SELECT c, sum(v) FROM (SELECT Counter_Name AS c, sum(Counter_Value) AS v FROM read_csv($file)
               GROUP BY Process_Id, Agent_Id, Dispatch_Id, Kernel_Name, Counter_Name) GROUP BY c"""
    return dict(duckdb.connect(config={"threads": 1}).execute(query, {"file": str(path)}).fetchall())


READERS = {
    "hotloop": read_profile,
    "hotloop without pyarrow": read_slow,
    "pyarrow": read_arrow,
    "polars": read_polars,
    "duckdb": read_duckdb,
}


def child(reader: str, path: Path) -> None:
    """Read in this process and print what it cost."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    began_s = time.perf_counter()
    sums = READERS[reader](path)
    wall_s = time.perf_counter() - began_s
    usage = resource.getrusage(resource.RUSAGE_SELF)
    print(
        json.dumps(
            {"wall_s": wall_s, "cpu_s": usage.ru_utime + usage.ru_stime, "peak_kb": usage.ru_maxrss, "sums": sums}
        )
    )


def measure(reader: str, path: Path, expected: dict[str, float]) -> None:
    """Read in a fresh process and print a row."""
    command = [sys.executable, __file__, "--child", reader, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"{reader:26} {path.suffix[1:]:5} failed: {done.stderr.strip().splitlines()[-1]}")
        return
    cost = json.loads(done.stdout)
    size_mb = path.stat().st_size / 1e6
    right = "right" if cost["sums"] == expected else "WRONG"
    print(f"{reader:26} {path.suffix[1:]:5} {size_mb:7.0f} MB {size_mb / cost['cpu_s']:7.0f} MB/s CPU {size_mb / cost['wall_s']:7.0f} MB/s wall "
          f"{cost['peak_kb'] * 1024 / 1e6:7.0f} MB peak   sums {right}", flush=True)  # fmt: skip


def main() -> None:
    parser = stand.parser(__doc__)
    parser.add_argument("--csv-mb", type=float, default=1000)
    parser.add_argument("--json-mb", type=float, default=500)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--slow", action="store_true")
    parser.add_argument("--compare", action="store_true")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options.child[0], Path(options.child[1]))
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        table, record = folder / "counters.csv", folder / "record.json"
        if options.csv_mb:
            expected = write_csv(table, int(options.csv_mb * 1e6), options.seed)
            others = [n for n in ("pyarrow", "polars", "duckdb") if importlib.util.find_spec(n)]
            for reader in ["hotloop"] + ["hotloop without pyarrow"] * options.slow + others * options.compare:
                measure(reader, table, expected)
        if options.json_mb:
            measure("hotloop", record, write_json(record, int(options.json_mb * 1e6), options.seed))


if __name__ == "__main__":
    main()
