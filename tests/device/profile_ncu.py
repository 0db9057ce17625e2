"""Kernels of this project under Nsight Compute, from the launch to hotloop's verdict, on a machine with an NVIDIA GPU.

    PYTHONPATH=src python3 tests/device/profile_ncu.py OUT_FOLDER [KERNEL ...]      # ncu, torch and triton are needed
    PYTHONPATH=src python3 tests/device/profile_ncu.py --read FILE.csv ...         # anywhere: only reads and explains
    PYTHONPATH=src python3 tests/device/profile_ncu.py --drive KERNEL              # what ncu wraps: 3 + 2 launches

Each kernel runs in a process of its own that builds inputs, launches it three times to warm up and twice to be profiled,
and checks the result. ncu sees the two launches only, with full metrics and free clocks. `OUT_FOLDER` gets one CSV page a
kernel, the kernels' code in ``code.tar.gz``, and ``summary.json``. OpenCL kernels are not among them: ncu does not see them.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
WARMUPS, LAUNCHES = 3, 2
TOTAL_S, KERNEL_S = 130.0, 40.0
"""Limits of all kernels, and of one with its start of Python, compilation and some forty passes a launch."""
CODE = "HOTLOOP_CODE_FILE"

# kernel of this script: (function that ncu sees, rules of which one must come first; none: nothing is known beforehand)
KERNELS = {
    "gemm": ("persistent", ("matrix-bound", "low-matrix-utilisation")),
    "attention": ("forward", ("matrix-bound", "low-matrix-utilisation", "issue-bound", "unbalanced")),
    "softmax": ("softmax", ()),
    "rmsnorm": ("rmsnorm", ()),
    "copy": ("copy", ("hbm-bound",)),
    "columns": ("columns", ("uncoalesced",)),
}


# --- what ncu wraps --------------------------------------------------------------------------------------------------


def module(path: str):
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / path)
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = loaded
    spec.loader.exec_module(loaded)
    return loaded


def gemm():
    import torch
    from triton.tools.tensor_descriptor import TensorDescriptor

    jit, n = module("src/hotloop/kernels/gemm/persistent/kernel.py"), 4096
    a, b = (torch.randn((n, n), device="cuda").bfloat16() for _ in range(2))
    c = torch.empty((n, n), device="cuda", dtype=torch.bfloat16)
    bm, bn, bk = 128, 256, 64
    da, db = TensorDescriptor.from_tensor(a, [bm, bk]), TensorDescriptor.from_tensor(b, [bk, bn])
    dc = TensorDescriptor.from_tensor(c, [bm, bn // 2])
    programs = min(torch.cuda.get_device_properties(0).multi_processor_count, (n // bm) * (n // bn))

    def run():
        return jit.persistent[(programs,)](
            da, db, dc, a, n, n, n, BM=bm, BN=bn, BK=bk, GROUP=8, PROGRAMS=programs, BIAS=False, ACT=0,
            HALVES=True, FLATTEN=True, SPECIALIZE=False, CHAIN=False, num_warps=8, num_stages=3,
        )  # fmt: skip

    return run, lambda: close(c[:64], a[:64].float() @ b.float(), 0.02 * n**0.5)


def attention():
    import torch
    from triton.tools.tensor_descriptor import TensorDescriptor

    jit = module("src/hotloop/kernels/attention/triton/kernel.py")
    heads, length, size, bm, bn = 32, 8192, 128, 128, 128
    q, k, v = (torch.randn((1, heads, length, size), device="cuda").bfloat16() for _ in range(3))
    o = torch.empty_like(q)
    descriptors = [
        TensorDescriptor.from_tensor(x, [1, 1, rows, size]) for x, rows in ((q, bm), (k, bn), (v, bn), (o, bm))
    ]

    def run():
        return jit.forward[(length // bm, heads)](
            *descriptors, q, size**-0.5, heads, 1, length, length,
            BM=bm, BN=bn, D=size, CAUSAL=True, LSE=False, KEEP=True, EXIT=True, num_warps=8, num_stages=2,
        )  # fmt: skip

    expected = torch.nn.functional.scaled_dot_product_attention
    return run, lambda: close(o[:, :2], expected(q[:, :2], k[:, :2], v[:, :2], is_causal=True).float(), 0.05)


def rows_of(height, width):
    import torch

    x = torch.randn((height, width), device="cuda").bfloat16()
    return x, torch.empty_like(x)


def softmax():
    jit, (height, width) = module("benchmarks/gpu/small_jit.py"), (16384, 4096)
    x, y = rows_of(height, width)
    return (
        lambda: jit.softmax[(height,)](x, y, width, BLOCK=4096, num_warps=8),
        lambda: close(y[:256], x[:256].float().softmax(1), 1e-3),
    )


def rmsnorm():
    import torch

    jit, (height, width) = module("benchmarks/gpu/small_jit.py"), (16384, 4096)
    x, y = rows_of(height, width)
    gain = torch.randn(width, device="cuda").bfloat16()

    def check():
        row = x[:256].float()
        return close(y[:256], row * torch.rsqrt((row * row).mean(1, keepdim=True) + 1e-6) * gain.float(), 0.1)

    return lambda: jit.rmsnorm[(height,)](x, gain, y, width, 1e-6, BLOCK=4096, num_warps=8), check


def copy():
    import torch

    jit, length, block = module("benchmarks/gpu/small_jit.py"), 1 << 26, 2048
    x = torch.randn(length, device="cuda")
    y = torch.empty_like(x)
    return lambda: jit.copy[(length // block,)](x, y, length, BLOCK=block, num_warps=4), lambda: torch.equal(x, y)


def columns():
    import torch

    jit, side, block = module("benchmarks/gpu/small_jit.py"), 4096, 256
    x = torch.randn((side, side), device="cuda")
    y = torch.empty_like(x)
    return (
        lambda: jit.columns[(side, side // block)](x, y, side, side, BLOCK=block, num_warps=8),
        lambda: torch.equal(x, y),
    )


def close(found, expected, bound):
    return bool((found.float() - expected).abs().max() <= bound)


def drive(name):
    """Launch one kernel; exit 1 if its result is wrong. Its code goes to the file that HOTLOOP_CODE_FILE names."""
    import torch

    torch.manual_seed(7)
    run, right = {"gemm": gemm, "attention": attention, "softmax": softmax, "rmsnorm": rmsnorm,
                  "copy": copy, "columns": columns}[name]()  # fmt: skip
    for _ in range(WARMUPS + LAUNCHES):
        compiled = run()
        torch.cuda.synchronize()
    if CODE in os.environ:
        Path(os.environ[CODE]).write_bytes(compiled.asm["cubin"])
    if right():
        return 0
    print(f"{name}: the result is wrong", file=sys.stderr)
    return 1


# --- collecting ------------------------------------------------------------------------------------------------------


def ncu_program():
    found = shutil.which("ncu") or shutil.which("ncu", path="/usr/local/cuda/bin:/opt/nvidia/nsight-compute")
    if found is None:
        raise SystemExit("ncu is not installed: it comes with the CUDA toolkit, look in /usr/local/cuda/bin.")
    return found


def profile(name, page, code, limit_s):
    """Run one kernel under ncu into a CSV page; returns why that failed, or nothing."""
    function = KERNELS[name][0]
    command = [
        ncu_program(), "--set", "full", "--csv", "--page", "raw", "--clock-control", "none", "--kernel-name", function,
        "--launch-skip", str(WARMUPS), "--launch-count", str(LAUNCHES), "--log-file", str(page),
        sys.executable, __file__, "--drive", name,
    ]  # fmt: skip
    process = subprocess.Popen(
        command, env={**os.environ, CODE: str(code)}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        said, _ = process.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return f"it did not end within {limit_s:.0f} s"
    if process.returncode == 0:
        return ""
    told = page.read_text(errors="replace") if page.exists() else ""
    lines = [line for line in (said + told).splitlines() if line.startswith("==ERROR==")] or said.splitlines()[-6:]
    return f"exit {process.returncode}: {' | '.join(lines)[:400]}"


# --- reading ---------------------------------------------------------------------------------------------------------


def judged(page, code=None):
    """Return what hotloop says of every kernel of a page: by rules alone, and as ``hotloop explain`` words it."""
    from hotloop.diagnose.engine import diagnose
    from hotloop.metrics.catalogue import derive
    from hotloop.profilers.reading import read
    from hotloop.profiles.counts import of_kernel

    read_page = read(page)
    rows = []
    for kernel in read_page.kernels:
        evidence = derive(of_kernel(read_page, kernel))
        findings = diagnose(evidence).findings
        explained = explanation(page, kernel.kernel, code)
        rows.append({
            "kernel": kernel.kernel, "launches": kernel.dispatches, "counters": len(kernel.counters),
            "facts": len(evidence.facts), "absent": len(evidence.absent),
            "duration_ns": None if kernel.duration_ns is None else kernel.duration_ns.mean,
            "spread": spread(kernel.duration_ns), "findings": [[f.rule, f.share, f.message] for f in findings],
            "used": {n: evidence.get(f"gpu.{n}") for n in ("matrix_utilization", "issue_utilization", "hbm_utilization", "l2_utilization", "occupancy")},
            **explained,
        })  # fmt: skip
    return rows


def spread(tally):
    known = tally is not None and tally.count > 1 and tally.minimum
    return tally.maximum / tally.minimum - 1 if known else None


def explanation(page, kernel, code):
    """Return verdict and roofline in words; with the kernel's code where that can be read here."""
    from hotloop.app.explain.answer import Request, explain
    from hotloop.errors import HotloopError

    refused = ""
    for inputs in ([str(page), str(code)], [str(page)]) if code and code.exists() else ([str(page)],):
        try:
            found = explain(Request(inputs=tuple(inputs), kernel=kernel))
        except HotloopError as error:
            refused = str(error)
            continue
        advice = found.next
        return {
            "verdict": found.verdict, "roofline": found.roofline_words, "with_code": len(inputs) > 1, "refused": refused,
            "explained": [[f.rule, f.share] for f in found.findings], "try": advice[1].technique if advice else None,
        }  # fmt: skip
    return {"verdict": "", "refused": refused}


