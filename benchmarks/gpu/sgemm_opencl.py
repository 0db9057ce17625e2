"""fp32 GEMM in OpenCL C (the pipelined implementation, the skinny one for few rows or columns) against cuBLAS and CLBlast on an NVIDIA GPU.

    python benchmarks/gpu/sgemm_opencl.py OUT.json [--sizes 256,512,3000x1000x500,...] [--limit-s S]

Needs pyopencl and PyTorch. CLBlast is called through its C interface when libclblast.so.1 can be loaded (its folder may be
in CLBLAST_FOLDER). Processes of `sgemm_configs.py` build everything first, into the driver's cache. Every configuration is
checked against float64 on fresh inputs with a poisoned output before it is timed; the best of a quick look meets the peers in
interleaved rounds (ABBA). Times are per call: device events for a batch of back-to-back calls of ours and of cuBLAS (TF32
off; a queue that records events' times takes 6 µs more for a call, so ours without them, too: `called`); host time of a batch for
both ours and CLBlast, whose calls launch several kernels. Up to 1024 a product takes less time than calling it, from PyTorch or pyopencl; there also the device's time of a batch that was submitted before it began (`ahead`),
of both, and a CUDA graph of cuBLAS' calls. Ratios are medians over the rounds, with the
least and the most: of 7 rounds these hold the true median with 98 %. Row-major; sizes are squares, or m, n and k, and BLAS' two
letters after a colon where a matrix is transposed. A shape that
is not among the tuned ones (`LARGE`, `SMALL`) runs what dispatch chooses for it. Raw times go to OUT.json.
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

import ahead
import numpy as np
import torch
from sgemm_configs import (
    LARGE,
    SMALL,
    UNTUNED,
    built,
    chosen,
    cl,
    cube,
    label,
    open_device,
    parsed,
    pipelined,
    planned,
    resources,
)

from hotloop.kernels.gemm.pipelined.space import START
from hotloop.model.program import Array, Value

L2_BYTES = 64 << 20
BUILDERS = 12
SHORT_UP_TO = 1024
"""Largest size, as a cube's side, at which calling from PyTorch may take longer than the kernels."""
ROUND_MS = 12
"""Of calls that one reading of a clock spans."""
AHEAD = 60
"""Calls that are submitted before the first of them begins."""
LOGS: dict[tuple[str, ...], str] = {}
"""What the builders' compiler said, by build options."""


