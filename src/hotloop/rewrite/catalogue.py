"""All rewrites, and one kernel function taken through those that a configuration asks for."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache, partial
from typing import cast

from hotloop import registry
from hotloop.model.record import Scalar
from hotloop.rewrite.components.comments import uncommented
from hotloop.rewrite.components.labels import doubled
from hotloop.rewrite.components.owned import owned
from hotloop.rewrite.components.straight import straightened
from hotloop.rewrite.form import Posed, Rewrite
from hotloop.rewrite.groups.sized import sized
from hotloop.rewrite.shape import RefusedError

METHODS = "hotloop.rewrite.methods"
"""Package whose modules are the rewrites."""
GROUPS = "bypass-local"
"""Technique of rewrites that ask how large a group is."""


class InapplicableError(RefusedError):
    """A rewrite that was asked for by name does not apply to a kernel; the text names both."""

    def __init__(self, rewrite: str, kernel: str, why: str) -> None:
        super().__init__(f"{rewrite} does not apply to {kernel}: {why}")
        self.rewrite, self.kernel, self.why = rewrite, kernel, why
        """What was asked for, of which kernel, and the reason alone, for whoever names these already."""


@lru_cache(maxsize=1)
def rewrites() -> tuple[Rewrite, ...]:
    """Return every rewrite in the order in which they are applied."""
    loaded = (cast("Rewrite", one) for one in registry.load_all(METHODS, "REWRITE"))
    return tuple(sorted(loaded, key=lambda one: (one.order, one.name)))


def rewritten(posed: Posed, wanted: Mapping[str, Scalar], among: tuple[Rewrite, ...] = ()) -> Posed:
    """Return a kernel with the rewrites that are asked for by name, each with its value; `among` are those of another language.

    Raises:
        RefusedError: one of them does not apply; the text names it.
    """
    asked = among or rewrites()
    if any(wanted.get(one.name, one.values[0]) != one.values[0] for one in asked):
        posed = _made(posed, "owned", owned)
    for rewrite in asked:
        value = wanted.get(rewrite.name, rewrite.values[0])
        if value == rewrite.values[0]:
            continue
        assert isinstance(value, int | str)
        posed = _made(posed, (rewrite, value), partial(_applied, rewrite=rewrite, value=value))
    return posed


_LATELY: OrderedDict[tuple[int, object], tuple[Posed, Posed | InapplicableError]] = OrderedDict()
"""What became of kernels, by their identity: a space asks for the same rewrites alone, behind others and for each offer again."""
_REMEMBERED = 48


def _made(posed: Posed, what: object, make: Callable[[Posed], Posed]) -> Posed:
    """Return what `make` makes of a kernel, as it was made before where it was. Raises InapplicableError where it did."""
    key = (id(posed), what)
    if (known := _LATELY.get(key)) is None:
        made: Posed | InapplicableError
        try:
            made = make(posed)
        except InapplicableError as refused:
            made = refused.with_traceback(None)
        _LATELY[key] = known = (posed, made)  # the kernel is kept, so that its identity stays its own
        if len(_LATELY) > _REMEMBERED:
            _LATELY.popitem(last=False)
    made = known[1]
    if isinstance(made, InapplicableError):
        raise InapplicableError(made.rewrite, made.kernel, made.why)
    return made


def _applied(posed: Posed, rewrite: Rewrite, value: int | str) -> Posed:
    """Return a kernel with a rewrite; without its comments, early returns and the like where only these keep it from seeing what it looks for."""
    try:
        return _once(posed, rewrite.apply(posed, value))
    except RefusedError as reason:
        refused = InapplicableError(rewrite.name, posed.function.name, str(reason))
    bare = uncommented(posed.function.body)
    forms = [posed.with_body(bare)] if bare is not posed.function.body else []
    if (straight := _made(posed, "straight", straightened)) is not posed:
        forms.append(straight)
    if rewrite.technique == GROUPS and (numbers := sized(straight)) is not straight:
        forms.append(numbers)
    for form in forms:
        with suppress(RefusedError):
            return _once(posed, rewrite.apply(form, value))
    raise refused


def _once(before: Posed, after: Posed) -> Posed:
    """Return a rewritten kernel. Raises RefusedError where a label that a statement goes to would stand twice."""
    if name := doubled(before.function.body, after.function.body):
        raise RefusedError(f"a statement goes to {name}, which would stand twice")
    return after
