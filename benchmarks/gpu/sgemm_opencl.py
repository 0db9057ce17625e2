"""fp32 GEMM in OpenCL C (the family's pipelined implementation) against cuBLAS and CLBlast on an NVIDIA GPU.

    python benchmarks/gpu/sgemm_opencl.py OUT.json [--sizes 256,512,...] [--limit-s S]

Needs pyopencl and PyTorch. CLBlast is called through its C interface when libclblast.so.1 can be loaded (its folder may be
in CLBLAST_FOLDER). Processes of `sgemm_configs.py` build everything first, into the driver's cache. Every configuration is
checked against float64 on fresh inputs with a poisoned output before it is timed; the best of a quick look meets the peers in
interleaved rounds (ABBA). Times are per call: device events for a batch of back-to-back calls of ours and of cuBLAS (TF32
off), up to 1024 also of a CUDA graph of cuBLAS' calls, because PyTorch takes longer to call than such a product to run; host
time of a batch for both ours and CLBlast, whose calls launch several kernels. Ratios are medians over the rounds, with the
least and the most: of 7 rounds these hold the true median with 98 %. Row-major squares; raw times go to OUT.json.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import subprocess
import sys
import time
from itertools import cycle, islice
from pathlib import Path
from statistics import median

import numpy as np
import torch
from sgemm_configs import LARGE, SMALL, built, cl, open_device, planned, resources

from hotloop.kernels.gemm.pipelined import SPACE, START
from hotloop.model.program import Array, Value

L2_BYTES = 64 << 20
BUILDERS = 12
GRAPHED_UP_TO = 1024
"""Largest size at which calling from PyTorch may take longer than the kernels."""
LOGS: dict[tuple[str, ...], str] = {}
"""What the builders' compiler said, by build options."""


class Ours:
    """One built configuration bound to input sets."""

    def __init__(self, context, facts, n, config, sets):
        program = planned(facts, n, config)
        began = time.monotonic()
        made = built(context, program.source, program.options)
        self.build_s = time.monotonic() - began
        self.log = LOGS.get(program.options) or resources(made, context)
        # Kept here: a kernel does not hold the buffers that are its arguments.
        self.scratch = {s.name: cl.Buffer(context, cl.mem_flags.READ_WRITE, s.scratch_bytes) for s in program.scratch}
        self.calls = []
        for a, b, c in sets:
            buffers = {"a": a, "b": b, "c": c, **self.scratch}
            launches = []
            for launch in program.launches:
                kernel = cl.Kernel(made, launch.entry)
                kernel.set_args(*(_argument(x, buffers) for x in launch.arguments))
                launches.append((kernel, launch.global_size, launch.local_size))
            self.calls.append(launches)

    def enqueue(self, queue, index):
        event = None
        for kernel, size, local in self.calls[index % len(self.calls)]:
            event = cl.enqueue_nd_range_kernel(queue, kernel, size, local)
        return event


def _argument(argument, buffers):
    if isinstance(argument, Array):
        return buffers[argument.name]
    assert isinstance(argument, Value)
    return np.dtype(argument.dtype).type(argument.value)


class CLBlast:
    """CLBlast's SGEMM with its default parameters, through ctypes."""

    def __init__(self):
        folder = os.environ.get("CLBLAST_FOLDER", "")
        self.library = ctypes.CDLL(str(Path(folder) / "libclblast.so.1") if folder else "libclblast.so.1")

    def bind(self, n, sets, queue):
        """Hold the arguments of each input set."""
        size, real = ctypes.c_size_t, ctypes.c_float
        self.queue = ctypes.c_void_p(queue.int_ptr)
        self.calls = []
        for a, b, c in sets:
            handles = [ctypes.c_void_p(buffer.int_ptr) for buffer in (a, b, c)]
            self.calls.append((
                101, 111, 111, size(n), size(n), size(n), real(1), handles[0], size(0), size(n), handles[1], size(0), size(n),
                real(0), handles[2], size(0), size(n), ctypes.byref(self.queue), None,
            ))  # fmt: skip
        return self

    def call(self, index):
        status = self.library.CLBlastSgemm(*self.calls[index % len(self.calls)])
        if status:
            raise RuntimeError(f"CLBlastSgemm: status {status}")


