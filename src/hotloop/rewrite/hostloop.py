"""The form of a rewrite that takes a host's loop of launches into the kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from hotloop import registry
from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.example import Example
from hotloop.rewrite.example import examples as stated
from hotloop.rewrite.form import Keeps, Posed
from hotloop.rewrite.ranges import accesses
from hotloop.rewrite.shape import RefusedError

METHODS = "hotloop.rewrite.hostloops"
ROUNDS = "host_rounds"
"""Name under which extents count the rounds of the loop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostLoop:
    """One way to launch once instead of many times."""

    name: str
    text: str | None
    technique: str
    keeps: Keeps
    apply: Callable[[Posed, str], Posed]
    """Applies the rewrite to a kernel, given the parameter that counts the rounds; raises RefusedError."""
    per_kernel: bool
    """True where each kernel of the loop is launched once by itself, so that rounds of several kernels part; False where the
    loop must have one kernel only."""
    end: bool
    """True where the kernel gets a further parameter, behind the others: the end of the rounds."""

    @property
    def examples(self) -> tuple[Example, ...]:
        """Kernels before and after; the value is the parameter that counts the rounds."""
        return stated(METHODS, self.name).rows

    @property
    def twin(self) -> tuple[str, str]:
        """A piece of the first example's result and its replacement, which make it wrong, as in `Rewrite`."""
        return stated(METHODS, self.name).twin


@lru_cache(maxsize=1)
def hostloops() -> dict[str, HostLoop]:
    """Return all by name."""
    loaded = (cast("HostLoop", one) for one in registry.load_all(METHODS, "REWRITE"))
    return {one.name: one for one in loaded}


def elements(posed: Posed) -> dict[str, list[tuple[algebra.Polynomial, bool]]]:
    """Return by array the indices of a kernel's accesses, and whether each writes. Raises RefusedError."""
    indices: dict[str, list[tuple[algebra.Polynomial, bool]]] = {}
    values = {
        declared.name: declared.value
        for node in t.walk(*posed.function.body)
        if isinstance(node, t.Declare) and algebra.is_whole(node.type)
        for declared in node.names
        if declared.value is not None and not any(isinstance(n, t.Call | t.Index) for n in t.walk(declared.value))
    }
    values = {name: value for name, value in values.items() if name not in t.written_in(*posed.function.body)}
    for node in _expressions(posed.function.body):
        if isinstance(node, t.Text) and not node.comment and node.text != "return;":
            raise RefusedError("a statement of it has no form that is understood")
        for element, written, _ in accesses(node):
            if isinstance(element.base, t.Name) and posed.function.argument(element.base.text) is not None:
                indices.setdefault(element.base.text, []).append((algebra.polynomial(element.index, values), written))
    return indices


def _expressions(body: t.Body) -> Iterator[t.Node]:
    for node in body:
        match node:
            case t.Do(value=value):
                yield value
            case t.Declare(names=names):
                yield from (declared.value for declared in names if declared.value is not None)
            case t.If(condition=condition, yes=yes, no=no):
                yield condition
                yield from _expressions((*yes, *no))
            case t.For(first=first, condition=condition, step=step, body=inner):
                for part in (first, condition, step):
                    if isinstance(part, t.Declare):
                        yield from _expressions((part,))
                    elif part is not None:
                        yield part
                yield from _expressions(inner)
            case t.Block(body=inner):
                yield from _expressions(inner)
            case _:
                yield node


def parameter(posed: Posed, variable: str) -> None:
    """Refuse a kernel whose rounds cannot be told by a parameter."""
    argument = posed.function.argument(variable)
    if argument is None or argument.pointer:
        raise RefusedError(f"{variable} is no parameter of {posed.function.name}")
    if variable in t.written_in(*posed.function.body) or variable in t.declared_in(*posed.function.body):
        raise RefusedError(f"{posed.function.name} changes {variable}")
    if not posed.extents:
        raise RefusedError("how many work-items it needs is not known")
    if any(variable in t.names_in(extent) for extent in posed.extents):
        raise RefusedError(f"how many work-items it needs changes with {variable}")
    if any(isinstance(node, t.Call) and node.function.endswith("barrier") for node in t.walk(*posed.function.body)):
        raise RefusedError("its work-items wait for each other")
