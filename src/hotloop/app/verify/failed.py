"""What a kernel file's own text and tolerance say of a check that failed: advice, not a verdict.

Arguments are passed in the order of `inputs` and as the types that it draws; no runtime looks whether a kernel's parameters agree. And a
result that is what is left of larger terms has the rounding errors of those, which a tolerance knows only where the file says so.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from hotloop.model.check import Guard
from hotloop.model.dtype import dtype_of, floating
from hotloop.model.kernel import Empty
from hotloop.model.program import Array, Input, Value
from hotloop.verify.cases import Case, draw
from hotloop.verify.oracle import expect
from hotloop.verify.sizes import lengthened
from hotloop.verify.tolerance import arithmetic, eps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hotloop.model.check import CaseResult, CheckReport
    from hotloop.model.kernel import Inputs, Kernel
    from hotloop.model.problem import Problem
    from hotloop.model.program import Launch, Program

_TYPES = {
    "half": "float16", "float": "float32", "double": "float64", "char": "int8", "short": "int16", "int": "int32", "long": "int64",
    "uchar": "uint8", "ushort": "uint16", "uint": "uint32", "ulong": "uint64",
}  # fmt: skip
_PARAMETER = re.compile(
    r"(?P<unsigned>unsigned\s+)?\b(?P<type>half|float|double|u?char|u?short|u?int|u?long)\d*\b[^*]*?(?P<pointer>\*?)[^*]*?(?P<name>\w+)\s*$"
)
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_ROUNDINGS = 16
"""Errors are told to be of rounding's size up to so many roundings of the largest result for each step of the longest loop."""


def hints(kernel: Kernel, program: Program, problem: Problem, report: CheckReport) -> tuple[str, ...]:
    """Return what a failed check may come from, a sentence each.

    Raises:
        KernelFileError: the file's own functions are at fault.
    """
    inputs = draw(kernel, Case(problem, "normal", 0, 0))
    beyond = list(_beyond(kernel, problem, report))
    mistaken = [hint for launch in program.launches for hint in _arguments(program, launch, inputs)]
    failed = [case for case in report.cases if not case.passed]
    return (*beyond, *mistaken, *(() if mistaken else _rounding(kernel, problem, failed)))


def _beyond(kernel: Kernel, problem: Problem, report: CheckReport) -> Iterator[str]:
    """Tell that a check failed only at a size far beyond all that the file names, and how a file says that such sizes are none."""
    failed = {case.problem for case in report.cases if not case.passed}
    declared = [one for one in kernel.awkward(problem) if one != problem]
    long = {one.key: one for one in lengthened(kernel, problem, declared)}
    if not failed <= set(long):
        return
    for name, size in long[min(failed)].sizes.items():
        named = [value for one in (problem, *declared) if isinstance(value := one.sizes[name], int)]
        if isinstance(size, int) and size > (largest := max(named)):
            yield (
                f"hotloop chose {name}={size}, the file names none beyond {largest}; if the kernel is not meant for it, "
                f"say domain=dict({name}='at most {largest}')"
            )


# --- arguments -------------------------------------------------------------------------------------------------------


def _arguments(program: Program, launch: Launch, inputs: Inputs) -> Iterator[str]:
    taken = parameters(program.source, launch.entry)
    given = [one.name if isinstance(one, Array | Input) else "" for one in launch.arguments]
    if len(taken) != len(given):
        return
    names = [parameter[2] for parameter in taken]
    passed = [name for name in given if name in names]
    due = [name for name in names if name in passed]
    if passed != due:
        yield (
            f"{launch.entry} takes {', '.join(names)}, and gets {', '.join(name or '?' for name in given)}: inputs are passed in the order "
            "in which they are returned, or in that of args=[...]"
        )
        return
    for (kind, pointer, name), argument in zip(taken, launch.arguments, strict=True):
        given_as = _given(argument, inputs, pointer=pointer)
        if kind and given_as and _other(kind, given_as):
            yield f"{launch.entry} takes {name} as {kind}{' *' * pointer}, and gets {given_as} ({_TYPES[kind]} is what it reads)"


