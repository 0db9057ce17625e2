"""What a user's kernel file imports as ``import hotloop as hl``: the decorator and the languages.

    @hl.kernel(problem=dict(n=1 << 24), work=lambda p: hl.Work(flops=2 * p.n, bytes=12 * p.n))
    class saxpy:
        def inputs(p, rng): return dict(a=2.0, x=rng.standard_normal(p.n, "f4"), y=rng.standard_normal(p.n, "f4"))
        def reference(p, a, x, y): return dict(y=a * x.astype("f8") + y)
        opencl = hl.OpenCL("saxpy.cl", entry="saxpy", params=dict(VW=[1, 4, 8]), techniques=dict(VW="vectorize"),
                           global_size=lambda p, c: (p.n // c.VW,))

Languages are `OpenCL`, `CUDA`, `HIP`, `Triton` and `Gluon`; any member with a method ``implementation(name, file, inputs)``
counts as one. Inputs are given in kernel argument order: arrays become buffers, numbers are passed by value (a Python float as 32-bit
float, an int as 32-bit int, a NumPy scalar as its own type), `empty` makes an output array. Arrays that the reference
returns are outputs; all others must come back unchanged. `bfloat16` is the type that NumPy lacks:
``x.astype(hl.bfloat16)``, ``hl.empty(n, "bfloat16")``.
"""

from __future__ import annotations

import importlib
import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import inf
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hotloop import offline_api
from hotloop.errors import KernelFileError
from hotloop.languages.declaration import Declared, guarded, source
from hotloop.languages.text import CUDA, HIP, OpenCL, Text
from hotloop.model.kernel import Empty, Kernel, Tolerance
from hotloop.model.problem import Problem, Work
from hotloop.model.record import Record, Scalar
from hotloop.model.space import Config

if TYPE_CHECKING:
    from hotloop.model.kernel import Inputs, Outputs

DEFINED: list[Kernel] = []
"""Kernels in the order in which their decorators ran; read by whoever loads the file."""


_LATER = dict.fromkeys(("Triton", "Gluon", "Descriptor"), "hotloop.triton_api")
"""Languages that are imported when they are first used, with the module that has them."""


