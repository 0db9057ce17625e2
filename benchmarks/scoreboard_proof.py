"""Take away each wait of NVIDIA machine code that nobody looked at, and see whether the scoreboard analysis finds it.

    pip download --no-deps bitsandbytes==0.46.1 && unzip -q *.whl && cuobjdump -xelf all bitsandbytes/libbitsandbytes_cuda128.so
    python benchmarks/scoreboard_proof.py *.cubin [--kernels 40] [--out results.json]

For each wait for a scoreboard of each kernel, paths are walked one by one, as tests/golden/test_sass_waits.py does, to decide whether it
is needed; then it is taken out, and the analysis must find it. Compilers make no mistakes here: any hazard in what they wrote is a
false one. Needs nvdisasm, which comes with Triton.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path

import stand

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "golden"))

from test_sass_waits import needed, without

from hotloop.app.code import content
from hotloop.isa.nvidia.scheduled import Scheduled
from hotloop.isa.nvidia.scoreboards import Scoreboards

LARGEST = 600
"""Instructions of a kernel whose waits are walked; of larger ones only hazards are looked for."""


def prove(found: Scheduled, counts: Counter[str], missed: list[str], place: str) -> None:
    """Add the figures of a kernel."""
    counts["kernels"] += 1
    counts["instructions"] += len(found.function.instructions)
    hazards = Scoreboards(found).hazards
    counts["kernels with a false hazard"] += bool(hazards)
    counts["false hazards"] += len(hazards)
    missed += [f"{place}: false hazard at {hazard.producer.address:#x}" for hazard in hazards]
    if len(found.function.instructions) > LARGEST:
        return
    counts["kernels whose waits are taken out"] += 1
    for at, control in enumerate(found.controls):
        for barrier in control.waits:
            counts["waits"] += 1
            if not needed(found, at, barrier):
                continue
            counts["needed"] += 1
            if Scoreboards(without(found, at, barrier)).hazards:
                counts["found"] += 1
            else:
                missed.append(f"{place}: {found.function.instructions[at].address:#x}, scoreboard {barrier}")


def main() -> int:
    """Prove all files; exit code 1 with a false hazard, or with less than 99 % of the needed waits found."""
    parser = stand.parser(__doc__)
    parser.add_argument("cubins", type=Path, nargs="+")
    parser.add_argument("--kernels", type=int, default=100_000, help="of each file at most")
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    counts: Counter[str] = Counter()
    missed: list[str] = []
    began_s = time.monotonic()
    for path in asked.cubins:
        counts["files"] += 1
        listed = [item for item in content.read(path.read_bytes(), path.name) if item.scheduled is not None]
        for item in listed[:: max(1, len(listed) // asked.kernels)][: asked.kernels]:
            prove(item.scheduled, counts, missed, f"{path.name} {item.function.name}")
        stand.keep(asked.out, {**stand.conditions(), "counts": counts, "missed": missed})
    for name, number in counts.items():
        print(f"{number:8d} {name}")
    print(*missed, sep="\n")
    print(f"{time.monotonic() - began_s:.0f} s")
    return int(counts["false hazards"] > 0 or counts["found"] < 0.99 * counts["needed"])


if __name__ == "__main__":
    sys.exit(main())