def parameters(source: str, entry: str) -> list[tuple[str, bool, str]]:
    """Return type, whether it is a pointer, and name of each parameter of a kernel; types that are none of C's are empty.

    >>> parameters("__kernel void k(__global const float4 *x, unsigned int n, T *t) {}", "k")
    [('float', True, 'x'), ('uint', False, 'n'), ('', True, 't')]
    """
    plain = _COMMENT.sub(" ", source)
    head = re.search(rf"(?:\bkernel|__kernel|__global__)\b[^;{{}}]*?\b{re.escape(entry)}\s*\(([^(){{}};]*)\)", plain)
    return [_parameter(part) for part in head[1].split(",")] if head and head[1].strip() not in ("", "void") else []


def _parameter(text: str) -> tuple[str, bool, str]:
    match = _PARAMETER.search(text)
    last = re.search(r"(\w+)\s*(?:\[\s*\])?\s*$", text)
    name = last[1] if last else ""
    if match is None:
        return "", "*" in text, name
    return ("u" if match["unsigned"] else "") + match["type"], "*" in text, name


def _given(argument: object, inputs: Inputs, *, pointer: bool) -> str:
    """Return the type of what is passed; empty where nothing is known, or an array meets no pointer."""
    if isinstance(argument, Array) and pointer:
        value = inputs.get(argument.name)
        return dtype_of(value.dtype).name if isinstance(value, np.ndarray | Empty) else ""
    return argument.dtype if isinstance(argument, Value | Input) and not pointer else ""


def _other(kind: str, given: str) -> bool:
    """Tell whether a kernel reads other numbers than were drawn: another width, or floats for integers; bytes may be read as larger integers.

    >>> [_other(*pair) for pair in (("float", "float64"), ("int", "uint32"), ("float", "uint8"), ("ushort", "bfloat16"), ("uint", "uint8"))]
    [True, False, True, False, False]
    """
    taken, drawn = np.dtype(_TYPES[kind]), dtype_of(given)
    if floating(taken) and not floating(drawn):
        return True
    return taken.itemsize != drawn.itemsize and min(taken.itemsize, drawn.itemsize) > 1


# --- rounding --------------------------------------------------------------------------------------------------------


def _rounding(kernel: Kernel, problem: Problem, failed: list[CaseResult]) -> Iterator[str]:
    """Tell that all errors may be rounding, of terms that cancel or of a long sum, and what of it the file does not say."""
    first = failed[0]
    named = {one.key: one for one in (*kernel.awkward(problem), problem)}
    if first.problem not in named or any(case.guard is not Guard.REFERENCE for case in failed):
        return
    problem = named[first.problem]
    if not (lacking := _lacking(kernel, problem)):
        return
    if first.max_err is None or first.worst_ratio is None:
        return
    case = Case(problem, first.distribution, first.seed, 0)
    inputs = draw(kernel, case)
    for name, reference in expect(kernel, problem, inputs).outputs.items():
        target = inputs[name]
        wide = np.abs(reference.astype(np.float64))
        largest = float(wide[np.isfinite(wide)].max(initial=0.0))
        if name != first.output or not isinstance(target, np.ndarray | Empty) or not largest:
            continue
        steps = max([1, *(size for size in problem.sizes.values() if type(size) is int)])
        unit = eps(arithmetic(kernel.tolerance, problem, target.dtype))
        if floating(dtype_of(target.dtype)) and first.max_err <= _ROUNDINGS * steps * unit * largest:
            yield (
                f"the largest error of {name} is {first.max_err / largest:.2g} of its largest result, which rounding can cause where terms "
                f"cancel or many are added; if the kernel is right, say what the file does not: {'; '.join(lacking)}"
            )
            return


def _lacking(kernel: Kernel, problem: Problem) -> list[str]:
    tolerance = kernel.tolerance
    rows = (
        (kernel.magnitude is None, "magnitude, the same sums of absolute values"),
        (tolerance.terms(problem) <= 1, "tolerance=hl.Tolerance(terms=...), how many are added"),
        (not tolerance.absolute, "absolute=..., an error that results near zero may have"),
    )
    return [words for missing, words in rows if missing]
