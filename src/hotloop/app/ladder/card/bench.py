"""What a ladder's kernels are compiled with where there is no card: arrays without memory, a driver without a device."""

# ruff: noqa: ANN401 - Triton is not typed here
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

_ITEM_BYTES = {"bfloat16": 2, "float16": 2, "float32": 4, "int32": 4}


class Type:
    """A type as Triton asks PyTorch's for it."""

    def __init__(self, name: str) -> None:
        self.name, self.itemsize = name, _ITEM_BYTES[name]

    def __str__(self) -> str:
        return f"torch.{self.name}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Type) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


class Array:
    """An array of a shape and type, aligned, without memory."""

    def __init__(self, shape: tuple[int, ...], dtype: str) -> None:
        self.shape, self.dtype = shape, Type(dtype)

    def stride(self) -> tuple[int, ...]:
        """Return the steps of a contiguous array, in elements."""
        steps = [1]
        for extent in reversed(self.shape[1:]):
            steps.insert(0, steps[0] * extent)
        return tuple(steps)

    def data_ptr(self) -> int:
        """Return an address that is a multiple of everything that Triton asks for."""
        return 4096


class Driver:
    """What Triton asks of a card when it only compiles."""

    def __init__(self, target: Any) -> None:
        self.target = target

    def get_current_target(self) -> Any:
        """Return the target that was asked for."""
        return self.target

    def get_current_device(self) -> int:
        """Return the first one."""
        return 0

    def get_current_stream(self, device: int = 0) -> int:
        """Return the default one."""
        return device


@dataclass
class Bench:
    """A shop without a card: kernels are compiled where a real one launches them."""

    multiprocessors: int
    made: list[Any] = field(default_factory=list)

    def empty(self, shape: tuple[int, ...], dtype: str) -> Array:
        """Return an array without memory."""
        return Array(shape, dtype)

    zeros = empty

    def clear(self, array: Array) -> None:
        """Do nothing."""

    def run(self, function: Any, grid: tuple[int, ...], *arguments: Any, **constants: Any) -> None:
        """Compile a kernel of Triton or Gluon."""
        self.made.append(function.warmup(*arguments, grid=grid, **constants))
