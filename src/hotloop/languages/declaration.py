"""What the declarations of all languages share: the space, the arguments, and mistakes of the file as one sentence.

A class member of a kernel counts as an implementation when it has the method of `Declared`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from tokenize import TokenError
from typing import Any, ParamSpec, Protocol, TypeVar, runtime_checkable

from hotloop.errors import KernelFileError
from hotloop.model.kernel import Empty, Implementation
from hotloop.model.problem import Problem
from hotloop.model.program import Argument, Array, Input
from hotloop.model.record import Scalar
from hotloop.model.space import Config, Constraint, Parameter, Space
from hotloop.raised import raised

P = ParamSpec("P")
R = TypeVar("R")
V = TypeVar("V")
Geometry = Callable[[Problem, Config], Sequence[int]]
"""Sizes by dimension for a problem and a configuration."""
_MOST_ITEMS = 1 << 63
_LEAST_INT = -(1 << 31)
_VALUES = (bool, int, float, str, type(None))


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
            raise kind(f"{what} raises {raised(error)}.") from error

    return asked


def mapped(what: str, function: Callable[P, Mapping[str, V]], *, refusing: bool = False) -> Callable[P, dict[str, V]]:
    """Return a function of the user's that gives values by name, guarded; what is no mapping is a mistake too."""

    def asked(*args: P.args, **kwargs: P.kwargs) -> dict[str, V]:
        return dict(function(*args, **kwargs))

    return guarded(what, asked, refusing=refusing)


def facts(where: str, given: Callable[P, Mapping[str, float]] | None) -> Callable[P, dict[str, float]]:
    """Return the traits of an implementation, guarded; what is no number is a mistake too."""

    def asked(*args: P.args, **kwargs: P.kwargs) -> dict[str, float]:
        return {} if given is None else {name: float(value) for name, value in given(*args, **kwargs).items()}

    return guarded(f"traits {where}", asked)


def texts(what: str, given: Sequence[str]) -> tuple[str, ...]:
    """Return a list of texts; one text would be taken for its letters. Raises KernelFileError."""
    if isinstance(given, str) or not all(isinstance(text, str) for text in given):
        raise KernelFileError(f"{what} must be a list of texts, not {given!r:.80}.")
    return tuple(given)


def spanned(
    where: str,
    params: Mapping[str, Sequence[Scalar]],
    techniques: Mapping[str, str],
    constraints: Sequence[Callable[[Config], bool]],
    start: Mapping[str, Scalar] | None,
) -> tuple[Space, Config]:
    """Return the space of an implementation and where it starts.

    Raises:
        KernelFileError: a name that `params` does not have, values that are no list of numbers and texts, or a start outside
            the space.
    """
    if not isinstance(params, Mapping):
        raise KernelFileError(f"params {where} must give lists of values by name, not {params!r:.80}.")
    if taken := [name for name in params if hasattr(Config, name)]:
        raise KernelFileError(
            f"params {where}: {taken[0]!r} cannot name a parameter, for c.{taken[0]} is something else; rename it."
        )
    values = {name: _values(name, given, where) for name, given in params.items()}
    space = Space(
        tuple(Parameter(name, given, techniques.get(name, "")) for name, given in values.items()),
        tuple(Constraint(_text(check), guarded(f"a constraint {where}", check)) for check in constraints),
    )
    for option, names in (("techniques", techniques), ("start", start or {})):
        if unknown := sorted(set(names) - set(params)):
            raise KernelFileError(f"{option} {where} names {', '.join(unknown)}, which params does not have.")
    changes = {name: _plain(value) for name, value in (start or {}).items()}
    first = Config({name: given[0] for name, given in values.items()} | changes)
    if violation := space.violation(first):
        raise KernelFileError(f"the start configuration {where} is not valid: {violation}.")
    return space, first


