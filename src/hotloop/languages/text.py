"""Languages whose kernels are source text: OpenCL C, CUDA C++ and HIP C++; every parameter becomes a macro of its name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from math import prod
from pathlib import Path
from typing import Any, ClassVar

from hotloop.errors import KernelFileError
from hotloop.languages.declaration import (
    Geometry,
    facts,
    guarded,
    macros,
    mapped,
    signature,
    sizes,
    source,
    spanned,
    texts,
)
from hotloop.model.device import Device
from hotloop.model.kernel import Implementation
from hotloop.model.problem import Problem
from hotloop.model.program import Argument, Launch, Local, Program
from hotloop.model.record import Scalar
from hotloop.model.space import Config

Shape = tuple[tuple[int, ...], tuple[int, ...] | None, int]
"""Work-items per dimension, work-items of a group, bytes of shared memory that the launch reserves."""


@dataclass(frozen=True)
class Text(ABC):
    """What the languages have in common."""

    language: ClassVar[str]

    source: str | Path
    """File beside the kernel file, or the source text itself: what has lines, or braces and is no file."""
    entry: str
    """Name of the kernel function; in C++ also an instance of a template, such as ``norm<4>``."""
    params: Mapping[str, Sequence[Scalar]] = field(default_factory=dict)
    _: KW_ONLY
    techniques: Mapping[str, str] = field(default_factory=dict)
    """Parameter name to technique name; parameters without one are moved by the search only."""
    constraints: Sequence[Callable[[Config], bool]] = ()
    start: Mapping[str, Scalar] | None = None
    """Configuration with which `optimize` begins; default: the first value of each parameter."""
    args: Sequence[str] | None = None
    """Input names in kernel argument order; default: the order of `inputs`."""
    defines: Callable[[Problem, Config], Mapping[str, object]] | None = None
    """Further macros, such as sizes."""
    options: Sequence[str] = ()
    """Further build options."""
    traits: Callable[[Problem, Config, Device], Mapping[str, float]] | None = None
    """Facts for the rules, such as ``{"config.accumulators": 8}``."""

    def implementation(self, name: str, file: Path, inputs: Callable[..., Any]) -> Implementation:
        """Return the implementation; its plan runs the file's functions. Raises KernelFileError."""
        where = f"of {name} in {file.name}"
        text, text_name = source(self.source, file)
        space, start = spanned(where, self.params, self.techniques, self.constraints, self.start)
        shape = self._shape(where)
        arguments = signature(inputs, None if self.args is None else texts(f"args {where}", self.args), where)
        defines = mapped(f"defines {where}", self.defines or (lambda _p, _c: {}), refusing=True)
        further = texts(f"options {where}", self.options)
        traits = facts(where, self.traits)

        def plan(problem: Problem, config: Config, device: Device) -> Program:
            items, group, shared_bytes = shape(problem, config, device)
            passed: tuple[Argument, ...] = arguments(problem)
            if shared_bytes:
                passed += (Local(shared_bytes),)
            options = macros(config, defines(problem, config)) + further
            launch = Launch(self.entry, passed, items, group)
            return Program(self.language, text, options, (launch,), source_name=text_name)

        return Implementation(name, self.language, space, start, plan, traits=traits)

    @abstractmethod
    def _shape(self, where: str) -> Callable[[Problem, Config, Device], Shape]:
        """Return what gives the launch's geometry; ValueError where a configuration has none that is valid."""


@dataclass(frozen=True)
class OpenCL(Text):
    """An OpenCL C implementation; every parameter reaches the source as a macro of its name."""

    language: ClassVar[str] = "opencl"

    _: KW_ONLY
    global_size: Geometry | None = None
    """Work-items per dimension."""
    local_size: Geometry | None = None
    """Work-group size; None leaves it to the runtime."""

    def _shape(self, where: str) -> Callable[[Problem, Config, Device], Shape]:
        if self.global_size is None:
            raise KernelFileError(f"global_size {where} is missing; give a function of problem and configuration.")
        whole = guarded(f"global_size {where}", self.global_size, refusing=True)
        part = guarded(f"local_size {where}", self.local_size, refusing=True) if self.local_size else None

        def shape(problem: Problem, config: Config, _device: Device) -> Shape:
            items = sizes(f"global_size {where}", whole(problem, config))
            if part is None:
                return items, None, 0
            group = sizes(f"local_size {where}", part(problem, config), least=1)
            if len(items) != len(group):
                raise KernelFileError(
                    f"global_size and local_size {where} have different lengths: {items} and {group}."
                )
            if any(extent % size for extent, size in zip(items, group, strict=True)):
                raise ValueError(f"global size {items} is not a multiple of work-group size {group}")
            return items, group, 0

        return shape


@dataclass(frozen=True)
class Gridded(Text):
    """What CUDA C++ and HIP C++ have in common: a grid of blocks of threads."""

    _: KW_ONLY
    grid: Geometry | None = None
    """Blocks per dimension, at most three."""
    block: Geometry | None = None
    """Threads of a block per dimension, as many dimensions as the grid."""
    shared: Callable[[Problem, Config], int] | None = None
    """Bytes of dynamic shared memory (``extern __shared__``)."""

    def _shape(self, where: str) -> Callable[[Problem, Config, Device], Shape]:
        if self.grid is None or self.block is None:
            missing = "grid" if self.grid is None else "block"
            raise KernelFileError(f"{missing} {where} is missing; give a function of problem and configuration.")
        blocks_of = guarded(f"grid {where}", self.grid, refusing=True)
        threads_of = guarded(f"block {where}", self.block, refusing=True)
        shared_of = guarded(f"shared {where}", self.shared or (lambda _p, _c: 0), refusing=True)

        def shape(problem: Problem, config: Config, device: Device) -> Shape:
            blocks = sizes(f"grid {where}", blocks_of(problem, config))
            threads = sizes(f"block {where}", threads_of(problem, config), least=1)
            if len(blocks) != len(threads) or len(blocks) > 3:
                raise KernelFileError(
                    f"grid and block {where} must have the same one to three dimensions, not {blocks} and {threads}."
                )
            if prod(threads) > device.max_workgroup:
                raise ValueError(f"a block of {threads} threads is more than the {device.max_workgroup} of this device")
            (shared_bytes,) = sizes(f"shared {where}", (shared_of(problem, config),))
            if device.local_mem_bytes is not None and shared_bytes > device.local_mem_bytes:
                raise ValueError(
                    f"{shared_bytes} B of shared memory, {device.local_mem_bytes} B is all a block can have"
                )
            return tuple(b * t for b, t in zip(blocks, threads, strict=True)), threads, shared_bytes

        return shape


@dataclass(frozen=True)
class CUDA(Gridded):
    """A CUDA C++ implementation, compiled by NVRTC; every parameter reaches the source as a macro of its name."""

    language: ClassVar[str] = "cuda"


@dataclass(frozen=True)
class HIP(Gridded):
    """A HIP C++ implementation for AMD's GPUs; every parameter reaches the source as a macro of its name."""

    language: ClassVar[str] = "hip"
