"""Raw pages of Nsight Compute cut down to what is read: who ran what, and the metrics that some formula uses.

python benchmarks/gpu/trim.py FOLDER/*.csv --to tests/golden/ncu
"""

from __future__ import annotations

import argparse
import csv
import re
from pathlib import Path

from hotloop.metrics.catalogue import COUNTERS

DEVICE = re.compile(
    r"device__attribute_(display_name|compute_capability|multiprocessor_count|clock_rate|.*memory)|launch__|.*cycles_elapsed\.avg\.per_second$"
    r"|(dram__bytes|derived__l.*|sm__sass_thread.*ffma.*)\.sum\.peak_sustained$"
)
"""What says which device it was, how the kernel was launched, and what the device's peaks are."""
KEPT = 11
"""First columns: number, process, names, stream, sizes, device, capability."""


def main() -> None:
    """Read the command line and write a small file for each large one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", type=Path, nargs="+")
    parser.add_argument("--to", type=Path, required=True)
    given = parser.parse_args()
    given.to.mkdir(parents=True, exist_ok=True)
    for page in given.pages:
        rows = [row for row in csv.reader(page.read_text().splitlines()) if len(row) > KEPT]
        used = {counter.name for counter in COUNTERS} | {"Kernel Name"}
        columns = [n for n, name in enumerate(rows[0]) if n < KEPT or name in used or DEVICE.match(name)]
        with (given.to / page.name).open("w", newline="") as written:
            csv.writer(written, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(
                [row[n] for n in columns] for row in rows
            )


if __name__ == "__main__":
    main()
