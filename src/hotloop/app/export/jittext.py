"""A Triton or Gluon winner as the text of one module: its kernels, a launcher for the tuned problem, an operator for PyTorch."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from hotloop.app.export.closure import Closure
from hotloop.errors import UsageError
from hotloop.model.jit import Meta, parse
from hotloop.model.program import Array, Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hotloop.app.export.found import Found, Slot
    from hotloop.model.jit import Descriptor
    from hotloop.model.program import Argument, Launch

_MAIN = "<the kernel's own module>"
_LAYOUT = re.compile(r"\b([A-Z]\w*Layout)\b")


def text(winner: Found, heading: str, *, operator: str = "") -> str:
    """Return the module's text; `operator` is an expression for the operator's full name, default: one of this module's own.

    Raises:
        UsageError: the program has what cannot be written down.
    """
    meta = parse(winner.program.options)
    closure = Closure()
    kernels = {
        launch.entry: closure.add(_MAIN, launch.entry, winner.program.source) for launch in winner.program.launches
    }
    parameters = {launch.entry: _parameters(winner.program.source, launch.entry) for launch in winner.program.launches}
    body = "\n".join(_launches(winner, meta, kernels, parameters))
    inside = [slot for slot in winner.slots if not slot.written]
    results = [slot for slot in winner.slots if slot.written]
    if not results:
        raise UsageError(f"{winner.problem.key} changes an array in place; such kernels are not exported yet.")
    imports = "\n".join(sorted({*closure.imports, "import torch"}))
    return "\n".join(
        [
            heading,
            "from __future__ import annotations\n",
            imports,
            _descriptors_import(meta),
            "",
            *(f"\n{definition}\n" for definition in closure.texts),
            f"\n{checked_text(winner.slots)}\n",
            f"\ndef launch({', '.join(slot.name for slot in winner.slots)}):",
            '    """Launch on the current stream; every array is a tensor of the tuned type and number of elements."""',
            body,
            f"\n\n{operator_text(winner, inside, results, operator)}",
        ]
    )


def _parameters(source: str, entry: str) -> list[str]:
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name == entry:
            return [parameter.arg for parameter in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    raise UsageError(f"the kernel {entry} is not defined at the top of its source, so it cannot be exported.")


def _launches(winner: Found, meta: Meta, kernels: dict[str, str], parameters: dict[str, list[str]]) -> Iterator[str]:
    first = winner.slots[0].name
    for area in winner.program.scratch:
        dtype = meta.dtypes.get(area.name, "uint8")
        size = -(-area.scratch_bytes // _bytes(dtype))
        made = "zeros" if area.zeroed else "empty"
        yield f"    {area.name} = torch.{made}({size}, dtype=torch.{dtype}, device={first}.device)"
    everyone = {name for names in parameters.values() for name in names}
    shared = {name: value for name, value in {**meta.values, **meta.expressions}.items() if name not in everyone}
    yield f"    with torch.cuda.device({first}.device) if {first}.is_cuda else contextlib.nullcontext():"
    for launch in winner.program.launches:
        if launch.work_items:
            yield from _one(launch, meta, kernels[launch.entry], parameters[launch.entry], shared)


def _one(
    launch: Launch, meta: Meta, kernel: str, names: list[str], shared: dict[str, object]
) -> Iterator[str]:  # fmt: skip
    own = f"{launch.entry}."
    options = {name: value for name, value in shared.items() if "." not in name}
    options |= {name.removeprefix(own): value for name, value in shared.items() if name.startswith(own)}
    waiting, seen = list(launch.arguments), meta.seen_by(launch.entry)
    given = []
    for name in names:
        if name in meta.values:
            given.append(f"{name}={meta.values[name]!r}")
        elif name in meta.expressions:
            given.append(f"{name}={_layout(meta.expressions[name])}")
        elif waiting:
            given.append(f"{name}={_argument(waiting.pop(0), seen)}")
    local = launch.local_size or (1,) * len(launch.global_size)
    grid = tuple(-(-whole // part) for whole, part in zip(launch.global_size, local, strict=True))
    settings = ", ".join([*given, *(f"{name}={value!r}" for name, value in sorted(options.items()))])
    yield f"        {kernel}[{(*grid, *(1,) * (3 - len(grid)))!r}]({settings})"


def _argument(given: Argument, meta: Meta) -> str:
    match given:
        case Array(name=name):
            made = meta.descriptors.get(name)
            return name if made is None else _descriptor(name, made)
        case Value(value=value, dtype=dtype):
            return repr(float(value)) if dtype.startswith("float") else repr(int(value))
        case _:
            raise UsageError(
                f"a kernel that takes {type(given).__name__.casefold()} memory or structures is not exported."
            )


def _descriptor(name: str, made: Descriptor) -> str:
    strides = made.strides
    if not strides:
        step = 1
        steps: list[int] = []
        for extent in reversed(made.shape):
            steps.insert(0, step)
            step *= extent
        strides = tuple(steps)
    places = f"{name}, {list(made.shape)}, {list(strides)}, {list(made.block)}"
    return f"LaidDescriptor({places}, {_layout(made.layout)})" if made.layout else f"TensorDescriptor({places})"


def _layout(expression: str) -> str:
    return _LAYOUT.sub(r"_layouts.\1", expression)


def _descriptors_import(meta: Meta) -> str:
    lines = ["import contextlib"]
    made = list(meta.descriptors.values())
    if any(not descriptor.layout for descriptor in made):
        lines.append("from triton.tools.tensor_descriptor import TensorDescriptor")
    if any(descriptor.layout for descriptor in made) or meta.expressions:
        lines.append("import triton.experimental.gluon.language as _layouts")
        lines.append("from triton.experimental.gluon.nvidia.hopper import TensorDescriptor as LaidDescriptor")
    return "\n".join(lines)


def checked_text(slots: tuple[Slot, ...]) -> str:
    """Return the part of a module that refuses other tensors than those that were tuned."""
    rows = "".join(f'    "{slot.name}": (torch.{slot.dtype}, {slot.elements}),\n' for slot in slots)
    return f'''ARRAYS = {{
{rows}}}
"""Type and number of elements of each array, as it was tuned."""


def checked(name, x):
    """Return a tensor that a launch may read. Raises ValueError for any other."""
    dtype, elements = ARRAYS[name]
    if x.dtype != dtype or x.numel() != elements or not x.is_contiguous():
        raise ValueError(
            f"{{name}} must be a contiguous tensor of {{elements}} elements of {{dtype}}; "
            f"it is {{tuple(x.shape)}} of {{x.dtype}}, strides {{tuple(x.stride())}}."
        )
    return x'''


def operator_text(winner: Found, inside: list[Slot], results: list[Slot], operator: str) -> str:
    """Return the part of a module that is PyTorch's custom operator around its `launch`."""
    names = ", ".join(f"{slot.name}: torch.Tensor" for slot in inside)
    first = inside[0].name if inside else ""
    made = "".join(
        f"    {slot.name} = torch.empty({slot.shape!r}, dtype=torch.{slot.dtype}, device={first}.device)\n"
        for slot in results
    )
    returned = ", ".join(slot.name for slot in results)
    kind = "torch.Tensor" if len(results) == 1 else "tuple[" + ", ".join(["torch.Tensor"] * len(results)) + "]"
    checks = "".join(f'    checked("{slot.name}", {slot.name})\n' for slot in inside)
    name = operator or repr(f"{winner.name}::{winner.kernel.family}")
    return f'''@torch.library.custom_op({name}, mutates_args=())
def {winner.name}({names}) -> {kind}:
    """Compute {winner.problem.key}; results are new tensors."""
{checks}{made}    launch({", ".join(slot.name for slot in winner.slots)})
    return {returned}


@{winner.name}.register_fake
def _({names}):
{made}    return {returned}
'''


def _bytes(dtype: str) -> int:
    return {"uint8": 1, "int8": 1, "float16": 2, "bfloat16": 2, "int64": 8, "float64": 8}.get(dtype, 4)
