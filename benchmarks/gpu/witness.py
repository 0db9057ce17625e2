"""What references and comparisons on the device save, and that they are NumPy's; on a GPU with PyTorch.

    PYTHONPATH=src python benchmarks/gpu/witness.py OUT.json [--limit-s 120]
    PYTHONPATH=src HOTLOOP_REFERENCES=cpu python benchmarks/gpu/witness.py OUT.json --small      # without a GPU: that it runs

For each problem: seconds of the reference by NumPy (left out where it would take longer than --host-s by estimate) and by the
witness, whether both agree within a thousandth of what a result may be wrong by, and seconds of judging one right result and one
with a single wrong element, with and without the witness; both must have the same verdict. Exit status 1 where one has not.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path

import numpy as np

from hotloop import registry
from hotloop.app import userfile
from hotloop.app.run.inputs import truth
from hotloop.app.run.inputs.truth import Lent, Truth
from hotloop.engine.witness.link import Witness
from hotloop.host.settings import usable_cores
from hotloop.model.dtype import dtype_of
from hotloop.model.kernel import Empty
from hotloop.verify.cases import Case, draw
from hotloop.verify.guards import make_banded
from hotloop.verify.judge import judge
from hotloop.verify.oracle import expect

ROOT = Path(__file__).resolve().parents[2]
MATMUL, LAYERNORM = str(ROOT / "examples/matmul_triton.py"), str(ROOT / "examples/layernorm.py")
ROWS = (
    (MATMUL, {"m": 4096, "n": 4096, "k": 4096}),
    (LAYERNORM, {"rows": 4096, "columns": 4096}),
    ("gemm", {"m": 4096, "n": 4096, "k": 4096, "dtype": "bfloat16"}),
    ("reduction", {"rows": 4096, "columns": 16384}),
    ("conv3d_depthwise", {"c": 96, "d": 17, "h": 65, "w": 95, "dtype": "bfloat16"}),
    (
        "attention",
        {"batch": 1, "heads": 16, "kv_heads": 16, "length_q": 4096, "length_k": 4096, "size": 128, "dtype": "bfloat16"},
    ),
    (
        "attention",
        {
            "batch": 4,
            "heads": 16,
            "kv_heads": 16,
            "length_q": 16384,
            "length_k": 16384,
            "size": 128,
            "dtype": "bfloat16",
        },
    ),
)
SMALL = (
    ("reduction", {"rows": 64, "columns": 1024}),
    ("gemm", {"m": 96, "n": 96, "k": 96}),
    ("attention", {"batch": 1, "heads": 2, "kv_heads": 1, "length_q": 128, "length_k": 128, "size": 64}),
)


class Beside:
    """As much of an engine as references need."""

    def __init__(self):
        asked = os.environ.get("HOTLOOP_REFERENCES", "")
        self.witness = Witness(os.environ, "cpu" if asked == "cpu" else "", cores=usable_cores())


def clocked(make):
    began = time.perf_counter()
    return make(), time.perf_counter() - began


def row(beside, name, sizes, host_s):
    kernel = userfile.find(name) if name.endswith(".py") else registry.load("hotloop.kernels", name, "KERNEL")
    problem = kernel.problem.replace(**sizes)
    case, subject = Case(problem, "normal", 1, 0), Truth(beside, kernel, problem, 1)
    inputs, facts = draw(kernel, case), {"problem": problem.key}
    there, facts["first_s"] = clocked(lambda: subject.expected(problem, inputs))  # with the proof on smaller problems
    there, facts["device_s"] = clocked(lambda: subject.expected(problem, inputs))
    facts |= {"on_device": isinstance(there.outputs, Lent), "why_not": subject.distrusted, "estimate_s": subject.host_s}
    arrays = {key: make_banded(value) for key, value in inputs.items() if isinstance(value, np.ndarray)}
    for key, due in there.outputs.items():
        target = inputs[key]
        kind = dtype_of(target.dtype if isinstance(target, Empty) else target.dtype.name)
        arrays[key] = make_banded(due.astype(kind))
    results = {"right": arrays, "wrong": {**arrays, key: spoilt(arrays[key])}}
    answers = {"device": there}
    if subject.host_s <= host_s:
        answers["host"], facts["host_s"] = clocked(lambda: expect(kernel, problem, inputs))
        facts["agree"] = subject.agrees(problem, inputs, there, answers["host"])
    for where, expected in answers.items():
        for what, result in results.items():
            judge(kernel, case, inputs, result, expected=expected)
            judged, spent_s = clocked(lambda e=expected, r=result: judge(kernel, case, inputs, r, expected=e))
            facts[f"{what}_{where}"] = {"judge_s": spent_s, "passed": judged.passed, "reason": judged.reason}
    facts["same"] = all(
        facts[f"right_{w}"]["passed"] and not facts[f"wrong_{w}"]["passed"] for w in answers
    ) and facts.get("agree", True)
    return facts


def spoilt(banded):
    """Return a result with bits of one element turned over, which no bound allows."""
    made = banded.copy()
    made[banded.size // 2 // 4 * 4 + 3] ^= 0x7F
    made[banded.size // 2 // 4 * 4 + 1] ^= 0x7F
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--limit-s", type=float, default=120.0)
    parser.add_argument(
        "--host-s",
        type=float,
        default=10.0,
        help="longest reference by NumPy, by estimate, that is computed for the comparison",
    )
    parser.add_argument("--small", action="store_true")
    given = parser.parse_args()
    began, rows, beside = time.perf_counter(), [], Beside()
    if given.small:
        truth.LARGE = 1
    try:
        for name, sizes in SMALL if given.small else ROWS:
            if time.perf_counter() - began > given.limit_s:
                break
            rows.append(row(beside, name, sizes, given.host_s))
            print(json.dumps(rows[-1]), flush=True)
            given.out.write_text(json.dumps({"version": beside.witness.version, "rows": rows}, indent=1))
    finally:
        beside.witness.close()
    return 0 if rows and all(case["same"] for case in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
