"""All rewrites of Triton kernels, and one text taken through those that a configuration asks for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import cast

from hotloop import registry
from hotloop.model.record import Scalar
from hotloop.rewrite.catalogue import InapplicableError
from hotloop.rewrite.jitted.form import RefusedError, Rewrite, Script, changed
from hotloop.rewrite.jitted.inlined import inlined
from hotloop.rewrite.jitted.scene import Relaunch

METHODS = "hotloop.rewrite.jitted.methods"
"""Package whose modules are the rewrites."""


@lru_cache(maxsize=1)
def rewrites() -> tuple[Rewrite, ...]:
    """Return every rewrite in the order in which they are applied."""
    loaded = (cast("Rewrite", one) for one in registry.load_all(METHODS, "REWRITE"))
    return tuple(sorted(loaded, key=lambda one: (one.order, one.name)))


@lru_cache(maxsize=1024)
def seen(name: str, script: Script) -> Script:
    """Return the text that a rewrite is applied to: with the kernel's functions put into it where that lets it change more."""
    rewrite = _named(name)
    whole = script if rewrite.reaches else inlined(script)
    return whole if whole is not script and _changes(rewrite, whole) > _changes(rewrite, script) else script


def _named(name: str) -> Rewrite:
    return next(rewrite for rewrite in rewrites() if rewrite.name == name)


def _changes(rewrite: Rewrite, script: Script) -> int:
    """Return how many lines a rewrite writes at most."""
    lines = Counter(script.text.splitlines())
    texts = [rewrite.apply(script, value).text for value in rewrite.possible(script)[1:]]
    return max((sum((Counter(text.splitlines()) - lines).values()) for text in texts), default=0)


@lru_cache(maxsize=256)
def _applied(script: Script, wanted: tuple[tuple[str, int | str], ...]) -> Script:
    by_name = {rewrite.name: rewrite for rewrite in rewrites()}
    for name, value in wanted:
        try:
            script = by_name[name].apply(seen(name, script), value)
        except RefusedError as reason:
            raise InapplicableError(name, script.entry, str(reason)) from None
    return script


@lru_cache(maxsize=256)
def possible(name: str, script: Script) -> tuple[int | str, ...]:
    """Return the values of a rewrite that apply to a text as it was found, off first."""
    return _named(name).possible(seen(name, script))


@lru_cache(maxsize=256)
def reachable(name: str, script: Script) -> tuple[int | str, ...]:
    """Return the values of a rewrite that apply to a text as it was found, or, where none does, as a rewrite that opens it leaves it."""
    values = possible(name, script)
    rewrite = _named(name)
    for opening in rewrites() if len(values) == 1 and not rewrite.opens else ():
        if opening.opens and (opening.order, opening.name) < (rewrite.order, rewrite.name):
            for value in possible(opening.name, script)[1:2]:
                values = max(values, possible(name, _applied(script, ((opening.name, value),))), key=len)
    return values


def before(name: str, script: Script, wanted: Mapping[str, Scalar]) -> Script:
    """Return the text that a rewrite gets of a configuration, as far as rewrites that open it made it. Raises RefusedError."""
    if len(possible(name, script)) > 1:
        return script
    return _applied(script, tuple((one.name, value) for one, value in chosen(wanted) if one.opens))


@lru_cache(maxsize=256)
def lines(name: str, script: Script) -> tuple[int, ...]:
    """Return the lines of a text that a rewrite changes first."""
    whole = seen(name, script)
    if whole is script:
        return _named(name).lines(script)
    return next((changed(script.text, _named(name).apply(whole, one).text) for one in possible(name, script)[1:2]), ())


@lru_cache(maxsize=512)
def guard(name: str, script: Script, value: int | str) -> str:
    """Return what the parameters of a launch must satisfy for one rewrite."""
    return _named(name).guard(seen(name, script), value)


def rewritten(script: Script, wanted: Mapping[str, Scalar]) -> Script:
    """Return a text with the rewrites that are asked for by name, each with its value.

    Raises:
        RefusedError: one of them does not apply; the text names it.
    """
    return _applied(script, tuple((rewrite.name, value) for rewrite, value in chosen(wanted)))


def chosen(wanted: Mapping[str, Scalar]) -> tuple[tuple[Rewrite, int | str], ...]:
    """Return the rewrites that a configuration has, in the order in which they are applied."""
    pairs = []
    for rewrite in rewrites():
        value = wanted.get(rewrite.name, rewrite.values[0])
        if value != rewrite.values[0]:
            assert isinstance(value, int | str)
            pairs.append((rewrite, value))
    return tuple(pairs)


def guards(script: Script, wanted: Mapping[str, Scalar]) -> tuple[str, ...]:
    """Return what the parameters of a launch must satisfy for the rewritten text to be right there. Raises RefusedError."""
    conditions = []
    for rewrite, value in chosen(wanted):
        conditions.append(guard(rewrite.name, script, value))
        script = _applied(script, ((rewrite.name, value),))
    return tuple(dict.fromkeys(condition for condition in conditions if condition))


def relaunches(script: Script, wanted: Mapping[str, Scalar]) -> tuple[Relaunch, ...]:
    """Return how the host must launch the rewritten text otherwise."""
    each = (rewrite.relaunch(seen(rewrite.name, script), value) for rewrite, value in chosen(wanted))
    return tuple(one for one in each if one is not None)
