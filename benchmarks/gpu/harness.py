"""What the GPU benchmarks share: compiling with nvcc, the CUDA driver through ctypes, timing in ABBA rounds.

Needs Python 3.11, PyTorch with CUDA and the CUDA toolkit's nvcc on the machine with the GPU; compiling alone needs nvcc only.
"""

from __future__ import annotations

import ctypes
import importlib.util
import json
import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
KERNELS = ROOT / "src" / "hotloop" / "kernels"
OUT = Path(os.environ.get("OUT", ROOT / "build" / "gpu"))
_SHARED_LIMIT, _REGISTERS, _LOCAL_BYTES = 8, 4, 3
"""CUfunction_attribute numbers: CUDA driver API."""


def load_by_path(path: Path) -> ModuleType:
    """Import one file without its package, so that only its own imports are needed."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


@dataclass(frozen=True)
class Built:
    """A cubin, or why there is none."""

    path: Path | None
    log: str
    """The whole text of the compiler."""

    @property
    def resources(self) -> str:
        """Registers and spills as ptxas said them."""
        used = [line for line in self.log.splitlines() if "Used" in line or "spill" in line]
        return "; ".join(line.replace("ptxas info    :", "").strip() for line in used)


def build(source: str, options: Sequence[str], stem: str, folder: Path, arch: str = "sm_90") -> Built:
    """Compile a CUDA C++ text to a cubin with nvcc."""
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    folder.mkdir(parents=True, exist_ok=True)
    text, cubin = folder / f"{stem}.cu", folder / f"{stem}.cubin"
    text.write_text(source)
    command = [nvcc, f"-arch={arch}", "-cubin", "-O3", "-std=c++17", "-Xptxas", "-v", *options, "-o", cubin, text]
    try:
        ran = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)
    except (OSError, subprocess.TimeoutExpired) as error:
        return Built(None, f"nvcc did not answer: {error}")
    return Built(cubin if ran.returncode == 0 else None, ran.stderr + ran.stdout)


class Driver:
    """The few calls of the CUDA driver that a kernel needs; PyTorch has made the context."""

    def __init__(self) -> None:
        self._cuda = ctypes.CDLL("libcuda.so.1")

    def _check(self, status: int, what: str) -> None:
        if status:
            text = ctypes.c_char_p()
            self._cuda.cuGetErrorString(status, ctypes.byref(text))
            raise RuntimeError(f"{what}: error {status}, {(text.value or b'?').decode()}")

    def load(self, cubin: Path, entry: str, shared_bytes: int) -> Kernel:
        """Load a kernel and raise its limit of dynamic shared memory."""
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self._check(self._cuda.cuModuleLoadData(ctypes.byref(module), cubin.read_bytes()), "cuModuleLoadData")
        self._check(self._cuda.cuModuleGetFunction(ctypes.byref(function), module, entry.encode()), entry)
        if shared_bytes > 48 * 1024:
            status = self._cuda.cuFuncSetAttribute(function, _SHARED_LIMIT, ctypes.c_int(shared_bytes))
            self._check(status, f"{shared_bytes} B of shared memory")
        return Kernel(self, function, shared_bytes)

    def attribute(self, function: ctypes.c_void_p, number: int) -> int:
        """Return a function attribute."""
        value = ctypes.c_int()
        self._check(self._cuda.cuFuncGetAttribute(ctypes.byref(value), number, function), "cuFuncGetAttribute")
        return value.value

    def resident(self, function: ctypes.c_void_p, threads: int, shared_bytes: int) -> int:
        """Return how many blocks one multiprocessor holds."""
        value = ctypes.c_int()
        self._check(
            self._cuda.cuOccupancyMaxActiveBlocksPerMultiprocessor(
                ctypes.byref(value), function, ctypes.c_int(threads), ctypes.c_size_t(shared_bytes)
            ),
            "occupancy",
        )
        return value.value

    def launch(
        self, function: ctypes.c_void_p, grid: Sequence[int], threads: int, shared: int, arguments: object
    ) -> None:
        """Launch on PyTorch's current stream."""
        import torch

        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        status = self._cuda.cuLaunchKernel(function, *grid, threads, 1, 1, shared, stream, arguments, None)
        self._check(status, "cuLaunchKernel")


@cache
def driver() -> Driver:
    """Return the driver, on the context that PyTorch makes here."""
    import torch

    torch.zeros(1, device="cuda")
    return Driver()


