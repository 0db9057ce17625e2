"""A GPU that compiles and runs nothing: calling programs are tried on it before time on a real one is spent. PyTorch for the CPU suffices.

    PRETEND_GPU=sm_90 python3 program.py        # programs of captured.toml import this where the variable is set

Tensors asked for on "cuda" lie in ordinary memory, kernels are compiled for the target as they would be there, launches do nothing, and an
autotuner chooses between its first two configurations. What a program computes is therefore meaningless; that it gets to its end, and what it
launches, is what is looked at.
"""

from __future__ import annotations

import os
import time
from typing import Any, Self

import torch
import triton
from torch.overrides import TorchFunctionMode
from triton.backends.compiler import GPUTarget
from triton.runtime import driver
from triton.runtime.autotuner import Autotuner

TARGET = os.environ.get("PRETEND_GPU") or "sm_90"
_SHARED, _UNITS = 232448, 132


class _Utils:
    def get_device_properties(self, _device: int = 0) -> dict[str, int]:
        return {
            "max_shared_mem": _SHARED, "max_num_regs": 65536, "multiprocessor_count": _UNITS, "warpSize": 32,
            "sm_clock_rate": 1980000, "mem_clock_rate": 3201000, "mem_bus_width": 6144,
        }  # fmt: skip

    def load_binary(self, *_given: object) -> tuple[object, object, int, int, int]:
        return object(), object(), 32, 0, 1024

    def fill_tma_descriptor(self, *_given: object) -> object:
        return object()


class _Driver:
    """What Triton's runtime asks of a driver."""

    utils = _Utils()

    @classmethod
    def is_active(cls) -> bool:
        return True

    def get_current_target(self) -> GPUTarget:
        return GPUTarget("cuda", int(TARGET.removeprefix("sm_")), 32)

    def get_current_device(self) -> int:
        return 0

    def set_current_device(self, _device: int) -> None:
        pass

    def get_current_stream(self, _device: int = 0) -> int:
        return 0

    def get_device_capability(self, _device: int = 0) -> tuple[int, int]:
        return divmod(int(TARGET.removeprefix("sm_")), 10)

    def get_active_torch_device(self) -> torch.device:
        return torch.device("cpu")

    def get_device_interface(self) -> Any:
        return torch.cuda

    def get_benchmarker(self) -> Any:
        def once(call: Any, **_given: object) -> list[float]:
            call()
            return [time.perf_counter()] * 3  # the first is the fastest

        return once

    def get_empty_cache_for_benchmark(self) -> torch.Tensor:
        return torch.empty(1)

    def clear_cache(self, _cache: object) -> None:
        pass

    def launcher_cls(self, *_given: object) -> Any:
        return lambda *_launch, **_named: None


class _Here(TorchFunctionMode):
    """Sends what is asked for on a GPU to ordinary memory."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = dict(kwargs or {})
        name = getattr(func, "__name__", "")
        if name == "cuda" and args:
            return args[0]
        if "cuda" in str(kwargs.get("device", "")) or isinstance(kwargs.get("device"), int):
            kwargs["device"] = "cpu"
        args = tuple("cpu" if str(a).startswith("cuda") and isinstance(a, str | torch.device) else a for a in args)
        return func(*args, **kwargs)


class _Event:
    def __init__(self, **_given: object) -> None:
        pass

    def record(self, *_stream: object) -> None:
        pass

    def synchronize(self) -> None:
        pass

    def elapsed_time(self, _other: object) -> float:
        return 1.0


class _Properties:
    name, major, minor, multi_processor_count, total_memory = f"pretended {TARGET}", 9, 0, _UNITS, 140 << 30
    warp_size, regs_per_multiprocessor, max_threads_per_multi_processor = 32, 65536, 2048
    shared_memory_per_block, shared_memory_per_block_optin, shared_memory_per_multiprocessor = 49152, _SHARED, 233472
    L2_cache_size = 60 << 20


class _Context:
    """A device or a stream."""

    cuda_stream = 0

    def __init__(self, *_given: object) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_given: object) -> None:
        pass


def install() -> None:
    """Make this process believe in a GPU."""
    driver.set_active(_Driver())
    here = {
        "is_available": lambda: True, "device_count": lambda: 1, "current_device": lambda: 0, "synchronize": lambda *_: None,
        "get_device_name": lambda *_: _Properties.name, "get_device_properties": lambda *_: _Properties, "empty_cache": lambda: None,
        "get_device_capability": lambda *_: (9, 0), "set_device": lambda *_: None, "current_stream": lambda *_: _Context(),
        "is_current_stream_capturing": lambda: False, "_sleep": lambda *_: None, "Event": _Event, "device": _Context, "stream": _Context,
        "is_bf16_supported": lambda *_, **__: True, "mem_get_info": lambda *_: (120 << 30, 140 << 30), "manual_seed_all": lambda *_: None,
        "device_of": _Context, "Stream": _Context, "default_stream": lambda *_: _Context(), "_lazy_init": lambda: None,
        "max_memory_allocated": lambda *_: 0, "reset_peak_memory_stats": lambda *_: None, "manual_seed": lambda *_: None,
    }  # fmt: skip
    for name, value in here.items():
        setattr(torch.cuda, name, value)
    torch.Tensor.is_cuda = property(lambda _self: True)  # type: ignore[assignment, method-assign]
    torch.version.cuda = "13.0"
    triton.testing.do_bench = _Driver().get_benchmarker()
    pruned = Autotuner.prune_configs
    Autotuner.prune_configs = lambda self, *given, **named: pruned(self, *given, **named)[:2]
    _Here().__enter__()


install()
