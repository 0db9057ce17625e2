"""The whole loop on a GPU in every language: doctor, templates, optimize, a kernel that faults, a file against itself.

    PYTHONPATH=src python3 benchmarks/gpu/loop.py                 # one GPU; OpenCL C needs pyopencl
    PYTHONPATH=src python3 benchmarks/gpu/loop.py layernorm fault # only these

Markdown reports and what every command printed (``loop.json``) go to $OUT. Exit status 1: a part did not end as it should.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OUT = Path(os.environ.get("OUT", ROOT / "build" / "gpu"))


def example(name: str) -> str:
    """Return the path of one of the project's example files."""
    return str(ROOT / "examples" / f"{name}.py")


EXAMPLE = example("layernorm")
LIMIT_S = 240.0
ATTENTION = "heads=16,kv_heads=16,length_q=4096,length_k=4096,size=128,dtype=bfloat16,causal=1"
TEMPLATES = ("cuda", "triton", "gluon")
FAULTY = '''
import numpy as np
import hotloop as hl

SOURCE = """
__global__ void scale(const float *x, float *y, int n) {
    const long long i = (blockIdx.x * (long long)blockDim.x + threadIdx.x) * ITEMS;
    for (long long at = i; at < i + ITEMS; ++at)
        if (at < n) y[ITEMS == 4 ? at + (1ll << 40) : at] = 2 * x[at];  // ITEMS == 4: an illegal address
}
"""

@hl.kernel(problem=dict(n=1 << 22), work=lambda p: hl.Work(flops=p.n, bytes=8 * p.n), awkward=lambda p: [dict(n=1009)])
class scale:
    def inputs(p, rng):
        return dict(x=rng.standard_normal(p.n, "f4"), y=hl.empty(p.n), n=np.int32(p.n))

    def reference(p, x, y, n):
        return dict(y=2 * x.astype("f8"))

    cuda = hl.CUDA(SOURCE, entry="scale", params=dict(ITEMS=[1, 2, 4], THREADS=[64, 128, 256, 512]),
                   techniques=dict(ITEMS="work-per-item", THREADS="workgroup-size"),
                   grid=lambda p, c: (-(-p.n // (c.ITEMS * c.THREADS)),), block=lambda p, c: (c.THREADS,))
'''


@dataclass(frozen=True)
class Part:
    """One command and what its output must show."""

    arguments: tuple[str, ...]
    expects: tuple[str, ...]
    """Texts that its output must contain, in any case."""


