"""The form of a rewrite: one object that composition, documentation and tests all read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from hotloop.rewrite import tree as t
from hotloop.rewrite.example import Example
from hotloop.rewrite.example import examples as stated
from hotloop.rewrite.members import Structure
from hotloop.rewrite.shape import RefusedError

APART = "float4"
"""Type that a function is said to compute with (attribute ``vec_type_hint``), so that runtimes make no vectors of neighbouring work-items;
any vector type would do."""
_SHORT = re.compile(r"^(float|double|int|uint|uchar|char|ushort|short)[234]$")


class Keeps(StrEnum):
    """What of a result stays the same."""

    BITS = "bits"
    """Every operation in the same order: the same bits, as far as the compiler lets it."""
    ROUNDING = "rounding"
    """The same sums in another order or precision of single steps: differences of rounding."""
    BOUND = "bound"
    """Another formula with an error bound of its own."""


@dataclass(frozen=True, slots=True)
class Helper:
    """A function that kernels call, and the type of what it returns."""

    function: t.Function
    kind: str


@dataclass(frozen=True, slots=True)
class Posed:
    """A kernel function with what a rewrite must know of its surroundings, and the geometry that it has so far."""

    function: t.Function
    extents: t.Body
    """Work-items by dimension as the launch needs them, in terms of parameters; of the text as published."""
    types: Mapping[str, str]
    """Types that ``typedef`` names stand for."""
    per_item: tuple[int, ...] = ()
    """Numbers of each dimension that one work-item now takes; empty: one each."""
    group: tuple[int, ...] = ()
    """Work-items of a group by dimension, where the launch or the text says so; empty: not known, or free."""
    constants: Mapping[str, int] = field(default_factory=dict)
    """Macros that are whole numbers."""
    regrouped: bool = False
    """True where the text asked for places within a group, and does not any more: its groups are free."""
    promised: int = 0
    """Work-items of a group at most, as the head of the function says so to the compiler; 0: nothing is said."""
    helpers: tuple[Helper, ...] = ()
    """Functions of the text that the kernel may call, without macros."""
    single: bool = False
    """True where groups of one item are better: the text has vectors of its own, which a runtime that makes vectors of
    neighbouring items would take apart."""
    apart: bool = False
    """True where a runtime is told to make no vectors of neighbouring items."""
    lone: bool = False
    """True where a group must be one item: it has the local memory that all of a group shared."""
    outside: Mapping[str, str] = field(default_factory=dict)
    """Types of the constants that stand outside of functions, by name."""
    structures: Mapping[str, Structure] = field(default_factory=dict)
    """Structures whose members have one type, by name."""
    values: Mapping[str, int] = field(default_factory=dict)
    """Sizes that were named, by parameter; what nobody named stands for any number."""

    @property
    def divided(self) -> bool:
        """True where one work-item takes several numbers of a dimension already."""
        return any(one > 1 for one in self.per_item)

    @property
    def steps(self) -> tuple[int, ...]:
        """Numbers of each dimension that one work-item takes."""
        return self.per_item or (1,) * len(self.extents)

    def type_of(self, name: str) -> str:
        """Return the plain type of an array's elements or a value."""
        found = self.function.argument(name)
        if found is None:
            raise RefusedError(f"{name} is no parameter")
        return self.plain(found.type)

    def part_of(self, node: t.Node) -> str:
        """Return the type of a component of an element of an array of short vectors; empty of all else."""
        match node:
            case t.Member(base=t.Index(base=t.Name(text=name)), dot=".", field=field) if len(field) == 1:
                found = self.function.argument(name)
                kind = _SHORT.match(self.plain(found.type)) if found is not None else None
                return kind.group(1) if kind else ""
        return ""

    def plain(self, name: str) -> str:
        """Return what a type's name stands for."""
        seen = name
        while seen in self.types and self.types[seen] != seen:
            seen = self.types[seen]
        return seen

    def with_body(self, body: t.Body) -> Posed:
        """Return the same with other statements."""
        return replace(self, function=replace(self.function, body=body))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewrite:
    """One mechanical change of a kernel's text."""

    name: str
    """Name of its file, with hyphens."""
    text: str | None
    """Docstring of its module: what it changes, when it applies, what it costs."""
    technique: str
    """The technique that it embodies."""
    keeps: Keeps
    values: tuple[int | str, ...]
    """Values of the parameter; the first one turns the rewrite off."""
    apply: Callable[[Posed, int | str], Posed]
    """Pure; raises RefusedError with the reason where it does not apply. Never asked for the first value."""
    lines: Callable[[Posed], tuple[int, ...]]
    """Lines of the text as published that it would change; empty: it does not apply. May raise RefusedError."""
    gain: Callable[[Posed], tuple[float, float]]
    """Predicted interval of speedup of this kernel, for the device that runs items one after another."""
    order: int = 0
    """Place among the rewrites of one kernel: lower ones come first."""
    package: str = "hotloop.rewrite.methods"
    """The package of its module, where the data file with its examples stands, too."""

    @property
    def examples(self) -> tuple[Example, ...]:
        """Kernels before and after; `after` empty: the rewrite must refuse it."""
        return stated(self.package, self.name).rows

    @property
    def twin(self) -> tuple[str, str]:
        """A piece of the first example's result and its replacement, which make the result wrong: a bug that verification must catch."""
        return stated(self.package, self.name).twin

    @property
    def title(self) -> str:
        """First sentence of the docstring."""
        return (self.text or self.name).strip().partition("\n")[0].rstrip(".")
