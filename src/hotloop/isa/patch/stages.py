"""A recipe applied to a listing, one stage after the other, each on the listing that the one before left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from hotloop.isa.amdgcn.metadata import described
from hotloop.isa.amdgcn.rows import ListingError
from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.isa.instruction import Function
from hotloop.isa.patch import fresh, rules, steps
from hotloop.isa.patch.change import Applied, Change, rewritten
from hotloop.isa.patch.recipe import Recipe, Rule
from hotloop.isa.patch.rules import Found


@dataclass(frozen=True, slots=True)
class Patched:
    """A listing after a recipe, with what was done."""

    text: str
    kernel: str
    applied: tuple[Applied, ...]
    found: tuple[tuple[str, Found], ...]
    """Result of each rule, by its name: places that were refused, and what ``where`` still needs."""


def patch(text: str, recipe: Recipe, kernel: str = "") -> Patched:
    """Return a listing with a recipe applied to one of its kernels.

    Args:
        text: amdgcn assembly with metadata.
        recipe: what is asked for.
        kernel: its name; empty: the only one.

    Raises:
        UsageError: no such kernel, or a part of the recipe does not apply.
    """
    name = function_of(text, kernel).name
    run = _Run(text, name)
    run.stage(partial(steps.edit, recipe.edits), when=bool(recipe.edits))
    run.stage(partial(steps.move, recipe.moves), when=bool(recipe.moves))
    for pattern in recipe.fresh:
        run.stage(partial(fresh.apply, pattern))
    for rule in recipe.rules:
        run.stage(partial(run.rule, rule))
    run.stage(steps.settle, when=bool(recipe.rules))
    while recipe.sweep and run.stage(steps.sweep):
        pass
    while recipe.drop_waits and run.stage(steps.drop_waits):
        pass
    return Patched(run.text, name, tuple(run.applied), tuple(run.found))


class _Run:
    """The listing as it becomes."""

    def __init__(self, text: str, kernel: str) -> None:
        self.text, self.kernel = text, kernel
        self.applied: list[Applied] = []
        self.found: list[tuple[str, Found]] = []

    def rule(self, rule: Rule, function: Function, change: Change) -> None:
        """Apply a rule and keep what is told of it."""
        self.found.append((rule.name, rules.apply(rule, function, change)))

    def stage(self, apply: Callable[[Function, Change], object], *, when: bool = True) -> bool:
        """Apply one part to the listing as it is now; tell whether it changed anything."""
        if not when:
            return False
        change = Change()
        apply(function_of(self.text, self.kernel), change)
        if change.lines:
            self.text = rewritten(self.text, change, self.kernel)
            self.applied += change.applied
        return bool(change.lines)


def function_of(text: str, kernel: str = "") -> Function:
    """Return a kernel of a listing with what its metadata say of registers.

    Raises:
        ListingError: there is no such kernel, or several and none is named.
    """
    resources = described(text)
    functions = {function.name: function for function in DIALECT.parse(text)}
    names = [name for name in functions if name in resources] or list(functions)
    if kernel and kernel not in functions:
        raise ListingError(f"the listing has no kernel {kernel}; it has {', '.join(names) or 'none'}.")
    if not kernel and len(names) != 1:
        raise ListingError(f"the listing has {len(names)} kernels; choose one with --kernel: {', '.join(names)}.")
    name = kernel or names[0]
    parsed = functions[name]
    return replace(parsed, resources=resources[name]) if name in resources else parsed