def __getattr__(name: str) -> Any:  # noqa: ANN401 - lazy public names
    if name == "bfloat16":
        from hotloop.model.dtype import bfloat16

        return bfloat16()
    if name in _LATER:
        return getattr(importlib.import_module(_LATER[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def empty(shape: int | tuple[int, ...], dtype: str = "float32") -> Empty:
    """Return an output array for a kernel's inputs: its content is poison until the kernel writes it."""
    from hotloop.model.dtype import dtype_of

    return Empty((shape,) if isinstance(shape, int) else tuple(shape), dtype_of(dtype).name)


def kernel(
    *,
    problem: Mapping[str, Scalar],
    work: Callable[[Problem], Work],
    tolerance: Tolerance | None = None,
    awkward: Callable[[Problem], Sequence[Mapping[str, Scalar]]] | None = None,
    linear: Sequence[str] = (),
    domain: Mapping[str, str] | None = None,
) -> Callable[[type], Kernel]:
    """Turn a class with ``inputs``, ``reference`` and implementations into a kernel.

    Args:
        problem: default sizes by name.
        work: useful flops and compulsory bytes of a problem.
        tolerance: error bound; default: 4 · eps of the output type times the reference's magnitude.
        awkward: further problems to verify on, as changed sizes.
        linear: arrays in each of which the outputs are linear (both operands of a product, image and taps of a
            convolution). Sums cancel there, so errors are judged by the sum of magnitudes, and more kinds of input
            are tried. A function ``magnitude(p, ...)`` in the class overrides that scale.
        domain: what inputs and sizes may be, in a word each: ``any``, ``range``, ``positive``, ``finite``, ``nan``, ``sorted``,
            ``unique``, ``indices``, ``intervals``, ``definite``, ``probabilities``, ``fixed``; of sizes ``any``, ``fixed``,
            ``power of two``, ``multiple of 4``. What is not named is found out from what `inputs` draws.

    Raises:
        KernelFileError: the class lacks a member, or a member has the wrong form.
    """
    caller = inspect.stack()[1].filename

    def define(body: type) -> Kernel:
        where = f"of kernel {body.__name__} in {Path(caller).name}"
        _formed(where, problem, tolerance, linear)
        made = _kernel(body, Path(caller), problem, work, tolerance or Tolerance(), awkward, tuple(linear))
        made = replace(made, varied=True, domain=_domain(domain or {}, made), **_told(body, Path(caller)))
        DEFINED.append(made)
        for implementation in made.implementations:
            if beginning := getattr(implementation.plan, "beginning", None):  # Triton and Gluon
                offline_api.IMPLEMENTED.append(beginning(made.problem, implementation.start))
        return made

    return define


def _formed(where: str, problem: object, tolerance: object, linear: object) -> None:
    """Raise KernelFileError where an argument of the decorator is of a kind that is easily given instead of the right one."""
    if not isinstance(problem, Mapping):
        raise KernelFileError(f"problem {where} is {problem!r:.40}; give sizes by name, such as dict(n=1024).")
    if not isinstance(tolerance, Tolerance | None):
        raise KernelFileError(
            f"tolerance {where} is {tolerance!r:.40}; give hl.Tolerance(terms=...), or hl.Tolerance(absolute={tolerance!r:.40})."
        )
    if isinstance(linear, str) or not isinstance(linear, Sequence):
        raise KernelFileError(f"linear {where} is {linear!r:.40}; give a tuple of names of inputs, such as ('x',).")


def _kernel(
    body: type,
    file: Path,
    sizes: Mapping[str, Scalar],
    work: Callable[[Problem], Work],
    tolerance: Tolerance,
    awkward: Callable[[Problem], Sequence[Mapping[str, Scalar]]] | None,
    linear: tuple[str, ...],
) -> Kernel:
    name = body.__name__
    members = vars(body)
    for needed in ("inputs", "reference"):
        if not callable(members.get(needed)):
            raise KernelFileError(f"kernel {name} in {file.name} needs a function {needed!r}; see hotloop init.")
    inputs, reference = members["inputs"], members["reference"]
    odd = [size for size, value in sizes.items() if not isinstance(value, bool | int | float | str)]
    if odd:
        raise KernelFileError(f"problem of kernel {name} in {file.name}: {odd[0]} is not a number or a text.")
    if taken := [size for size in sizes if hasattr(Problem, size) or hasattr(Record, size)]:
        raise KernelFileError(
            f"problem of kernel {name} in {file.name}: {taken[0]!r} cannot name a size, for p.{taken[0]} is something else; rename it."
        )
    problem = Problem(name, Record(sizes))
    languages = {key: made for key, made in members.items() if isinstance(made, Declared) and not inspect.isclass(made)}
    if not languages:
        raise KernelFileError(f"kernel {name} in {file.name} has no implementation; add one with hl.OpenCL(...).")
    where = f"of kernel {name} in {file.name}"
    return Kernel(
        family=name,
        problem=problem,
        inputs=inputs,
        reference=_reference(reference),
        work=_working(f"work {where}", work),
        implementations=tuple(made.implementation(key, file, inputs) for key, made in languages.items()),
        tolerance=_tolerance(tolerance, where),
        magnitude=_magnitude(members, linear),
        linear=linear,
        awkward=_awkward(f"awkward {where}", awkward) if awkward else lambda _problem: (),
        origin=os.fsencode(file).decode("utf-8", "backslashreplace"),  # stores and reports take no other bytes
    )


def _reference(function: Callable[..., Outputs]) -> Callable[[Problem, Inputs], Outputs]:
    """Return a reference that takes its inputs as a mapping and, where its steps shall be rounded, also rounds those that use `float(x)`."""
    from hotloop.verify.rounding.rounded import among, noted

    return lambda p, arrays: (noted(function) if among(arrays.values()) else function)(p, **arrays)


def _told(body: type, file: Path) -> dict[str, Any]:
    """Return what the kernel's file and the sources beside it say about sizes and values."""
    from hotloop.verify.sizes import halves
    from hotloop.verify.told.landmarks import numbers
    from hotloop.verify.told.unread import iterates, unread

    texts = [source(made.source, file)[0] for made in vars(body).values() if isinstance(made, Text)]
    try:
        own = file.read_text(encoding="utf-8", errors="replace")
    except OSError:  # defined in no file
        own = ""
    marks = frozenset[float]().union(*map(numbers, (own, *texts)))
    reference = vars(body)["reference"]
    return {
        "halving": halves(own),
        "marks": marks,
        "unread": unread(reference),
        "iterated": iterates(reference),
    }


def _domain(words: Mapping[str, str], made: Kernel) -> Mapping[str, str]:
    """Return the words of a file. Raises KernelFileError for one that means nothing."""
    from hotloop.verify import domain, sizes

    for name, word in words.items():
        checked = (
            word in (sizes.ANY, sizes.FIXED, sizes.POWER) or sizes.multiple(word) or sizes.most(word)
            if name in made.problem.sizes
            else word in domain.WORDS
        )
        if not checked:
            raise KernelFileError(
                f"domain of kernel {made.family} in {Path(made.origin).name} says {name} is {word!r}; of inputs say one of "
                f"{', '.join(domain.WORDS)}, of sizes any, fixed, power of two, at most a number, or multiple of a number."
            )
    return dict(words)


def _tolerance(given: Tolerance, where: str) -> Tolerance:
    """Return a tolerance; a mistake in a user's function of it becomes an error of one sentence."""
    if given.unsaid:
        return given
    for name in ("factor", "absolute"):  # how large they may be is asked where they are used
        if not isinstance(value := getattr(given, name), Real):
            raise KernelFileError(f"{name} of the tolerance {where} is {_text(value)}; give a number.")
    computed = given.eps_dtype
    if callable(computed):
        computed = guarded(f"eps_dtype of the tolerance {where}", computed)
    return replace(given, terms=_terms(given.terms, f"terms of the tolerance {where}"), eps_dtype=computed)


def _terms(given: object, what: str) -> Callable[[Problem], float]:
    """Return the chain's length as a function of the problem, as a file may state it: also as a number, which is that of every problem."""
    if callable(given):
        return guarded(what, given)
    if not isinstance(given, Real) or not _countable(given):
        raise KernelFileError(
            f"{what} is {_text(given)}; give a number, or a function of the problem such as lambda p: p.k."
        )
    length = float(given)
    return lambda _: length


def _working(what: str, work: Callable[[Problem], Work]) -> Callable[[Problem], Work]:
    asked = guarded(what, work)

    def working(problem: Problem) -> Work:
        parts = asked(problem)
        if not isinstance(parts, Work):
            raise KernelFileError(f"{what} must return hl.Work(flops=..., bytes=...), not {type(parts).__name__}.")
        for name in ("flops", "bytes"):
            value = getattr(parts, name)
            if not isinstance(value, Real) or not _countable(value):
                raise KernelFileError(f"{what} returns {name}={_text(value)}; give a finite number, 0 or more.")
        return parts

    return working


def _text(value: object) -> str:
    """Return a value as text for a message, also one with more than 4300 digits, which Python refuses to write out."""
    return "a number beyond every float" if isinstance(value, int) and abs(value) > 10**308 else f"{value!r:.40}"


def _countable(value: Real) -> bool:
    try:
        return 0 <= float(value) < inf
    except OverflowError:  # a whole number that no float holds
        return False


def _awkward(
    what: str, awkward: Callable[[Problem], Sequence[Mapping[str, Scalar]]]
) -> Callable[[Problem], tuple[Problem, ...]]:
    asked = guarded(what, lambda problem: tuple(awkward(problem)))

    def problems(problem: Problem) -> tuple[Problem, ...]:
        variations = asked(problem)
        for changes in variations:
            if not isinstance(changes, Mapping) or not set(changes) <= set(problem.sizes):
                raise KernelFileError(f"{what} gives {changes!r}; it must change sizes of: {', '.join(problem.sizes)}.")
        return tuple(problem.replace(**changes) for changes in variations)

    return problems


def _magnitude(members: Mapping[str, Any], linear: tuple[str, ...]) -> Callable[[Problem, Inputs], Outputs] | None:
    """Return the scale of rounding errors: the class's own, or the reference of absolute values for linear inputs."""
    if "magnitude" in members:
        own = members["magnitude"]
        return lambda p, arrays: own(p, **arrays)
    if not linear:
        return None
    reference = members["reference"]

    def of_absolutes(problem: Problem, arrays: Inputs) -> Outputs:
        given: dict[str, Any] = dict(arrays)
        return reference(problem, **{k: abs(v) if k in linear else v for k, v in given.items()})  # type: ignore[no-any-return]

    return of_absolutes


__all__ = ["CUDA", "HIP", "Config", "Empty", "Kernel", "OpenCL", "Problem", "Tolerance", "Work", "empty", "kernel"]