def through_hotloop(name, limit_s):
    """Profile one kernel with ``hotloop profile``'s own collector; returns what it answers, or why it cannot run here."""
    try:
        from hotloop.app.profile.answer import profile as collect_with
        from hotloop.app.profile.profiled import Request
        from hotloop.app.session import Options

        with tempfile.TemporaryDirectory() as folder:
            request = Request(
                command=(sys.executable, __file__, "--drive", name), tool="ncu", kernel=KERNELS[name][0],
                warmups=WARMUPS, launches=LAUNCHES, folder=f"{folder}/{name}", limit_s=limit_s,
            )  # fmt: skip
            answer = collect_with(request, Options())
            kept = sorted(path.name for path in answer.folder.iterdir())
    except ImportError as error:
        return {"skipped": f"{error}: hotloop's dependencies are needed"}
    except Exception as error:
        return {"launches": 0, "trouble": f"{type(error).__name__}: {error}"}
    record = answer.record
    return {
        "launches": len(record.dispatches), "trouble": record.trouble, "notes": record.notes, "files": kept,
        "steps": [[step.name, step.status, step.took_s, step.reason] for step in record.steps],
        "verdict": answer.explanation.verdict if answer.explanation else answer.unexplained,
    }  # fmt: skip


def show(name, row, expected=()):
    """Print one kernel; returns whether the first finding is one that was expected."""
    top = row["findings"][0][0] if row["findings"] else ""
    right = not expected or top in expected
    duration = "no time" if row["duration_ns"] is None else f"{row['duration_ns'] / 1e3:.1f} us"
    used = ", ".join(f"{key} {value:.2f}" for key, value in row["used"].items() if value is not None)
    print(f"== {name}: {row['kernel'][:60]}, {row['launches']} launches, {duration}, {row['facts']} facts; {used}")
    print(f"   verdict: {row['verdict'] or row['refused']}")
    print(
        f"   roof:    {row.get('roofline', '')}; next: {row.get('try')}; with code: {row.get('with_code')} {row['refused']}"
    )
    for rule, share, message in row["findings"][:4]:
        print(f"   {100 * share:5.1f} % {rule}: {message}")
    if not right:
        print(f"   UNEXPECTED: first is {top or 'nothing'}, expected one of {', '.join(expected)}")
    return right