def _values(name: str, given: Sequence[Scalar], where: str) -> tuple[Scalar, ...]:
    """Return the values of a parameter as Python's own, in which the store keeps them: also those of a NumPy array."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise KernelFileError(f"params {where} gives {name} = {given!r:.80}; give a list of values.")
    values = tuple(map(_plain, given))
    if odd := [value for value in values if not isinstance(value, _VALUES) or value != value]:
        raise KernelFileError(f"params {where} gives {name} the value {odd[0]!r:.80}; give numbers or texts.")
    if not values:
        raise KernelFileError(f"params {where} gives {name} no value; give a list of at least one.")
    return values


def _plain(value: Scalar) -> Scalar:
    """Return Python's number for one of NumPy's."""
    scalar: Scalar = value.item() if type(value).__module__ == "numpy" and hasattr(value, "item") else value
    return scalar


def source(given: str | Path, file: Path) -> tuple[str, str]:
    """Return source text and its name: of the file beside `file` that `given` names, or `given` itself.

    Raises:
        KernelFileError: it is no code, and no file that can be read.
    """
    if not isinstance(given, str | Path):
        raise KernelFileError(
            f"{file.name} gives {given!r:.80} as source; give its text, or the name of a file beside it."
        )
    text = str(given)
    path = file.parent / text
    if _is_code(text, path):
        if any("\ud800" <= letter <= "\udfff" for letter in text):
            raise KernelFileError(f"{file.name} gives a source with half a character (a surrogate); give whole ones.")
        return text, f"{file.name} (inline)"
    try:
        return path.read_text(encoding="utf-8"), path.name
    except OSError as error:
        reason = error.strerror
    except ValueError as error:  # a file that is no text, a name that no file can have
        from hotloop.compilers import reading  # slow to import, and most files are texts

        reason = reading.why(error)
    raise KernelFileError(f"{file.name} names the source {text!r:.200}, which cannot be read: {reason}.") from None


def _is_code(text: str, path: Path) -> bool:
    """Tell code from a file's name: it has lines, or the braces of a body although there is no file of such a name."""
    if "\n" in text:
        return True
    try:
        return "{" in text and not path.is_file()
    except (OSError, ValueError):  # too long for a name
        return "{" in text


def signature(
    inputs: Callable[..., Any], order: Sequence[str] | None, where: str
) -> Callable[[Problem], tuple[Argument, ...]]:
    """Return a function that gives the kernel arguments of a problem; it runs `inputs` once per problem."""
    by_problem: dict[Problem, tuple[Argument, ...]] = {}

    def arguments(problem: Problem) -> tuple[Argument, ...]:
        if problem not in by_problem:
            import numpy as np

            values = inputs(problem, np.random.default_rng(0))
            names = list(order) if order else list(values)
            if unknown := sorted(set(names) - set(values)):
                raise KernelFileError(f"args {where} names {', '.join(unknown)}, which inputs does not return.")
            by_problem[problem] = tuple(_argument(name, values[name], where) for name in names)
        return by_problem[problem]

    return arguments


def macros(*groups: Mapping[str, object]) -> tuple[str, ...]:
    """Return ``-DNAME=value`` for every name; later groups win."""
    return tuple(f"-D{name}={_macro(value)}" for name, value in {k: v for g in groups for k, v in g.items()}.items())


def sizes(what: str, given: Sequence[int], least: int = 0) -> tuple[int, ...]:
    """Return whole numbers by dimension.

    Raises:
        KernelFileError: they are no whole numbers.
        ValueError: there are none, or one is less than `least` or more than 64 bits hold.
    """
    try:
        extents = tuple(map(_whole, given))
    except (TypeError, ValueError, OverflowError):
        raise KernelFileError(f"{what} must return whole numbers, one for each dimension, not {given!r}.") from None
    if not extents or min(extents) < least or max(extents) >= _MOST_ITEMS:
        raise ValueError(f"{what} is {extents}")
    return extents


def _whole(size: int) -> int:
    """Return a size as Python's number. Raises ValueError where it has a fraction, or is a text."""
    if (number := int(size)) != size:
        raise ValueError(size)
    return number


def _argument(name: str, value: object, where: str) -> Argument:
    import numpy as np

    if isinstance(value, np.ndarray | Empty):
        return Array(name)
    if isinstance(value, np.generic):
        return Input(name, value.dtype.name)
    if isinstance(value, int) and not _LEAST_INT <= value < -_LEAST_INT:
        raise KernelFileError(
            f"inputs {where} gives {name} = {value:.6g}, and a Python int becomes a 32-bit int; give np.int64({name})."
        )
    return Input(name, "int32" if isinstance(value, int) else "float32")


def _macro(value: object) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


def _text(check: Callable[..., object]) -> str:
    try:
        return " ".join(inspect.getsource(check).split())[:120]
    except (OSError, TypeError, SyntaxError, TokenError):  # where a function begins on the last line of a long text
        return "constraint of the kernel file"
