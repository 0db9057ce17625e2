"""Winners of short runs as code without hotloop: they pass their own test, stand in one graph of torch.compile, and take as long as hotloop's launches.

    OUT=FOLDER PYTHONPATH=src python benchmarks/gpu/shared.py [--budget 25] [--only gemm]

Each case: `hotloop tune`, `hotloop share` in both formats, the written test where hotloop cannot be imported, and both launches in alternating
replays of CUDA graphs. $OUT/shared.json has the samples. Exit status 1: a test failed, torch.compile gave another result, or an export took over 2 % more time.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from statistics import median

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "common"))

import alone

from hotloop.app.export.found import found
from hotloop.cli.options import options
from hotloop.dispatch import launch, pace

OUT = Path(os.environ.get("OUT", "build/gpu"))
CASES = (
    ("gemm", "hopper-cluster", "m=48,n=14336,k=4096,op=nt,dtype=bfloat16,epilogue=bias-gelu-erf"),
    ("reduction", "cuda", "rows=4096,columns=3000,operation=softmax,dtype=bfloat16"),
    ("conv3d_depthwise", "cuda", "n=1,c=96,d=16,h=56,w=56,kd=3,kh=3,kw=3,pd=1,ph=1,pw=1,dtype=bfloat16"),
    ("gemm", "hopper", "m=4096,n=4096,k=4096,op=nt,dtype=bfloat16"),
    ("gemm", "triton", "m=300,n=1000,k=520,op=tn,dtype=float16,epilogue=bias"),
    ("gemm", "hopper-cluster", "m=197,n=768,k=3072,op=nt,dtype=float16"),
)
ROUNDS = 15
MOST = 1.02
"""Times that an export's launch may take of hotloop's."""


def hotloop(*arguments):
    """Return what a command prints."""
    command = [sys.executable, "-m", "hotloop", *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise RuntimeError(f"{' '.join(arguments)}: exit status {ran.returncode}, {(ran.stderr or ran.stdout)[-600:]}")
    return ran.stdout


def run_of(case, budget_s, store):
    """Tune, and return the run's name."""
    family, implementation, shape = case
    hotloop("tune", family, "--implementation", implementation, "--shape", shape, "--budget", str(budget_s), "--no-peers", "-q",
            "--device", "H200", "--store", str(store))  # fmt: skip
    return json.loads(hotloop("history", "--json", "--store", str(store)))[0]["id"]


def tested(folder):
    """Return what the test of an export prints where hotloop cannot be imported."""
    (test,) = folder.rglob("*test*.py")
    ended = alone.ran(test, folder)
    return ended.stdout.strip() if not ended.returncode else f"failed: {ended.stderr[-800:]}"


def module(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def timed(winner, path):
    """Return ns of hotloop's launch and of the export's, in alternating replays, and whether torch.compile keeps it as one node."""
    made = module(path)
    given = {
        slot.name: torch.randn(slot.shape, device="cuda").to(getattr(torch, slot.dtype))
        if not slot.written
        else torch.empty(slot.shape, device="cuda", dtype=getattr(torch, slot.dtype))
        for slot in winner.slots
    }
    ours = launch.prepared(winner.program, winner.device, given)
    clock, samples = pace.Replays(), {}
    for name, run in {"hotloop": partial(ours, given), "export": partial(made.launch, *given.values())}.items():
        samples[name] = clock.timed(run)
    rounds = [{name: sample() for name, sample in samples.items()} for _ in range(ROUNDS)]
    call = getattr(made, winner.name)
    inputs = [given[slot.name] for slot in winner.slots if not slot.written]
    compiled = torch.compile(call, fullgraph=True)(*inputs)
    equal = bool((compiled == call(*inputs)).all())
    return {name: [round(one[name], 1) for one in rounds] for name in samples} | {"compiled_equal": equal}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--budget", type=float, default=25.0)
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    rows = []
    for number, case in enumerate(CASES):
        if not " ".join(case).startswith(asked.only):
            continue
        store, row = OUT / "stores" / f"{number}.sqlite", {"case": case}
        store.parent.mkdir(exist_ok=True)
        try:
            run = run_of(case, asked.budget, store)
            for form in ("python", "hf-kernel"):
                folder = OUT / "exports" / f"{number}-{form}"
                hotloop("share", run, "--format", form, "-o", str(folder), "--store", str(store))
                row[form] = tested(folder)
            winner = found(run, options(store=str(store)))
            row |= {
                "winner": winner.provenance,
                **timed(winner, OUT / "exports" / f"{number}-python" / f"{winner.name}.py"),
            }
            row["share"] = median(row["export"]) / median(row["hotloop"])
        except Exception as error:  # noqa: BLE001 - a benchmark tells and goes on
            row["failed"] = f"{type(error).__name__}: {error}"[:900]
        rows.append(row)
        print({name: value for name, value in row.items() if name not in ("hotloop", "export")}, flush=True)
        (OUT / "shared.json").write_text(json.dumps(rows, indent=1, default=str))
    right = all(
        "failed" not in row
        and "failed" not in row["python"] + row["hf-kernel"]
        and row["share"] <= MOST
        and row["compiled_equal"]
        for row in rows
    )
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
