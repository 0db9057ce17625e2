"""Calls as they were seen, in a running program or in a trace, and the families' problems that they are.

A family says in its module `observed` which calls are its own: an object `OBSERVED`, a `Reader`. It needs no PyTorch, so a trace
of another machine is understood without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from math import prod

from hotloop import registry
from hotloop.model.problem import Problem
from hotloop.model.tally import Line

PACKAGE, MODULE = "hotloop.kernels", "observed"
THEN = " then "
"""Between the operands of a call and the activation that follows."""
TRANSPARENT = frozenset(
    f"aten::{name}"
    for name in (
        "view", "_unsafe_view", "reshape", "_reshape_alias", "as_strided", "t", "transpose", "permute", "expand", "unsqueeze",
        "squeeze", "detach", "alias", "flatten", "unflatten", "resolve_conj", "resolve_neg", "empty", "empty_strided", "lift_fresh",
        "select", "slice", "split", "split_with_sizes", "chunk", "unbind", "narrow", "empty_like", "new_empty", "numpy_T", "mT",
    )
)  # fmt: skip
"""Calls that compute nothing: between a product and its activation they do not count."""


@dataclass(frozen=True, slots=True)
class Operand:
    """A tensor, without its elements."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    """Strides in elements."""
    dtype: str
    """Type as the families write it, e.g. ``bfloat16``."""

    @property
    def elements(self) -> int:
        """How many elements it has."""
        return prod(self.shape)

    @property
    def tight(self) -> bool:
        """Tell whether it lies row by row without gaps."""
        return self.strides == tight(self.shape)

    def __str__(self) -> str:
        extents = "x".join(map(str, self.shape)) or "scalar"
        return extents if self.tight else f"{extents} ({','.join(map(str, self.strides))})"


Given = Operand | tuple[int, ...] | bool | int | float | str | None


@dataclass(frozen=True, slots=True)
class Seen:
    """One call: its arguments in the order of the operator's schema."""

    name: str
    """Namespace and name without the overload, e.g. ``aten::addmm``."""
    given: tuple[Given, ...]
    after: str = ""
    """Activation that is applied to the result next, in the families' words; empty for none."""

    def tensor(self, index: int) -> Operand:
        """Return an argument that is a tensor. Raises ValueError where it is none, or was not recorded."""
        value = self.given[index] if index < len(self.given) else None
        if not isinstance(value, Operand):
            raise ValueError(f"argument {index + 1} of {self.name} is no tensor, or its shape was not recorded")
        return value

    def maybe(self, index: int) -> Operand | None:
        """Return an argument that is a tensor, or None."""
        value = self.given[index] if index < len(self.given) else None
        return value if isinstance(value, Operand) else None

    def number(self, index: int, what: str) -> float:
        """Return an argument that is a number. Raises ValueError where it was not recorded."""
        value = self.given[index] if index < len(self.given) else None
        if not isinstance(value, bool | int | float):
            raise ValueError(f"the record of {self.name} does not tell {what}")
        return value

    def triple(self, index: int, what: str) -> tuple[int, int, int]:
        """Return an argument of three integers; one stands for three. Raises ValueError where it was not recorded."""
        value = self.given[index] if index < len(self.given) else None
        whole = (value,) if type(value) is int else value
        if not isinstance(whole, tuple) or len(whole) not in (1, 3):
            raise ValueError(f"the record of {self.name} does not tell {what}")
        return whole * 3 if len(whole) == 1 else whole  # type: ignore[return-value] # lengths are checked

    @property
    def operands(self) -> str:
        """Its tensors as one text."""
        tensors = [argument for argument in self.given if isinstance(argument, Operand)]
        dtypes = dict.fromkeys(argument.dtype for argument in tensors)
        text = " · ".join(map(str, tensors))
        return f"{text} {'/'.join(dtypes)}{f'{THEN}{self.after}' if self.after else ''}".strip()


@dataclass(frozen=True, slots=True)
class Reader:
    """How a family understands calls."""

    names: frozenset[str]
    problem: Callable[[Seen], Problem]
    """Returns the family's problem. Raises ValueError with the reason why it has none."""
    made: Callable[[Seen], int] | None = None
    """Elements of the result, where the family computes an activation of it too; raises ValueError."""
    leaves_out: Callable[[Seen], str] = lambda _seen: ""
    """Parts of a call that the problem leaves out, a bias for example; empty for none."""


@cache
def readers() -> dict[str, Reader]:
    """Return what reads each name of a call."""
    by_name: dict[str, Reader] = {}
    for family in registry.with_module(PACKAGE, MODULE):
        reader: Reader = registry.load(PACKAGE, family, "OBSERVED", MODULE)
        by_name |= dict.fromkeys(reader.names, reader)
    return by_name


def line(seen: Seen, count: int | None, total_ns: float | None) -> Line:
    """Return a call as a line, with the family's problem or the reason why it has none."""
    reader = readers().get(seen.name)
    counted = Line(call=seen.name, operands=seen.operands, count=count, total_ns=total_ns)
    if reader is None:
        return _with(counted, "no kernel family has this operation")
    try:
        problem = reader.problem(seen)
        return Line(
            call=seen.name, operands=seen.operands, count=count, total_ns=total_ns, family=problem.family, sizes=problem.sizes,
            reason=reader.leaves_out(seen),
        )  # fmt: skip
    except ValueError as error:
        return _with(counted, str(error))


def _with(counted: Line, reason: str) -> Line:
    return Line(
        call=counted.call, operands=counted.operands, count=counted.count, total_ns=counted.total_ns, reason=reason
    )  # fmt: skip


def summed(calls: Iterable[tuple[Seen, int | None, float | None]]) -> tuple[Line, ...]:
    """Return lines of calls with how often each was made and how long that took, equal ones added up; views are left out."""
    groups: dict[Seen, list[tuple[int | None, float | None]]] = {}
    for seen, count, ns in calls:
        if seen.name not in TRANSPARENT:
            groups.setdefault(seen, []).append((count, ns))
    return tuple(line(seen, _count(measured), _time(measured)) for seen, measured in groups.items())


def _count(measured: list[tuple[int | None, float | None]]) -> int | None:
    counts = [count for count, _ in measured if count is not None]
    return sum(counts) if len(counts) == len(measured) else None


def _time(measured: list[tuple[int | None, float | None]]) -> float | None:
    times = [ns for _, ns in measured if ns is not None]
    return sum(times) if len(times) == len(measured) else None


def activation(seen: Seen) -> str:
    """Return the activation that a call computes, in the families' words, or an empty text."""
    name = seen.name.removeprefix("aten::").rstrip("_")
    if name in ("relu", "silu"):
        return name
    if name != "gelu":
        return ""
    return "gelu-tanh" if len(seen.given) > 1 and seen.given[1] == "tanh" else "gelu-erf"


def tight(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the strides of a tensor without gaps."""
    strides, step = [], 1
    for extent in reversed(shape):
        strides.append(step)
        step *= max(1, extent)
    return tuple(reversed(strides))
