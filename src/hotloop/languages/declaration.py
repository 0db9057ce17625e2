"""What the declarations of all languages share: the space, the arguments, and mistakes of the file as one sentence.

A class member of a kernel counts as an implementation when it has the method of `Declared`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ParamSpec, Protocol, TypeVar, runtime_checkable

from hotloop.errors import KernelFileError
from hotloop.model.kernel import Empty, Implementation
from hotloop.model.problem import Problem
from hotloop.model.program import Argument, Array, Input
from hotloop.model.record import Scalar
from hotloop.model.space import Config, Constraint, Parameter, Space

P = ParamSpec("P")
R = TypeVar("R")
Geometry = Callable[[Problem, Config], Sequence[int]]
"""Sizes by dimension for a problem and a configuration."""


@runtime_checkable
class Declared(Protocol):
    """A member of a kernel's class that is an implementation."""

    def implementation(self, name: str, file: Path, inputs: Callable[..., Any]) -> Implementation:
        """Return the implementation called `name` of the kernel in `file`. Raises KernelFileError."""


def guarded(what: str, function: Callable[P, R], *, refusing: bool = False) -> Callable[P, R]:
    """Return a function of the user's whose mistakes become one sentence.

    A `refusing` one rules a configuration out by raising ValueError, or ArithmeticError, which becomes one.
    """

    def asked(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except Exception as error:  # the user's code may raise anything
            if refusing and isinstance(error, ValueError):
                raise
            kind = ValueError if refusing and isinstance(error, ArithmeticError) else KernelFileError
            raise kind(f"{what} raises {type(error).__name__}: {error}.") from error

    return asked


def spanned(
    where: str,
    params: Mapping[str, Sequence[Scalar]],
    techniques: Mapping[str, str],
    constraints: Sequence[Callable[[Config], bool]],
    start: Mapping[str, Scalar] | None,
) -> tuple[Space, Config]:
    """Return the space of an implementation and where it starts.

    Raises:
        KernelFileError: a name that `params` does not have, or a start outside the space.
    """
    space = Space(
        tuple(Parameter(p, tuple(values), techniques.get(p, "")) for p, values in params.items()),
        tuple(Constraint(_text(check), guarded(f"a constraint {where}", check)) for check in constraints),
    )
    for option, names in (("techniques", techniques), ("start", start or {})):
        if unknown := sorted(set(names) - set(params)):
            raise KernelFileError(f"{option} {where} names {', '.join(unknown)}, which params does not have.")
    first = Config({p: values[0] for p, values in params.items()} | dict(start or {}))
    if violation := space.violation(first):
        raise KernelFileError(f"the start configuration {where} is not valid: {violation}.")
    return space, first


def source(text: str, file: Path) -> tuple[str, str]:
    """Return source text and its name: of the file beside `file` that `text` names, or `text` itself."""
    if "\n" in text:
        return text, f"{file.name} (inline)"
    path = file.parent / text
    try:
        return path.read_text(), path.name
    except OSError as error:
        raise KernelFileError(
            f"{file.name} names the source {text!r}, which cannot be read: {error.strerror}."
        ) from None


def signature(
    inputs: Callable[..., Any], order: Sequence[str] | None, where: str
) -> Callable[[Problem], tuple[Argument, ...]]:
    """Return a function that gives the kernel arguments of a problem; it runs `inputs` once per problem."""
    known: dict[Problem, tuple[Argument, ...]] = {}

    def arguments(problem: Problem) -> tuple[Argument, ...]:
        if problem not in known:
            import numpy as np

            values = inputs(problem, np.random.default_rng(0))
            names = list(order) if order else list(values)
            if unknown := sorted(set(names) - set(values)):
                raise KernelFileError(f"args {where} names {', '.join(unknown)}, which inputs does not return.")
            known[problem] = tuple(_argument(name, values[name]) for name in names)
        return known[problem]

    return arguments


def macros(*groups: Mapping[str, object]) -> tuple[str, ...]:
    """Return ``-DNAME=value`` for every name; later groups win."""
    return tuple(f"-D{name}={_macro(value)}" for name, value in {k: v for g in groups for k, v in g.items()}.items())


def sizes(what: str, given: Sequence[int], least: int = 0) -> tuple[int, ...]:
    """Return whole numbers by dimension.

    Raises:
        KernelFileError: they are no whole numbers.
        ValueError: there are none, or one is less than `least`.
    """
    try:
        found = tuple(int(size) for size in given)
    except (TypeError, ValueError):
        raise KernelFileError(f"{what} must return whole numbers, one for each dimension, not {given!r}.") from None
    if not found or min(found) < least:
        raise ValueError(f"{what} is {found}")
    return found


def _argument(name: str, value: object) -> Argument:
    import numpy as np

    if isinstance(value, np.ndarray | Empty):
        return Array(name)
    if isinstance(value, np.generic):
        return Input(name, value.dtype.name)
    return Input(name, "int32" if isinstance(value, int) else "float32")


def _macro(value: object) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


def _text(check: Callable[..., object]) -> str:
    try:
        return " ".join(inspect.getsource(check).split())[:120]
    except (OSError, TypeError):
        return "constraint of the kernel file"
