"""Every measurement of the GPU families in one run: GEMM, attention, conv3d, reductions, dispatch, the loop, tests.

    OUT=FOLDER python benchmarks/gpu/everything.py                    # one GPU; the limits of the parts add up to 38 minutes
    OUT=FOLDER python benchmarks/gpu/everything.py attention sgemm    # only these parts

Each part is a process of its own with a wall-clock limit; what one prints and leaves under $OUT stays when a later one fails. A
part that needs pyopencl and CLBlast says so when they are absent. Exit status 1: a part failed or ran past its limit.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OUT = Path(os.environ.get("OUT", ROOT / "build" / "gpu"))
TAIL_LINES = 60


@dataclass(frozen=True)
class Part:
    """A script of this folder or a test module, and the seconds that it may take."""

    arguments: tuple[str, ...]
    limit_s: int

    def run(self, name):
        """Run it, keep what it prints in a log, and return whether it ended well."""
        began, log = time.monotonic(), OUT / f"{name}.log"
        command = [sys.executable, *(part.format(out=OUT) for part in self.arguments)]
        with log.open("w") as sink:
            try:
                code = subprocess.run(
                    command, check=False, cwd=ROOT, stdout=sink, stderr=sink, timeout=self.limit_s
                ).returncode
            except subprocess.TimeoutExpired:
                code = f"none: past {self.limit_s} s"
        print("\n".join(log.read_text(errors="replace").splitlines()[-TAIL_LINES:]))
        print(f"== {name}: exit status {code}, {time.monotonic() - began:.0f} s", flush=True)
        return code == 0


GPU = "benchmarks/gpu"
PYTEST = ("-m", "pytest", "-o", "addopts=--import-mode=importlib", "-q", "-rs", "-p", "no:cacheprovider")
PARTS = {
    "attention": Part((f"{GPU}/attention.py", "{out}/attention.json", "--limit-s", "240"), 300),
    "sgemm": Part((f"{GPU}/sgemm_opencl.py", "{out}/sgemm-opencl.json", "--limit-s", "60"), 110),
    "gemm": Part(
        (f"{GPU}/gemm.py", "{out}/gemm-bf16.json", "--check-s", "100", "--limit-s", "200", "--rounds", "8"), 330
    ),
    "int4": Part((f"{GPU}/quantized.py", "{out}/gemm-int4.json", "--limit-s", "60"), 90),
    "untuned": Part((f"{GPU}/untuned.py", "{out}/untuned.json", "--limit-s", "90"), 120),
    "few-rows": Part((f"{GPU}/few_rows.py",), 110),
    "conv3d": Part((f"{GPU}/conv3d.py",), 150),
    "reductions": Part((f"{GPU}/reductions.py",), 150),
    "loop": Part((f"{GPU}/loop.py",), 600),
    "tests": Part((*PYTEST, "tests/device"), 240),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", help=f"some of {', '.join(PARTS)}; default: all")
    given = parser.parse_args()
    unknown = set(given.parts) - set(PARTS)
    if unknown:
        parser.error(f"no part is named {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    OUT.mkdir(parents=True, exist_ok=True)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT / "src"), os.environ.get("PYTHONPATH")]))
    wrong = [name for name in given.parts or PARTS if not PARTS[name].run(name)]
    print(f"failed: {', '.join(wrong)}" if wrong else "every part ended well")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