@dataclass(frozen=True)
class Kernel:
    """A loaded kernel."""

    driver: Driver
    function: ctypes.c_void_p
    shared_bytes: int

    def bind(self, grid: Sequence[int], threads: int, *arguments: object) -> Callable[[], None]:
        """Return a launch with fixed arguments: tensors, ctypes scalars."""
        values = [ctypes.c_void_p(a.data_ptr()) if hasattr(a, "data_ptr") else a for a in arguments]
        array = (ctypes.c_void_p * len(values))(*(ctypes.cast(ctypes.byref(v), ctypes.c_void_p) for v in values))

        def launch() -> None:
            self.driver.launch(self.function, grid, threads, self.shared_bytes, array)

        launch.keep = (values, arguments)  # the driver reads `array`, which points into them

        return launch

    def facts(self, threads: int) -> dict[str, int]:
        """Return registers, local bytes and resident blocks."""
        return {
            "registers": self.driver.attribute(self.function, _REGISTERS),
            "local_bytes": self.driver.attribute(self.function, _LOCAL_BYTES),
            "blocks_per_multiprocessor": self.driver.resident(self.function, threads, self.shared_bytes),
            "shared_bytes": self.shared_bytes,
        }


def sample_ms(calls: Sequence[Callable[[], object]], batch: int) -> float:
    """Return the mean time of a batch of calls, which rotate through `calls` (input sets), by device events."""
    import torch

    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    for i in range(batch):
        calls[i % len(calls)]()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / batch


def abba(
    a: Sequence[Callable[[], object]], b: Sequence[Callable[[], object]], rounds: int, batch_a: int, batch_b: int
) -> dict[str, list[float]]:
    """Time two things in interleaved rounds A B B A; raw milliseconds per call."""
    times: dict[str, list[float]] = {"a": [], "b": []}
    for calls, batch in ((a, batch_a), (b, batch_b)):
        sample_ms(calls, batch)
    for _ in range(rounds):
        for which in "abba":
            calls, batch = (a, batch_a) if which == "a" else (b, batch_b)
            times[which].append(sample_ms(calls, batch))
    return times


def ratio(times: dict[str, list[float]]) -> tuple[float, float, float]:
    """Return median b / a over the rounds and its quartiles."""
    per_round = [
        (times["b"][i] + times["b"][i + 1]) / (times["a"][i] + times["a"][i + 1]) for i in range(0, len(times["a"]), 2)
    ]
    quarters = statistics.quantiles(per_round, n=4) if len(per_round) > 1 else [per_round[0]] * 3
    return statistics.median(per_round), quarters[0], quarters[2]


RESTART = 7
"""Exit status of a process that reported a failure itself and whose CUDA context may be spoilt."""


def in_children(
    command: Sequence[str], names: Sequence[str], limit_s: float, each_s: float
) -> dict[str, dict[str, object]]:
    """Run ``command + names`` in a process that prints one JSON line per name, in order, as each is done.

    When the process dies or hangs, the name it was at gets the reason, and a fresh process does the rest.
    """
    results: dict[str, dict[str, object]] = {}
    left = list(names)
    while left:
        try:
            ran = subprocess.run(
                [*command, *left], check=False, capture_output=True, timeout=limit_s + each_s * len(left)
            )
            said, why = ran.stdout, f"exit {ran.returncode}: {ran.stderr.decode(errors='replace')[-1500:]}"
        except subprocess.TimeoutExpired as error:
            said, why = error.stdout or b"", "no answer in time"
        lines = [line for line in said.decode(errors="replace").splitlines() if line.startswith("{")]
        for name, line in zip(left, lines, strict=False):
            results[name] = json.loads(line)
        left = left[len(lines) :]
        if left and not (lines and why.startswith(f"exit {RESTART}:")):
            results[left[0]] = {"ok": False, "why": why}
            left = left[1:]
    return results


def conditions() -> dict[str, object]:
    """Return what the numbers depend on."""
    import torch

    properties = torch.cuda.get_device_properties(0)
    query = "clocks.sm,clocks.mem,power.draw,temperature.gpu,driver_version"
    smi = subprocess.run(
        ["nvidia-smi", f"--query-gpu={query}", "--format=csv,noheader"], check=False, capture_output=True, text=True
    )
    return {
        "device": properties.name,
        "multiprocessors": properties.multi_processor_count,
        "l2_bytes": getattr(properties, "L2_cache_size", None),
        "torch": torch.__version__,
        "cuda": torch.version.cuda,
        "cudnn": torch.backends.cudnn.version(),
        "nvidia_smi": {"query": query, "answer": smi.stdout.strip()},
        "command": sys.argv,
    }


def write(name: str, data: object) -> Path:
    """Write raw numbers under $OUT."""
    OUT.mkdir(parents=True, exist_ok=True)
    path = OUT / name
    path.write_text(json.dumps(data, indent=1))
    return path
