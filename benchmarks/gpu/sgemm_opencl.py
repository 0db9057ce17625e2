"""fp32 GEMM in OpenCL C (the family's pipelined implementation) against cuBLAS and CLBlast on an NVIDIA GPU.

    python benchmarks/gpu/sgemm_opencl.py OUT.json [--sizes 256,512,...] [--limit-s S]

Needs pyopencl and PyTorch. CLBlast is called through its C interface when libclblast.so.1 can be loaded (its folder may be
in CLBLAST_FOLDER). Every configuration is checked against float64 on fresh inputs with a poisoned output before it is
timed; the best of a quick look meets the peers in interleaved rounds (ABBA). Times are per call: device events for a batch of
back-to-back calls of ours and of cuBLAS (TF32 off); host time of a batch for both ours and CLBlast, whose calls launch
several kernels. Row-major squares; raw times go to OUT.json.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import sys
import time
from itertools import cycle, islice
from pathlib import Path
from statistics import median

import numpy as np
import torch

from hotloop.host import runtimes

os.environ.update(runtimes.loader_environment())  # before pyopencl loads its ICD loader, which reads them once

import pyopencl as cl

from hotloop.kernels.gemm.pipelined import SPACE, START, plan
from hotloop.kernels.gemm.problem import DEFAULT
from hotloop.model.device import Device
from hotloop.model.program import Array, Value

L2_BYTES = 64 << 20
WIDE = START.replace(MWI=8, NWI=8, KWG=16, KUNROLL=16, WIDE=4, BUFFERS=2, SWZ=4, RASTER=8)
DEEP = WIDE.replace(KWG=8, KUNROLL=8, SWZ=2)
LEAN = WIDE.replace(BUFFERS=1, REGISTERS=128)
LARGE = [
    LEAN,
    *(LEAN.replace(RASTER=rows) for rows in (0, 1, 2, 4)),
    *(LEAN.replace(KUNROLL=steps) for steps in (4, 8)),
    LEAN.replace(SWZ=2),
    LEAN.replace(SWZ=1, PAD=4),
    LEAN.replace(KWG=32, KUNROLL=32, SWZ=4),
    LEAN.replace(KWG=32, KUNROLL=16, SWZ=4),
    LEAN.replace(KWG=8, KUNROLL=8, SWZ=2),
    LEAN.replace(MDIM=8, NDIM=32),
    LEAN.replace(MDIM=32, NDIM=8),
    WIDE.replace(REGISTERS=128),
    DEEP.replace(REGISTERS=128),
    DEEP.replace(NWI=16),
    DEEP.replace(NDIM=8, NWI=16),
]
TINY = WIDE.replace(MDIM=8, NDIM=8, MWI=4, NWI=4, SWZ=2)
LONG = TINY.replace(KWG=32, KUNROLL=32, SWZ=4)
TILES = [
    {},
    {"MWI": 8},
    {"NWI": 8},
    {"MWI": 8, "NWI": 8},
    {"NDIM": 16},
    {"MDIM": 16},
    {"MDIM": 16, "NDIM": 16},
    {"MDIM": 4, "NDIM": 8},
]
SMALL = {
    256: [TINY, *(LONG.replace(**tile) for tile in TILES)]
    + [LONG.replace(SPLIT=parts) for parts in (2, 4, 8)]
    + [LONG.replace(MWI=8, NWI=8, SPLIT=parts) for parts in (4, 8)]
    + [LONG.replace(MDIM=16, NDIM=16, SPLIT=parts) for parts in (2, 4, 8)],
    512: [TINY, *(LONG.replace(**tile) for tile in TILES)]
    + [LONG.replace(MDIM=16, NDIM=16, SPLIT=parts) for parts in (2, 4)]
    + [LONG.replace(MWI=8, NWI=8, SPLIT=parts) for parts in (2, 4)],
    1024: [
        WIDE.replace(MDIM=8, MWI=8, NWI=4, SWZ=2),
        *(LONG.replace(MDIM=8, NDIM=16, MWI=8, NWI=4, BUFFERS=count) for count in (1, 2)),
        *(LONG.replace(MDIM=16, NDIM=8, MWI=4, NWI=8, BUFFERS=count) for count in (1, 2)),
        LONG.replace(MDIM=16, NDIM=16),
        LONG.replace(MDIM=16, NDIM=16, MWI=8, REGISTERS=128),
        LONG.replace(MWI=8, NWI=8),
        WIDE.replace(MDIM=8, NDIM=8, SWZ=2, SPLIT=2),
        LEAN.replace(SPLIT=2),
        LEAN.replace(SPLIT=4),
        WIDE.replace(MDIM=8, NDIM=16, MWI=8, NWI=8, SWZ=2, REGISTERS=128, SPLIT=2),
    ],
}


BUILT: dict[tuple[str, ...], cl.Program] = {}
"""Programs by options: sizes are arguments, so one build serves them all."""


def open_device():
    for platform in cl.get_platforms():
        if "NVIDIA" in platform.name.upper():
            raw = platform.get_devices()[0]
            facts = Device(
                name=raw.name, kind="gpu", backend="opencl", runtime=platform.name, runtime_key="nvidia",
                compute_units=raw.max_compute_units, local_mem_bytes=raw.local_mem_size,
                max_workgroup=raw.max_work_group_size, fp16=False, fp64=True,
            )  # fmt: skip
            context = cl.Context([raw])
            queue = cl.CommandQueue(context, raw, properties=cl.command_queue_properties.PROFILING_ENABLE)
            return facts, context, queue, cl.CommandQueue(context, raw)
    raise SystemExit("no OpenCL platform of NVIDIA")


class Ours:
    """One built configuration bound to input sets."""

    def __init__(self, context, facts, n, config, sets):
        program = plan(DEFAULT.replace(m=n, n=n, k=n), config, facts)
        began = time.monotonic()
        if program.options not in BUILT:
            options = [*program.options, "-cl-nv-verbose"]
            BUILT[program.options] = cl.Program(context, program.source).build(options=options, cache_dir=False)
        built = BUILT[program.options]
        self.build_s = time.monotonic() - began
        self.log = " ".join(
            line.strip()
            for line in str(built.get_build_info(context.devices[0], cl.program_build_info.LOG)).splitlines()
            if "registers" in line or "spill" in line
        )
        # Kept here: a kernel does not hold the buffers that are its arguments.
        self.scratch = {s.name: cl.Buffer(context, cl.mem_flags.READ_WRITE, s.scratch_bytes) for s in program.scratch}
        self.calls = []
        for a, b, c in sets:
            buffers = {"a": a, "b": b, "c": c, **self.scratch}
            launches = []
            for launch in program.launches:
                kernel = cl.Kernel(built, launch.entry)
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
    times = {name: [] for name in ("ours", "cublas", "ours_host", "clblast_host")}
    measure = {
        "ours": lambda: device_ms(ours, queue, batch),
        "cublas": lambda: cublas_ms(calls, batch),
        "ours_host": lambda: host_ms(lambda index: ours.enqueue(plain, index), plain, batch),
    }
    if blast:
        measure["clblast_host"] = lambda: host_ms(blast.call, plain, batch)
    for take in measure.values():
        take()
    for index in range(rounds):
        order = list(measure) if index % 2 == 0 else list(reversed(measure))
        for name in (*order, *reversed(order)):
            times[name].append(measure[name]())
    speed = {name: 2e-9 * n**3 / median(values) for name, values in times.items() if values}
    ratio = {
        "cublas": median(paired(times["cublas"], times["ours"])),
        "clblast": median(paired(times["clblast_host"], times["ours_host"])) if blast else None,
    }
    print(
        f"{n}: ours {speed['ours']:.2f} (host {speed['ours_host']:.2f}) cuBLAS {speed['cublas']:.2f} "
        f"CLBlast {speed.get('clblast_host', float('nan')):.2f} TFLOP/s; ratios {ratio} err {error:.2f}",
        flush=True,
    )
    for took, tried, made, _ in looks[:5]:
        changed = ", ".join(f"{name}={tried[name]}" for name in START.changes_to(tried))
        print(f"    {2e-9 * n**3 / took:.2f} {changed} {made.log}", flush=True)
    return {
        "n": n, "config": dict(config), "times_ms": times, "tflops": speed, "ratios": ratio, "error_of_bound": error,
        "looks": [(took, dict(tried), made.log, made.build_s) for took, tried, made, _ in looks],
    }  # fmt: skip


def paired(peer, own):
    return [(peer[i] + peer[i + 1]) / (own[i] + own[i + 1]) for i in range(0, len(own), 2)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--sizes", default="2048,1024,512,256,4096,8192")
    parser.add_argument("--limit-s", type=float, default=90)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--build", type=int, help="only build every 8th configuration, for the driver's cache")
    given = parser.parse_args()
    began, rows = time.monotonic(), []
    opened = open_device()
    if given.build is not None:
        for config in [*LARGE, *(c for some in SMALL.values() for c in some)][given.build :: 8]:
            Ours(opened[1], opened[0], 256, config, [])
        return
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
        keep = best[:2] if n > 2048 and best else [*SMALL.get(n, SMALL[1024]), *best[:2]] if n < 2048 else LARGE
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