def host_ms(enqueue, queue, batch):
    """Return ms of one call by the host's clock over a batch; OpenCL work only."""
    queue.finish()
    began = time.perf_counter()
    for index in range(batch):
        enqueue(index)
    queue.finish()
    return 1e3 * (time.perf_counter() - began) / batch


def device_ms(ours, queue, batch):
    """Return ms of one call by device events: end of the last minus start of the first."""
    first = cl.enqueue_marker(queue)
    last = None
    for index in range(batch):
        last = ours.enqueue(queue, index)
    last.wait()
    return 1e-6 * (last.profile.end - first.profile.end) / batch


def cublas_ms(calls, batch):
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    for call in islice(cycle(calls), batch):
        call()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / batch


def graph_of(calls, batch):
    """Return a CUDA graph of a batch of calls, which have been made before; None where there can be none."""
    graph = torch.cuda.CUDAGraph()
    try:
        with torch.cuda.graph(graph):
            for call in islice(cycle(calls), batch):
                call()
    except RuntimeError as reason:
        print("no graph:", reason, flush=True)
        return None
    return graph


def inputs(context, n, generator):
    """Return input sets on both sides; the same numbers for OpenCL and PyTorch."""
    count = max(2, min(8, -(-2 * L2_BYTES // (12 * n * n)))) if n <= 4096 else 1
    sets, tensors = [], []
    for _ in range(count):
        a, b = (generator.standard_normal((n, n), dtype=np.float32) for _ in range(2))
        poison = np.full((n, n), np.nan, np.float32)
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        sets.append(tuple(cl.Buffer(context, flags, hostbuf=x) for x in (a, b, poison)))
        tensors.append(tuple(torch.from_numpy(x).cuda() for x in (a, b)))
    return sets, tensors


def error_of(queue, buffer, tensors, n, rows):
    """Return the largest error of some rows over 4·sqrt(k)·eps·|A||B|."""
    got = np.empty((n, n), np.float32)
    cl.enqueue_copy(queue, got, buffer)
    a, b = tensors
    exact = a[rows].double() @ b.double()
    scale = a[rows].double().abs() @ b.double().abs()
    if not np.isfinite(got).all():
        return float("inf")
    error = (torch.from_numpy(got[rows.cpu().numpy()]).cuda().double() - exact).abs()
    return float((error / (4 * n**0.5 * 2.0**-24 * scale)).max())


def study(n, opened, generator, rounds, library, keep):
    facts, context, queue, plain = opened
    sets, tensors = inputs(context, n, generator)
    rows = torch.randperm(n, device="cuda")[:64]
    guess_ms = max(0.015, 2e-9 * n**3 / 30)
    looks = []
    for config in keep:
        if violation := SPACE.violation(config):
            print("not a configuration:", violation, config, flush=True)
            continue
        try:
            ours = Ours(context, facts, n, config, sets)
            cl.enqueue_copy(queue, sets[0][2], np.full((n, n), np.nan, np.float32))
            ours.enqueue(queue, 0).wait()
            error = error_of(queue, sets[0][2], tensors[0], n, rows)
            if not error <= 1:
                print(f"wrong: {n} {config} error {error:.2f} of its bound", flush=True)
                continue
            batch = max(4, min(200, int(4 / guess_ms)))
            took = min(device_ms(ours, queue, batch) for _ in range(3))
            looks.append((took, config, ours, error))
        except Exception as reason:  # noqa: BLE001 - a configuration that does not fit is a result
            print(f"failed: {n} {config}: {str(reason).splitlines()[0][:160]}", flush=True)
    looks.sort(key=lambda row: row[0])
    _, config, ours, error = looks[0]
    torch.backends.cuda.matmul.allow_tf32 = False
    out = torch.empty((n, n), device="cuda")
    calls = [lambda a=a, b=b: torch.matmul(a, b, out=out) for a, b in tensors]
    blast = library.bind(n, sets, plain) if library else None
    batch = max(2, min(300, int(12 / looks[0][0])))
    measure = {
        "ours": lambda: device_ms(ours, queue, batch),
        "cublas": lambda: cublas_ms(calls, batch),
        "ours_host": lambda: host_ms(lambda index: ours.enqueue(plain, index), plain, batch),
    }
    if blast:
        measure["clblast_host"] = lambda: host_ms(blast.call, plain, batch)
    for take in measure.values():
        take()
    if n <= GRAPHED_UP_TO and (graph := graph_of(calls, batch)):
        measure["cublas_graph"] = lambda: cublas_ms([graph.replay], 1) / batch
        measure["cublas_graph"]()
    times = {name: [] for name in measure}
    for index in range(rounds):
        order = list(measure) if index % 2 == 0 else list(reversed(measure))
        for name in (*order, *reversed(order)):
            times[name].append(measure[name]())
    speed = {name: 2e-9 * n**3 / median(values) for name, values in times.items() if values}
    against = {
        "cublas": ("cublas", "ours"),
        "cublas_graph": ("cublas_graph", "ours"),
        "clblast": ("clblast_host", "ours_host"),
    }
    ratios = {name: spread(times[peer], times[own]) for name, (peer, own) in against.items() if peer in times}
    said = "; ".join(f"{name} {at:.3f} ({low:.3f} to {high:.3f})" for name, (at, low, high) in ratios.items())
    rates = ", ".join(f"{name} {value:.2f}" for name, value in speed.items())
    print(f"{n}: TFLOP/s {rates}; ratios {said}; error {error:.2f}", flush=True)
    for took, tried, made, _ in looks[:6]:
        changed = ", ".join(f"{name}={tried[name]}" for name in START.changes_to(tried))
        print(f"    {2e-9 * n**3 / took:.2f} {changed} {made.log}", flush=True)
    return {
        "n": n, "config": dict(config), "times_ms": times, "tflops": speed, "ratios": ratios, "error_of_bound": error,
        "looks": [(took, dict(tried), made.log, made.build_s) for took, tried, made, _ in looks],
    }  # fmt: skip


def build_all():
    """Build every configuration in processes of their own."""
    began = time.monotonic()
    script = str(Path(__file__).with_name("sgemm_configs.py"))
    commands = [[sys.executable, script, str(index), str(BUILDERS)] for index in range(BUILDERS)]
    for builder in [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for command in commands]:
        for options, log in map(json.loads, builder.communicate()[0].splitlines()):
            LOGS[tuple(options)] = log
    print(f"built {len(LOGS)} in {time.monotonic() - began:.0f} s", flush=True)


def spread(peer, own):
    """Return median, least and most of the rounds' ratios."""
    ratios = paired(peer, own)
    return median(ratios), min(ratios), max(ratios)


def paired(peer, own):
    return [(peer[i] + peer[i + 1]) / (own[i] + own[i + 1]) for i in range(0, len(own), 2)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--sizes", default="2048,4096,8192,1024,512,256")
    parser.add_argument("--limit-s", type=float, default=90)
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    began, rows = time.monotonic(), []
    opened = open_device()
    build_all()
    generator = np.random.default_rng(7)
    try:
        library = CLBlast()
    except OSError as reason:
        print("no CLBlast:", reason, flush=True)
        library = None
    best = []
    for n in map(int, given.sizes.split(",")):
        if time.monotonic() - began > given.limit_s:
            print("out of time before", n, flush=True)
            break
        keep = SMALL.get(n, LARGE) if n <= 1024 else (n > 2048 and best[:3]) or LARGE
        try:
            row = study(n, opened, generator, given.rounds, library, keep)
        except Exception as reason:  # noqa: BLE001
            print(f"failed: {n}: {reason}", flush=True)
            continue
        rows.append(row)
        if n == 2048:
            best = [START.replace(**config) for _, config, _, _ in row["looks"][:3]]
        conditions = {
            "device": opened[0].name, "driver": opened[1].devices[0].driver_version, "torch": torch.__version__,
            "cuda": torch.version.cuda, "command": sys.argv,
        }  # fmt: skip
        given.out.write_text(json.dumps({"conditions": conditions, "rows": rows}))


if __name__ == "__main__":
    main()