class Ours:
    """One built variant bound to input sets."""

    def __init__(self, context, facts, shape, variant, sets):
        program = planned(facts, shape, variant)
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

    def bind(self, shape, sets, queue):
        """Hold the arguments of each input set."""
        size, real, (m, n, k) = ctypes.c_size_t, ctypes.c_float, shape[:3]
        ways, (lda, ldb) = [111 + flag for flag in transposed(shape)], [sides[1] for sides in stored(shape)]
        self.queue = ctypes.c_void_p(queue.int_ptr)
        self.calls = []
        for a, b, c in sets:
            handles = [ctypes.c_void_p(buffer.int_ptr) for buffer in (a, b, c)]
            self.calls.append((
                101, *ways, size(m), size(n), size(k), real(1), handles[0], size(0), size(lda), handles[1], size(0), size(ldb),
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


def transposed(shape):
    """Return whether A and B are."""
    return [letter == "t" for letter in (shape[3] if len(shape) > 3 else "nn")]


def stored(shape):
    """Return rows and columns of A and B as they lie in memory."""
    m, n, k = shape[:3]
    return [sides[::-1] if flag else sides for sides, flag in zip(((m, k), (k, n)), transposed(shape), strict=True)]


def inputs(context, shape, generator):
    """Return input sets on both sides; the same numbers for OpenCL and PyTorch, there as op(A) and op(B)."""
    m, n, k = shape[:3]
    set_bytes = 4 * (m * k + k * n + m * n)
    count = max(2, min(8, -(-2 * L2_BYTES // set_bytes))) if set_bytes <= 12 * 4096**2 else 1
    sets, tensors = [], []
    for _ in range(count):
        a, b = (generator.standard_normal(sides, dtype=np.float32) for sides in stored(shape))
        poison = np.full((m, n), np.nan, np.float32)
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        sets.append(tuple(cl.Buffer(context, flags, hostbuf=x) for x in (a, b, poison)))
        flags = transposed(shape)
        tensors.append(
            tuple(
                torch.from_numpy(x).cuda().t() if t else torch.from_numpy(x).cuda()
                for x, t in zip((a, b), flags, strict=True)
            )
        )
    return sets, tensors


def error_of(queue, buffer, tensors, shape, rows):
    """Return the largest error of some rows over 4·sqrt(k)·eps·|A||B|."""
    m, n, k = shape[:3]
    got = np.empty((m, n), np.float32)
    cl.enqueue_copy(queue, got, buffer)
    a, b = tensors
    exact = a[rows].double() @ b.double()
    scale = a[rows].double().abs() @ b.double().abs()
    if not np.isfinite(got).all():
        return float("inf")
    error = (torch.from_numpy(got[rows.cpu().numpy()]).cuda().double() - exact).abs()
    return float((error / (4 * k**0.5 * 2.0**-24 * scale)).max())


def looked(shape, opened, keep, sets, tensors, time_ms):
    """Return time, variant, what was built and error of each that is right, the shortest time first."""
    facts, context, queue, _ = opened
    m, n, k = shape[:3]
    rows = torch.cat([torch.randperm(m, device="cuda")[:64], torch.arange(max(0, m - 8), m, device="cuda")])
    batch = max(4, min(200, int(4 / max(0.015, 2e-9 * m * n * k / 30))))
    looks = []
    for variant in keep:
        try:
            ours = Ours(context, facts, shape, variant, sets)
            cl.enqueue_copy(queue, sets[0][2], np.full((m, n), np.nan, np.float32))
            ours.enqueue(queue, 0).wait()
            error = error_of(queue, sets[0][2], tensors[0], shape, rows)
            if not error <= 1:
                print(f"wrong: {label(shape)} {variant.label} error {error:.2f} of its bound", flush=True)
                continue
            looks.append((min(time_ms(ours, batch) for _ in range(3)), variant, ours, error))
        except Exception as reason:  # noqa: BLE001 - a configuration that does not fit is a result
            print(f"failed: {label(shape)} {variant.label}: {str(reason).splitlines()[0][:160]}", flush=True)
    return sorted(looks, key=lambda look: look[0])


def study(shape, opened, clock, generator, rounds, library, keep):
    _, context, queue, plain = opened
    m, n, k = shape[:3]
    name, gflop, short = label(shape), 2e-9 * m * n * k, m * n * k <= SHORT_UP_TO**3
    sets, tensors = inputs(context, shape, generator)

    def on_device_ms(ours, batch):
        return clock.ms(lambda index: ours.enqueue(plain, index), min(batch, AHEAD), len(ours.calls[0]))

    def evented_ms(ours, batch):
        return device_ms(ours, queue, batch)

    looks = looked(shape, opened, keep, sets, tensors, on_device_ms if short else evented_ms)
    _, variant, ours, error = looks[0]
    torch.backends.cuda.matmul.allow_tf32 = False
    out = torch.empty((m, n), device="cuda")
    calls = [lambda a=a, b=b: torch.matmul(a, b, out=out) for a, b in tensors]
    blast = library.bind(shape, sets, plain) if library else None
    batch = max(2, min(300, int(ROUND_MS / looks[0][0])))
    measure = {
        "ours": lambda: evented_ms(ours, batch),
        "cublas": lambda: cublas_ms(calls, batch),
        "ours_host": lambda: host_ms(lambda index: ours.enqueue(plain, index), plain, batch),
    }
    if blast:
        once_ms = min(host_ms(blast.call, plain, 1) for _ in range(2))
        some = max(
            1, min(batch, int(2 * ROUND_MS / once_ms))
        )  # of few tiles and a long k it makes no slices: 0.1 s and more
        measure["clblast_host"] = lambda: host_ms(blast.call, plain, some)
    if short:
        measure["ours_device"] = lambda: on_device_ms(ours, batch)
        measure["cublas_device"] = lambda: ahead.torch_ms(calls, min(batch, AHEAD))
    for take in measure.values():
        take()
    clock.late = 0  # first calls load code
    if short and (graph := graph_of(calls, batch)):
        measure["cublas_graph"] = lambda: cublas_ms([graph.replay], 1) / batch
        measure["cublas_graph"]()
    times = {name: [] for name in measure}
    for index in range(rounds):
        order = list(measure) if index % 2 == 0 else list(reversed(measure))
        for contender in (*order, *reversed(order)):
            times[contender].append(measure[contender]())
    speed = {contender: gflop / median(values) for contender, values in times.items() if values}
    against = {
        "cublas": ("cublas", "ours"),
        "cublas_called": ("cublas", "ours_host"),
        "cublas_device": ("cublas_device", "ours_device"),
        "cublas_graph": ("cublas_graph", "ours_device"),
        "clblast": ("clblast_host", "ours_host"),
    }
    ratios = {whom: spread(times[peer], times[own]) for whom, (peer, own) in against.items() if peer in times}
    said = "; ".join(f"{whom} {at:.3f} ({low:.3f} to {high:.3f})" for whom, (at, low, high) in ratios.items())
    rates = ", ".join(f"{contender} {value:.2f}" for contender, value in speed.items())
    late = f"; {clock.late} batches submitted late" if clock.late else ""
    print(f"{name}: TFLOP/s {rates}; ratios {said}; error {error:.2f}{late}", flush=True)
    for took, tried, made, _ in looks[:6]:
        start = tried.implementation.start
        changed = ", ".join(f"{name}={tried.config[name]}" for name in start.changes_to(tried.config))
        print(f"    {gflop / took:.2f} {tried.implementation.name} {changed} {made.log}", flush=True)
    return {
        "shape": shape, "implementation": variant.implementation.name, "config": dict(variant.config), "times_ms": times, "tflops": speed, "ratios": ratios, "error_of_bound": error,
        "late_batches": clock.late,
        "looks": [(took, dict(tried.config), made.log, made.build_s) for took, tried, made, _ in looks],
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


def candidates(facts, shape, best):
    """Return what is tried on a shape; `best` are the winners at 2048."""
    side = shape[0]
    if shape != cube(side) or side not in (*SMALL, 2048, 4096, 8192):
        return [chosen(facts, shape)]
    return list(map(pipelined, SMALL.get(side) or (best if side > 2048 and best else LARGE)))


def spread(peer, own):
    """Return median, least and most of the rounds' ratios."""
    ratios = paired(peer, own)
    return median(ratios), min(ratios), max(ratios)


def paired(peer, own):
    return [(peer[i] + peer[i + 1]) / (own[i] + own[i + 1]) for i in range(0, len(own), 2)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    tuned = ("2048", "4096", "8192", "1024", "512", "256")
    parser.add_argument("--sizes", default=",".join((*tuned, *map(label, UNTUNED))))
    parser.add_argument("--limit-s", type=float, default=90)
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    began, rows = time.monotonic(), []
    opened = open_device()
    clock = ahead.Clock(cl, opened[1], opened[3])
    build_all()
    generator = np.random.default_rng(7)
    try:
        library = CLBlast()
    except OSError as reason:
        print("no CLBlast:", reason, flush=True)
        library = None
    best = []
    for name in given.sizes.split(","):
        if time.monotonic() - began > given.limit_s:
            print("out of time before", name, flush=True)
            break
        shape = parsed(name)
        try:
            keep = candidates(opened[0], shape, best)
            row = study(shape, opened, clock, generator, given.rounds, library, keep)
        except Exception as reason:  # noqa: BLE001
            print(f"failed: {name}: {reason}", flush=True)
            continue
        rows.append(row)
        print(f"    after {time.monotonic() - began:.0f} s", flush=True)
        if shape == cube(2048):
            best = [START.replace(**config) for _, config, _, _ in row["looks"][:3]]
        conditions = {
            "device": opened[0].name, "driver": opened[1].devices[0].driver_version, "torch": torch.__version__,
            "cuda": torch.version.cuda, "command": sys.argv,
        }  # fmt: skip
        given.out.write_text(json.dumps({"conditions": conditions, "rows": rows}))


if __name__ == "__main__":
    main()
