"""An OpenCL winner as the text of one module on NumPy arrays: it needs pyopencl and NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.errors import UsageError
from hotloop.model.program import Array, Local, Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hotloop.app.export.found import Found
    from hotloop.model.program import Argument


def text(winner: Found, heading: str) -> str:
    """Return the module's text. Raises UsageError where a launch takes what cannot be written down."""
    program = winner.program
    inside = [slot for slot in winner.slots if not slot.written]
    results = [slot for slot in winner.slots if slot.written]
    if not results:
        raise UsageError(f"{winner.problem.key} changes an array in place; such kernels are not exported yet.")
    rows = "".join(f'    "{slot.name}": ("{slot.dtype}", {slot.shape!r}),\n' for slot in winner.slots)
    names = ", ".join(slot.name for slot in inside)
    made = "".join(f'    arrays["{slot.name}"] = np.empty({slot.shape!r}, "{slot.dtype}")\n' for slot in results)
    back = "".join(f'    cl.enqueue_copy(queue, arrays["{slot.name}"], memory["{slot.name}"])\n' for slot in results)
    areas = "".join(
        f'    memory["{area.name}"] = _area(context, queue, {area.scratch_bytes}, {area.zeroed})\n'
        for area in program.scratch
    )
    returned = ", ".join(f'arrays["{slot.name}"]' for slot in results)
    return f'''{heading}
from __future__ import annotations

from functools import cache

import numpy as np
import pyopencl as cl

ARRAYS = {{
{rows}}}
"""Type and shape of each array, as it was tuned."""
OPTIONS = {list(program.options)!r}
SOURCE = r"""
{quoted(program.source)}
"""


@cache
def built(context=None):
    """Return context, queue and program; the context is the first that works, or one of yours."""
    context = context or cl.create_some_context(interactive=False)
    return context, cl.CommandQueue(context), cl.Program(context, SOURCE).build(options=OPTIONS)


def checked(name, x):
    """Return an array that a launch may read. Raises ValueError for any other."""
    dtype, shape = ARRAYS[name]
    if x.dtype != np.dtype(dtype) or x.size != int(np.prod(shape)) or not x.flags.c_contiguous:
        raise ValueError(f"{{name}} must be a C-contiguous array of {{int(np.prod(shape))}} elements of {{dtype}}.")
    return x


def _area(context, queue, size, zeroed):
    area = cl.Buffer(context, cl.mem_flags.READ_WRITE, max(1, size))
    if zeroed:
        cl.enqueue_fill_buffer(queue, area, np.uint8(0), 0, size)
    return area


def {winner.name}({names}, *, context=None):
    """Compute {winner.problem.key}; arrays in, new arrays out."""
    context, queue, program = built(context)
    arrays = dict({", ".join(f'{slot.name}=checked("{slot.name}", {slot.name})' for slot in inside)})
{made}    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    memory = {{name: cl.Buffer(context, flags, hostbuf=array) for name, array in arrays.items()}}
{areas}{"".join(_launches(winner))}{back}    queue.finish()
    return {returned}
'''


def _launches(winner: Found) -> Iterator[str]:
    for launch in winner.program.launches:
        if not launch.work_items:
            continue
        arguments = ", ".join(_argument(argument) for argument in launch.arguments)
        yield f"    cl.Kernel(program, {launch.entry!r})(queue, {launch.global_size!r}, {launch.local_size!r}, {arguments})\n"


def _argument(given: Argument) -> str:
    match given:
        case Array(name=name):
            return f'memory["{name}"]'
        case Value(value=value, dtype=dtype):
            return f"np.{dtype}({value!r})"
        case Local(local_bytes=size):
            return f"cl.LocalMemory({size})"
        case _:
            raise UsageError(f"a kernel that takes {type(given).__name__.casefold()} is not exported.")


def quoted(source: str) -> str:
    """Return a source that can stand between three quotes. Raises UsageError."""
    if '"""' in source or source.endswith("\\"):
        raise UsageError("the kernel's source holds three quotes in a row, so it cannot stand in a Python module.")
    return source
