"""Running OpenCL C on a runtime that the ICD loader finds: what the backends `opencl` and `oclgrind` share."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import pyopencl as cl
from pyopencl import invoker

from hotloop.drivers import opencl as _opencl
from hotloop.drivers.opencl import BandedBuffer, OnDevice
from hotloop.errors import first_line
from hotloop.model.device import Device
from hotloop.model.outcome import ARGUMENT_INFO, Artifact, Parameter, Resources
from hotloop.model.program import Argument, Array, Input, Launch, Local, Null, Program, Raw, Value
from hotloop.ports import Bound, Buffer, BuildError, LaunchError
from hotloop.units import counted

_WRITE = "_generate_enqueue_and_set_args_module"


def share_invokers() -> None:
    """Have pyopencl write the Python functions that set arguments once for all kernel objects that are alike.

    Without its cache on disk it writes and compiles them for each object, and looks for a name among all earlier ones: a program
    of a thousand launches takes a second to bind at first and ten seconds the tenth time, for calls of 50 ms.
    """
    write = getattr(invoker, _WRITE, None)  # absent in other versions, which then take as long as they take
    if write is not None and not hasattr(write, "cache_info"):
        setattr(invoker, _WRITE, lru_cache(maxsize=1024)(write))


class OpenCL(OnDevice):
    """Implements the `Backend` port with pyopencl."""

    def __init__(self) -> None:
        super().__init__()
        share_invokers()
        self._built: dict[str, tuple[Any, Artifact]] = {}

    def devices(self) -> Sequence[Device]:
        """List the devices of all runtimes, without probing them."""
        return [device for device, _ in _opencl.platforms()]

    def build(self, program: Program) -> Artifact:
        """Compile once per build key."""
        if program.build_key not in self._built:
            self._built[program.build_key] = self._compile(program)
        return self._built[program.build_key][1]

    def binary(self, program: Program) -> bytes:
        """Return the runtime's binary; PoCL's holds the code of the launched work-group sizes only after they ran."""
        self.build(program)
        compiled, _ = self._built[program.build_key]
        return bytes(compiled.get_info(cl.program_info.BINARIES)[0])

    def export(self, program: Program) -> bytes:
        """Return the runtime's binary."""
        return self.binary(program)

    def adopt(self, program: Program, exported: bytes, artifact: Artifact) -> None:
        """Load a binary that the same runtime made in another process."""
        if program.build_key not in self._built:
            compiled = _opencl.load_program(self.handle, exported, program.options)
            code = _opencl.examined(self.handle, compiled)  # what another process says is only said
            own = replace(artifact, kept_bytes=code.kept_bytes, frame_bytes=code.frame_bytes)
            self._built[program.build_key] = compiled, own

    def bind(self, program: Program, buffers: Mapping[str, Buffer]) -> Bound:
        """Create one kernel object per launch with all arguments set."""
        self.build(program)
        compiled, _ = self._built[program.build_key]
        launches = [(launch, _kernel(compiled, launch, buffers)) for launch in program.launches]
        return BoundProgram(self.handle.queue, launches)

    def _compile(self, program: Program) -> tuple[Any, Artifact]:
        started_ns, busy_ns = time.perf_counter_ns(), time.process_time_ns()
        compiled = _opencl.compile_program(self.handle, program.source, program.options)
        build_ns, busy_ns = time.perf_counter_ns() - started_ns, time.process_time_ns() - busy_ns
        log = compiled.get_build_info(self.handle.raw, cl.program_build_info.LOG) or ""
        entries = sorted({launch.entry for launch in program.launches})
        resources = tuple((entry, self._resources(compiled, entry)) for entry in entries)
        signatures = _signatures(compiled) if ARGUMENT_INFO in program.options else ()
        code = _opencl.examined(self.handle, compiled)
        return compiled, Artifact(
            program.build_key,
            float(build_ns),
            log.strip(),
            resources,
            signatures,
            code.kept_bytes,
            code.frame_bytes,
            float(busy_ns),
        )

    def _resources(self, compiled: Any, entry: str) -> Resources:  # noqa: ANN401
        try:
            kernel = cl.Kernel(compiled, entry)
        except cl.Error:
            raise BuildError(f"error: the source has no kernel named {entry!r}, but {_listed(compiled)}") from None
        info = cl.kernel_work_group_info
        return Resources(
            private_bytes=kernel.get_work_group_info(info.PRIVATE_MEM_SIZE, self.handle.raw),
            local_bytes=kernel.get_work_group_info(info.LOCAL_MEM_SIZE, self.handle.raw),
            max_workgroup=kernel.get_work_group_info(info.WORK_GROUP_SIZE, self.handle.raw),
        )


