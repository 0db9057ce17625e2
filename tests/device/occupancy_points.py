"""The driver's occupancy answers on a CUDA device, to be compared with the model of `hotloop.isa.occupancy`.

    python tests/device/occupancy_points.py OUT.json        # on the machine with the GPU: CuPy and NVRTC
    python tests/device/occupancy_points.py OUT.json --judge  # anywhere: compares the recorded points with the model

Kernels are compiled with capped registers so that many register counts occur; each is asked for several block sizes and
amounts of dynamic shared memory, within and beyond the default limit of a block.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import Counter
from pathlib import Path

SOURCE = """
extern "C" __global__ void k(const float* x, float* y, int n) {{
    extern __shared__ float dynamic[];
    __shared__ float fixed[{words}];
    float v[{live}];
    #pragma unroll
    for (int i = 0; i < {live}; ++i) v[i] = x[(threadIdx.x + i * 37) % n];
    fixed[threadIdx.x % {words}] = v[0];
    if (n < 0) dynamic[threadIdx.x] = v[1];
    __syncthreads();
    for (int r = 0; r < n; ++r)
        #pragma unroll
        for (int i = 0; i < {live}; ++i) v[i] = v[i] * v[(i + 1) % {live}] + fixed[(i + r) % {words}];
    float s = n < 0 ? dynamic[0] : 0.f;
    #pragma unroll
    for (int i = 0; i < {live}; ++i) s += v[i];
    y[blockIdx.x * blockDim.x + threadIdx.x] = s;
}}
"""
BLOCKS = (32, 64, 96, 128, 160, 192, 256, 288, 384, 512, 640, 768, 1024)
DYNAMIC = (
    0,
    1,
    1000,
    1024,
    4096,
    10_000,
    16_384,
    24_000,
    32_768,
    47_000,
    65_536,
    75_000,
    98_304,
    114_000,
    163_840,
    200_000,
    227 * 1024,
)


def collect(path):
    """Ask the driver and write the points."""
    import cupy

    device = cupy.cuda.Device()
    facts = device.attributes
    points = []
    for live, words in ((8, 16), (16, 64), (40, 512), (90, 2048), (150, 8000), (220, 300)):
        for cap in (16, 24, 32, 40, 48, 56, 64, 72, 80, 96, 104, 120, 128, 144, 160, 168, 192, 224, 255):
            module = cupy.RawModule(code=SOURCE.format(live=live, words=words), options=(f"--maxrregcount={cap}",))
            kernel = module.get_function("k")
            static = kernel.shared_size_bytes
            limit = facts["MaxSharedMemoryPerBlockOptin"] - static
            for dynamic in DYNAMIC:
                if dynamic > limit:
                    continue
                kernel.max_dynamic_shared_size_bytes = max(dynamic, 48 * 1024 - static if static < 48 * 1024 else 0)
                for block in BLOCKS:
                    if block > kernel.max_threads_per_block:
                        continue
                    active = cupy.cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor(
                        kernel.kernel.ptr, block, dynamic
                    )
                    points.append([kernel.num_regs, static, dynamic, block, active])
    record = {
        "target": "sm_" + device.compute_capability,
        "name": cupy.cuda.runtime.getDeviceProperties(0)["name"].decode(),
        "driver": cupy.cuda.runtime.driverGetVersion(),
        "columns": ["registers", "static_shared_bytes", "dynamic_shared_bytes", "block", "blocks_per_multiprocessor"],
        "points": [list(row) for row in dict.fromkeys(map(tuple, points))],
    }
    path.write_text(json.dumps(record))
    print(f"occupancy: {len(record['points'])} points on {record['name']}")


def judge(path):
    """Compare recorded points with the model; return how many differ."""
    from hotloop.isa.occupancy.nvidia import NvidiaRequest, evaluate
    from hotloop.targets.target import Target

    content = path.read_bytes()
    record = json.loads(gzip.decompress(content) if path.suffix == ".gz" else content)
    machine, outcome = Target.named(record["target"]).machine, Counter()
    for registers, static, dynamic, block, active in record["points"]:
        request = NvidiaRequest(registers=registers, shared_bytes=static, dynamic_shared_bytes=dynamic, block=block)
        ours = evaluate(machine, request).groups
        outcome["equal" if ours == active else "different"] += 1
        if ours != active and outcome["different"] <= 20:
            print(
                f"registers {registers} static {static} dynamic {dynamic} block {block}: driver {active}, model {ours}"
            )
    print(dict(outcome), "on", record["name"], "driver", record["driver"])
    return outcome["different"]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--judge", action="store_true")
    given = parser.parse_args()
    sys.exit(bool(judge(given.file)) if given.judge else collect(given.file))
