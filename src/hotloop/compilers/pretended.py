"""A driver for Triton that says what a GPU is like and launches nothing, so that files which ask for one load without it."""

from __future__ import annotations

from typing import Any

from hotloop.compilers import absent
from hotloop.targets.chips import chips
from hotloop.targets.target import Target

_CUDA, _HIP = "13.0", "7.0"
"""Versions that a stand-in for PyTorch claims to be made for."""


class NothingLaunchedError(RuntimeError):
    """A file launches a kernel when it is loaded; offline it cannot, and what follows from the launch is skipped."""

    def __init__(self, *_args: object, **_named: object) -> None:
        super().__init__("nothing is launched when a file is compiled offline")


class Driver:
    """What Triton's runtime asks of a driver, answered for one target."""

    def __init__(self, target: Target, gpu: Any) -> None:  # noqa: ANN401 - Triton's GPUTarget
        self._target, self._gpu = target, gpu
        self.utils = _Utils(target)

    @classmethod
    def is_active(cls) -> bool:
        """Return True."""
        return True

    def get_current_target(self) -> Any:  # noqa: ANN401
        """Return the target in Triton's form."""
        return self._gpu

    def get_current_device(self) -> int:
        """Return the number of the only device."""
        return 0

    def set_current_device(self, device: int) -> None:
        """Do nothing: there is one device."""

    def get_current_stream(self, device: int) -> int:
        """Return the default stream."""
        del device
        return 0

    def get_device_capability(self, device: int = 0) -> tuple[int, int]:
        """Return the compute capability, or AMD's generation and step as PyTorch's ROCm builds do."""
        del device
        return capability(self._target)

    def get_active_torch_device(self) -> Any:  # noqa: ANN401
        """Return PyTorch's name of the device; a real one where PyTorch is installed."""
        import torch

        return torch.device("cuda", 0)

    def get_device_interface(self) -> Any:  # noqa: ANN401
        """Return PyTorch's module for the device."""
        import torch

        return torch.cuda

    def get_benchmarker(self) -> Any:  # noqa: ANN401
        """Return what refuses to time anything."""
        return _refuse

    def launcher_cls(self, *_args: object) -> Any:  # noqa: ANN401
        """Refuse to prepare a launch."""
        raise NothingLaunchedError


class _Utils:
    """Stands in for Triton's driver module with facts about the device."""

    def __init__(self, target: Target) -> None:
        self._target = target

    def get_device_properties(self, device: int = 0) -> dict[str, int]:
        """Return what Triton's own drivers return, as far as it is known."""
        del device
        target = self._target
        chip = next((chip for chip in chips() if chip.target == target.name), None)
        asked = {
            "max_shared_mem": target.number("shared_block") or target.local_bytes,
            "max_num_regs": target.number("registers"),
            "multiprocessor_count": chip.machine.compute_units if chip else None,
            "warpSize": target.wave_size,
        }
        return {name: value for name, value in asked.items() if value}

    def load_binary(self, *_args: object) -> Any:  # noqa: ANN401
        """Refuse to load code onto a device."""
        raise NothingLaunchedError


def _refuse(*_args: object, **_named: object) -> Any:  # noqa: ANN401
    raise NothingLaunchedError


def capability(target: Target) -> tuple[int, int]:
    """Return major and minor version of a target.

    >>> capability(Target.parse("sm_90")), capability(Target.parse("gfx942"))
    ((9, 0), (9, 4))
    """
    if target.nvidia:
        return divmod(target.capability, 10)
    version = target.version or (0, 0, 0)
    return version[:2]


def for_device(name: str) -> None:
    """Make Triton's runtime of this process believe that the device of a target is here. Raises UnknownNameError."""
    from triton.backends.compiler import GPUTarget

    target = Target.parse(name)
    backend, arch = ("hip", target.name) if target.amd else ("cuda", target.capability)
    activate(target, GPUTarget(backend, arch, target.wave_size))


def activate(target: Target, gpu: Any) -> None:  # noqa: ANN401
    """Make Triton's runtime of this process believe in a target, and what stands for PyTorch, too."""
    import triton
    from triton.runtime.jit import JITFunction

    driver = Driver(target, gpu)
    triton.runtime.driver.set_active(driver)
    launching = JITFunction.run

    def run(self: Any, *args: Any, grid: Any, warmup: bool, **named: Any) -> Any:  # noqa: ANN401
        if not warmup:
            raise NothingLaunchedError
        return launching(self, *args, grid=grid, warmup=warmup, **named)

    JITFunction.run = run
    absent.KNOWN.update(
        {
            "torch.version": _Version(target),
            "torch.cuda": _Cuda(driver),
            "torch.__version__": "2.9.0",
        }
    )


class _Version:
    def __init__(self, target: Target) -> None:
        self.cuda = None if target.amd else _CUDA
        self.hip = _HIP if target.amd else None

    def __getattr__(self, name: str) -> None:
        if name.startswith("__"):
            raise AttributeError(name)


class _Cuda:
    """What files ask of ``torch.cuda`` when they are loaded."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self.get_device_capability = driver.get_device_capability

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        if name.startswith("__"):
            raise AttributeError(name)
        return absent.stand_in(f"torch.cuda.{name}")

    def is_available(self) -> bool:
        """Return True: the file loads as it would where the target is."""
        return True

    def device_count(self) -> int:
        """Return 1."""
        return 1

    def current_device(self) -> int:
        """Return 0."""
        return 0

    def get_device_name(self, _device: int = 0) -> str:
        """Return the processor's name; the product's is not known."""
        return str(self._driver._target)  # noqa: SLF001 - the same module

    def get_device_properties(self, _device: object = 0) -> Any:  # noqa: ANN401
        """Return the facts that are known as attributes, stand-ins for the others."""
        facts = self._driver.utils.get_device_properties()
        major, minor = self._driver.get_device_capability()
        properties = {
            "major": major,
            "minor": minor,
            "name": self.get_device_name(),
            "multi_processor_count": facts.get("multiprocessor_count"),
            "warp_size": facts.get("warpSize"),
            "gcnArchName": self.get_device_name(),
        }
        made = absent.stand_in("torch.cuda.properties")
        for name, value in properties.items():
            if value is not None:
                setattr(made, name, value)
        return made