def _listed(compiled: Any) -> str:  # noqa: ANN401
    """Return the names of a program's kernels; of a text without any, some runtimes refuse to tell them."""
    names = ""
    with suppress(cl.Error):
        names = compiled.get_info(cl.program_info.KERNEL_NAMES)
    return names.replace(";", ", ") or "none at all"


class BoundProgram:
    """Kernels with their arguments, launched in order on one in-order queue."""

    def __init__(self, queue: Any, launches: Sequence[tuple[Launch, Any]]) -> None:  # noqa: ANN401
        self._queue = queue
        self._launches = [(k, la.global_size, la.local_size, la.phase) for la, k in launches if la.work_items]
        self._events: list[tuple[str, Any]] = []
        self._phases: dict[str, float] = {}

    def enqueue(self) -> None:
        """Submit all launches once."""
        try:
            for kernel, global_size, local_size, phase in self._launches:
                event = cl.enqueue_nd_range_kernel(self._queue, kernel, global_size, local_size)
                self._events.append((phase, event))
        except (cl.Error, RuntimeError, TypeError, OverflowError) as error:  # sizes that pyopencl cannot pass on
            raise LaunchError(first_line(error)) from None

    def finish(self) -> float | None:
        """Wait, then sum the event times by phase."""
        try:
            self._queue.finish()
            spent: dict[str, float] = defaultdict(float)
            for phase, event in self._events:
                spent[phase] += event.profile.end - event.profile.start
        except cl.Error as error:
            raise LaunchError(first_line(error)) from None
        finally:
            self._events = []
        self._phases = dict(spent)
        return sum(spent.values())

    def phases(self) -> Mapping[str, float]:
        """Device ns by phase of what the last `finish` covered."""
        return self._phases


def _kernel(compiled: Any, launch: Launch, buffers: Mapping[str, Buffer]) -> Any:  # noqa: ANN401
    try:
        kernel = cl.Kernel(compiled, launch.entry)
        if kernel.num_args != len(launch.arguments):
            raise LaunchError(
                f"{launch.entry} takes {counted(kernel.num_args, 'argument')}, not {len(launch.arguments)}"
            )
        kernel.set_args(*(_argument(argument, buffers) for argument in launch.arguments))
    except (cl.Error, TypeError, OverflowError) as error:  # a number may not fit the type that the kernel sees
        raise LaunchError(f"arguments of {launch.entry}: {first_line(error)}") from None
    return kernel


def _signatures(compiled: Any) -> tuple[tuple[str, tuple[Parameter, ...]], ...]:  # noqa: ANN401
    """Return what the compiler says of every kernel's parameters."""
    signatures = []
    for kernel in compiled.all_kernels():
        rows = []
        for index in range(kernel.num_args):
            asked = [kernel.get_arg_info(index, question) for question in _ASKED]
            name, kind, space = asked
            rows.append(Parameter(name, kind.removesuffix("*").strip(), _SPACES.get(space, "")))
        signatures.append((kernel.function_name, tuple(rows)))
    return tuple(signatures)


_ASKED = (cl.kernel_arg_info.NAME, cl.kernel_arg_info.TYPE_NAME, cl.kernel_arg_info.ADDRESS_QUALIFIER)
_SPACES = {
    cl.kernel_arg_address_qualifier.GLOBAL: "global",
    cl.kernel_arg_address_qualifier.LOCAL: "local",
    cl.kernel_arg_address_qualifier.CONSTANT: "constant",
}


def _argument(argument: Argument, buffers: Mapping[str, Buffer]) -> Any:  # noqa: ANN401
    match argument:
        case Array(name=name):
            buffer = buffers[name]
            assert isinstance(buffer, BandedBuffer)
            return buffer.payload
        case Value(value=value, dtype=dtype):
            return np.dtype(dtype).type(value)
        case Local(local_bytes=local_bytes):
            return cl.LocalMemory(local_bytes)
        case Null():
            return None
        case Raw(hex=digits):
            return bytes.fromhex(digits)
        case Input(name=name):
            raise LaunchError(f"argument {name} has no value; the program was not resolved")