def parts(folder: Path, budget_s: int) -> dict[str, Part]:
    """Return what there is to run, by name."""
    faulty = folder / "faulty.py"
    faulty.write_text(FAULTY)

    def optimize(*arguments: str, seconds: int = budget_s) -> tuple[str, ...]:
        return ("optimize", *arguments, "--budget", str(seconds), "--fresh", "--json", "--no-peers")

    def family(name: str, shape: str, implementation: str = "cuda", seconds: int = budget_s) -> tuple[str, ...]:
        return optimize(name, "--implementation", implementation, "--shape", shape, seconds=seconds)

    made = {
        "doctor": Part(("doctor",), ("CUDA device", "compile-run-check passed")),
        "same": Part(("compare", EXAMPLE, EXAMPLE, "--json"), ('"SAME"',)),
        "layernorm": Part(optimize(EXAMPLE), ('"keep"',)),
        "fault": Part(optimize(str(faulty), seconds=budget_s // 2), ("crashed in execute", '"keep"')),
        "softmax-triton": Part(optimize(example("softmax_triton")), ('"keep"',)),
        "matmul-triton": Part(optimize(example("matmul_triton")), ('"keep"',)),
        "transpose-gluon": Part(optimize(example("transpose_gluon")), ('"keep"',)),
        "stencil-opencl": Part((*optimize(example("blur"), seconds=budget_s // 2), "--device", "NVIDIA"), ('"keep"',)),
        "gemm-triton": Part(family("gemm", "m=2048,n=2048,k=2048,dtype=float16", "triton"), ('"keep"',)),
        "gemm-opencl": Part((*family("gemm", "2048x2048x2048", "opencl-pipelined"), "--device", "NVIDIA"), ('"keep"',)),
        "gemm-hopper": Part(family("gemm", "m=4096,n=4096,k=4096,dtype=bfloat16", "hopper", 2 * budget_s), ('"keep"',)),
        "fp8-gluon": Part(family("gemm_fp8", "m=4096,n=4096,k=4096", "gluon", 2 * budget_s), ('"keep"',)),
        "attention-gluon": Part(family("attention", ATTENTION, "gluon", 2 * budget_s), ('"keep"',)),
        "conv3d": Part(family("conv3d_depthwise", "c=16,d=31,dtype=float16"), ('"keep"',)),
        "reduction": Part(family("reduction", "rows=4096,columns=4096"), ('"keep"',)),
    }
    for language in TEMPLATES:
        subprocess.run(
            [
                sys.executable,
                "-m",
                "hotloop",
                "init",
                "--language",
                language,
                "--name",
                "saxpy",
                str(folder / language),
            ],
            check=True,
            capture_output=True,
        )
        checked = ("check", str(folder / language / "saxpy.py"), "--shape", "n=100000")
        made[f"init-{language}"] = Part(checked, ("pass",))
    return made


def run(name: str, part: Part, folder: Path) -> dict[str, object]:
    """Run one part and print its result in a few lines."""
    command = [sys.executable, "-m", "hotloop", *part.arguments]
    if part.arguments[0] == "optimize":
        command += ["--markdown", str(OUT / f"{name}.md")]
    environment = {**os.environ, "HOTLOOP_STORE": str(folder / "store.db")}
    began = time.monotonic()
    try:
        ran = subprocess.run(command, check=False, capture_output=True, text=True, timeout=LIMIT_S, env=environment)
        out, log, code = ran.stdout, ran.stderr, ran.returncode
    except subprocess.TimeoutExpired as late:
        out, log, code = (late.stdout or b"").decode(), (late.stderr or b"").decode(), 124
    missing = [text for text in part.expects if text.casefold() not in (out + log).casefold()]
    print(f"== {name}: exit {code}, {time.monotonic() - began:.1f} s, missing {missing}", flush=True)
    print("\n".join(summary(out) or (out + log).splitlines()[-6:]), flush=True)
    return {"command": command[2:], "exit": code, "missing": missing, "out": out, "log": log[-20000:]}


def summary(out: str) -> list[str]:
    """Return the steps of a run in one line each, or a comparison's answer."""
    try:
        data = json.loads(out)
    except ValueError:
        return []
    rows = []
    for step in data.get("steps", []):
        took = f"{step['time_ns'] / 1e3:9.2f} us" if step.get("time_ns") else " " * 12
        row = f"{step['decision']:9} {step['verdict']:7} {took} {step['technique']:16} {step['change'][:56]}"
        rows.append(f"{row} {step.get('failure', '')[:90]}".rstrip())
    if comparison := data.get("comparison"):
        rows.append(f"{comparison['verdict']} {comparison['speedup']:.4f}, noise {data.get('noise')}")
    if "stop_reason" in data:
        rows.append(f"{data['stop_reason']}; {data['headline']['roof_fraction']} of the roofline")
    return rows


def main() -> int:
    """Run the asked parts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="parts to run; default: all")
    parser.add_argument("--budget", type=int, default=60, help="wall time of each optimize run in s")
    asked = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        every = parts(Path(name), asked.budget)
        wanted, outcomes = asked.names or list(every), {}
        checks = [
            part for part in wanted if every[part].arguments[0] == "check"
        ]  # nothing is timed: all at once, at the end
        for part in [part for part in wanted if part not in checks]:
            outcomes[part] = run(part, every[part], Path(name))
            (OUT / "loop.json").write_text(json.dumps(outcomes, indent=1))
        with ThreadPoolExecutor() as pool:
            outcomes |= dict(
                zip(checks, pool.map(lambda part: run(part, every[part], Path(name)), checks), strict=True)
            )
        (OUT / "loop.json").write_text(json.dumps(outcomes, indent=1))
    return 1 if any(outcome["missing"] for outcome in outcomes.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