def collect(out, names):
    """Profile and judge kernels within the time; 0 only if all were profiled and explained as expected."""
    began, summary, fine = time.monotonic(), {}, True
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            page, code = out / f"{name}.csv", Path(folder) / f"{name}.cubin"
            left_s, start = TOTAL_S - (time.monotonic() - began), time.monotonic()
            why = profile(name, page, code, min(KERNEL_S, left_s)) if left_s > 5 else "no time was left for it"
            took_s = time.monotonic() - start
            print(f"-- {name}: profiled in {took_s:.1f} s {why}", flush=True)
            try:
                rows = judged(page, code) if page.exists() else []
            except Exception as error:  # the others are still worth their time
                rows, why = [], why or f"{type(error).__name__}: {error}"
                print(f"   {why}")
            summary[name] = {"took_s": took_s, "failed": why, "kernels": rows}
            wanted = [row for row in rows if row["launches"] == LAUNCHES and row["kernel"] == KERNELS[name][0]]
            fine &= len(wanted) == 1 == len(rows) and not why
            for row in rows:
                fine &= show(name, row, KERNELS[name][1])
            (out / "summary.json").write_text(json.dumps(summary, indent=1))
        left_s = TOTAL_S - (time.monotonic() - began)
        if left_s > 20 and "copy" in names:
            summary["hotloop profile"] = through_hotloop("copy", min(KERNEL_S, left_s))
            print(f"-- hotloop profile, copy: {summary['hotloop profile']}")
            fine &= summary["hotloop profile"].get("launches", LAUNCHES) == LAUNCHES
            (out / "summary.json").write_text(json.dumps(summary, indent=1))
        with tarfile.open(out / "code.tar.gz", "w:gz") as archive:
            for path in sorted(Path(folder).glob("*.cubin")):
                archive.add(path, arcname=path.name)
    print(f"{'all as expected' if fine else 'NOT all as expected'}, {time.monotonic() - began:.0f} s", flush=True)
    return 0 if fine else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", nargs="?", type=Path)
    parser.add_argument("kernels", nargs="*", help=f"of {', '.join(KERNELS)}; default: all")
    parser.add_argument("--drive", choices=sorted(KERNELS))
    parser.add_argument("--read", nargs="+", type=Path)
    given = parser.parse_args()
    if given.drive:
        return drive(given.drive)
    if given.read:
        for page in given.read:
            for row in judged(page):
                show(page.name, row)
        return 0
    unknown = [name for name in given.kernels if name not in KERNELS]
    if given.out is None or unknown:
        parser.error(f"no kernel: {', '.join(unknown)}" if unknown else "give a folder for the results")
    return collect(given.out, given.kernels or list(KERNELS))


if __name__ == "__main__":
    sys.exit(main())
