"""Published Triton kernels through capture of a program that calls them: no line written, against their own launch.

    PYTHONPATH=src python3 benchmarks/gpu/captured.py --site FOLDER                       # one GPU
    PYTHONPATH=src python3 benchmarks/gpu/captured.py --site FOLDER --only rms,softmax --budget 60

FOLDER holds the packages, ``pip install --no-deps --target FOLDER liger-kernel fla-core einops
conch-triton-kernels flashnn``. Each program is run under
`hotloop capture`, its most expensive kernels are optimized and the patch is asked for. ``captured.json`` goes to $OUT after every
kernel. Exit status 1: a kernel that was kept is slower, or a command failed that should not.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OUT = Path(os.environ.get("OUT", ROOT / "build" / "gpu"))
HEAD = """import torch
torch.manual_seed(0)
def new(*shape, dtype=torch.bfloat16, grad=True):
    return torch.randn(*shape, device="cuda", dtype=dtype).requires_grad_(grad)
"""
LIGER = {
    "rms": "from liger_kernel.ops.rms_norm import LigerRMSNormFunction as F\nx, w = new(8192, 4096), new(4096)\n"
    "for _ in range(20): F.apply(x, w, 1e-6).sum().backward()",
    "layer": "from liger_kernel.ops.layer_norm import LigerLayerNormFunction as F\nx, w, b = new(8192, 4096), new(4096), new(4096)\n"
    "for _ in range(20): F.apply(x, w, b, 1e-6).sum().backward()",
    "swiglu": "from liger_kernel.ops.swiglu import LigerSiLUMulFunction as F\na, b = new(8192, 8192), new(8192, 8192)\n"
    "for _ in range(20): F.apply(a, b).sum().backward()",
    "geglu": "from liger_kernel.ops.geglu import LigerGELUMulFunction as F\na, b = new(8192, 8192), new(8192, 8192)\n"
    "for _ in range(20): F.apply(a, b).sum().backward()",
    "cross": "from liger_kernel.ops.cross_entropy import LigerCrossEntropyFunction as F\nt = torch.randint(0, 32000, (4096,), device='cuda')\n"
    "for _ in range(10):\n    x = new(4096, 32000)\n    F.apply(x, t, None)[0].backward()",
    "kl": "from liger_kernel.ops.kl_div import LigerKLDivLossFunction as F\np, q = new(4096, 16000).log_softmax(-1), new(4096, 16000).softmax(-1)\n"
    "for _ in range(10): F.apply(p, q)",
    "jsd": "from liger_kernel.ops.jsd import LigerJSDFunction as F\np, q = (new(4096, 16000).log_softmax(-1) for _ in 'pq')\n"
    "for _ in range(10): F.apply(p, q)",
    "softmax": "from liger_kernel.ops.softmax import LigerSoftmaxFunction as F\nx = new(8192, 8192)\n"
    "for _ in range(20): F.apply(x).sum().backward()",
    "rope": "from liger_kernel.ops.rope import LigerRopeFunction as F\nq, k = new(4, 32, 4096, 128), new(4, 8, 4096, 128)\n"
    "c, s = new(1, 4096, 128, grad=False), new(1, 4096, 128, grad=False)\nfor _ in range(20): F.apply(q, k, c, s)",
    "group": "from liger_kernel.ops.group_norm import LigerGroupNormFunction as F\nx, w, b = new(64, 256, 4096), new(256), new(256)\n"
    "for _ in range(20): F.apply(x, w, b, 256, 32, 1e-6).sum().backward()",
    "dyt": "from liger_kernel.ops.dyt import LigerDyTFunction as F\nx, a, g, b = new(8192, 4096), new(1), new(4096), new(4096)\n"
    "for _ in range(20): F.apply(x, a, g, b).sum().backward()",
    "tvd": "from liger_kernel.ops.tvd import LigerTVDLossFunction as F\np, q = (new(4096, 16000).softmax(-1) for _ in 'pq')\n"
    "for _ in range(10): F.apply(p, q)",
    "fused": "from liger_kernel.ops.fused_add_rms_norm import LigerFusedAddRMSNormFunction as F\nx, r, w = new(8192, 4096), new(8192, 4096), new(4096)\n"
    "for _ in range(20): F.apply(x, r, w, 1e-6)[0].sum().backward()",
}
FLA = {
    "fla-rms": "from fla.modules.layernorm import rms_norm\nx, w = new(8192, 4096), new(4096)\nfor _ in range(20): rms_norm(x, w, None).sum().backward()",
    "fla-cumsum": "from fla.ops.utils.cumsum import chunk_local_cumsum\nx = new(4, 8192, 16, dtype=torch.float32, grad=False)\n"
    "for _ in range(20): chunk_local_cumsum(x, 64)",
    "fla-linear": "from fla.ops.linear_attn import chunk_linear_attn\nq, k, v = (new(4, 4096, 16, 128) for _ in 'qkv')\n"
    "for _ in range(5): chunk_linear_attn(q, k, v)[0].sum().backward()",
    "fla-gla": "from fla.ops.gla import chunk_gla\nq, k, v = (new(4, 4096, 16, 128) for _ in 'qkv')\n"
    "g = torch.nn.functional.logsigmoid(new(4, 4096, 16, 128, grad=False))\nfor _ in range(5): chunk_gla(q, k, v, g)[0].sum().backward()",
    "fla-delta": "from fla.ops.delta_rule import chunk_delta_rule\nq, v = new(4, 4096, 16, 128), new(4, 4096, 16, 128)\n"
    "k = torch.nn.functional.normalize(new(4, 4096, 16, 128, grad=False), dim=-1)\nb = new(4, 4096, 16, grad=False).sigmoid()\n"
    "for _ in range(5): chunk_delta_rule(q, k, v, b)[0].sum().backward()",
    "fla-retention": "from fla.ops.retention import chunk_retention\nq, k, v = (new(4, 4096, 16, 128) for _ in 'qkv')\n"
    "for _ in range(5): chunk_retention(q, k, v)[0].sum().backward()",
}
OTHERS = {
    "conch-rms": "from conch.kernels.normalization.rms_norm import rms_norm_launcher as f\nx, w = new(65536, 512, grad=False), new(512, grad=False)\n"
    "o = torch.empty_like(x)\nfor _ in range(20): f(o, x, w, 1e-6)",
    "conch-silu": "from conch.kernels.activation.silu_and_mul import silu_and_mul_launcher as f\nx = new(8192, 8192, grad=False)\n"
    "o = new(8192, 4096, grad=False)\nfor _ in range(20): f(o, x)",
    "flashnn-layer": "from flashnn.triton_kernels.layer_norm import triton_layer_norm_forward as f\n"
    "x, w, b = new(8192, 4096, grad=False), new(4096, grad=False), new(4096, grad=False)\nfor _ in range(20): f(x, w, b, 1e-5)",
    "flashnn-rms": "from flashnn.triton_kernels.rms_norm import triton_rmsnorm_forward as f\n"
    "x, w = new(8192, 4096, grad=False), new(4096, grad=False)\nfor _ in range(20): f(x, w, 1e-5)",
}
PROGRAMS = {**LIGER, **FLA, **OTHERS}


def hotloop(*arguments: str, environment: dict[str, str], limit_s: float) -> tuple[int, str, str]:
    """Run a command of hotloop and return code, output and errors."""
    try:
        ran = subprocess.run(
            [sys.executable, "-m", "hotloop", *arguments], env=environment, capture_output=True, text=True, timeout=limit_s, check=False
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return 124, "", f"no end in {limit_s:g} s"
    return ran.returncode, ran.stdout, ran.stderr[-1500:]


def optimized(capture: Path, kernel: str, budget_s: float, environment: dict[str, str]) -> dict[str, object]:
    """Optimize one kernel of a capture and return what came of it."""
    began_s = time.monotonic()
    code, out, err = hotloop(
        "optimize", f"{capture}/{kernel}", "--budget", str(budget_s), "--no-peers", "--json", "-q", "--fresh",
        environment=environment, limit_s=3 * budget_s + 120,
    )  # fmt: skip
    row: dict[str, object] = {
        "kernel": kernel,
        "program": capture.stem,
        "code": code,
        "wall_s": time.monotonic() - began_s,
    }
    if code not in (0, 1) or not out.startswith("{"):
        return row | {"error": err.strip().splitlines()[-1:] or out[-300:]}
    answer = json.loads(out)
    head = answer["headline"]
    steps = [
        {name: step.get(name) for name in ("technique", "changes", "verdict", "decision", "reason", "speedup")}
        for step in answer["steps"]
    ]
    return row | {
        "baseline_ns": head["baseline_ns"], "winner_ns": head["winner_ns"], "speedup": head["speedup"],
        "roof": head["roof_fraction"], "kept": head["kept"], "steps": steps,
    }  # fmt: skip


def main() -> int:
    """Run every program and write what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--site", type=Path, required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--budget", type=float, default=90.0)
    parser.add_argument("--kernels", type=int, default=2, help="most expensive kernels of each program")
    parser.add_argument("--limit-s", type=float, default=560.0, help="no kernel is begun later")
    given = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    path = os.pathsep.join(
        filter(None, [str(ROOT / "src"), str(given.site.resolve()), os.environ.get("PYTHONPATH", "")])
    )
    environment = {**os.environ, "PYTHONPATH": path, "HOTLOOP_STORE": str(OUT / "captured.sqlite")}
    chosen = [name for name in PROGRAMS if not given.only or name in given.only.split(",")]
    began_s, rows = time.monotonic(), []
    for name in chosen:
        if time.monotonic() - began_s > given.limit_s:
            rows.append({"program": name, "error": "not begun: the time was up"})
            continue
        script = OUT / f"{name}.py"
        script.write_text(HEAD + PROGRAMS[name] + "\ntorch.cuda.synchronize()\n")
        capture = OUT / f"{name}.capture"
        code, out, err = hotloop(
            "capture", "--force", "--json", "--out", str(capture), "--", sys.executable, str(script),
            environment=environment, limit_s=180,
        )  # fmt: skip
        if code != 0:
            rows.append({"program": name, "code": code, "error": err.strip().splitlines()[-1:]})
            continue
        answer = json.loads(out[out.index("{") :])
        rows.append({"program": name, "costs": answer["costs"], "problems": answer["capture"]["problems"]})
        for cost in answer["costs"]["rows"][: given.kernels]:
            if time.monotonic() - began_s < given.limit_s:
                rows.append(optimized(capture, cost["kernel"], given.budget, environment))
                print(json.dumps({k: v for k, v in rows[-1].items() if k != "steps"}), flush=True)
                (OUT / "captured.json").write_text(json.dumps(rows, indent=1))
    (OUT / "captured.json").write_text(json.dumps(rows, indent=1))
    return told_of(rows)


def moved(rows: list[dict]) -> Counter[tuple[str, str]]:
    """Return how often each technique was tried and what was decided."""
    steps = [step for row in rows for step in row.get("steps", ())]
    return Counter((str(one["technique"]), str(one["decision"])) for one in steps)


def told_of(rows: list[dict]) -> int:
    """Print the geometric mean and what went wrong; return the exit status."""
    ratios = {
        f"{row['program']}/{row['kernel']}": (row["speedup"] or {}).get("value", 1.0) for row in rows if "kept" in row
    }
    if ratios:
        mean = math.exp(sum(map(math.log, ratios.values())) / len(ratios))
        print(
            f"{len(ratios)} kernels, geometric mean {mean:.3f}, {sum(ratio > 1.02 for ratio in ratios.values())} faster"
        )
    for (technique, decision), count in sorted(moved(rows).items()):
        print(f"{technique} {decision}: {count}")
    for row in rows:
        if "error" in row:
            print(row["program"], row.get("kernel", ""), row["error"])
    return int(any(ratio < 0.98 for ratio in ratios.values()) or not ratios)


if __name__ == "__main__":
    sys.exit(main())
