"""Parsing of the text that names a variant: ``gemm``, ``gemm@NWI=8,VW=8``, ``gemm@best``, ``file.py:kernel@VW=4``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hotloop.app import hint, patience, userfile
from hotloop.errors import NoStoreError, UnknownNameError, UsageError
from hotloop.model.kernel import Implementation, Kernel, Variant
from hotloop.model.record import Scalar, scalar

if TYPE_CHECKING:
    from hotloop.app.bare.wish import Wish
    from hotloop.app.session import Options
    from hotloop.model.device import Device
    from hotloop.model.problem import Problem
    from hotloop.store import Store

BEST = "best"


@dataclass(frozen=True, slots=True)
class Spec:
    """A kernel and the variant of it that a text names."""

    text: str
    kernel: Kernel
    changes: tuple[tuple[str, Scalar], ...] = ()
    best: bool = False
    """True for ``@best``: the best known for problem and device, from the store."""
    implementation: str = ""

    @property
    def chosen(self) -> Implementation:
        """The named implementation; for ``@best`` the kernel's first, which has the same language as the best one."""
        return self.kernel.implementation(self.implementation or None)

    def variant(self, problem: Problem, device: Device, store: Store | None, options: Options | None = None) -> Variant:
        """Return the variant. Raises UsageError if no best one is known; its message has the command that finds it."""
        if not self.best:
            return userfile.starting(self.kernel, self.implementation, dict(self.changes))
        family, current = userfile.kept_as(self.kernel), device.fingerprint
        best = store.best(family, problem.key, device.key, fingerprint=current) if store else None
        if best is None:
            raise UsageError(
                f"nothing is known yet about {problem.key} on {device.name}; run: {self._search(problem, options)}."
            )
        variant = Variant(self.kernel.implementation(best.winner.implementation), best.winner.config)
        if violation := variant.implementation.space.violation(variant.config):
            raise UsageError(
                f"the best known configuration of {problem.key} is no longer one of {self.kernel.family}: {violation}; "
                f"run: {self._search(problem, options)}."
            )
        return variant

    def _search(self, problem: Problem, options: Options | None) -> str:
        """Return the command that finds the best variant of a problem."""
        shape = ",".join(userfile.brief(self.kernel, problem).split()) if problem != self.kernel.problem else ""
        device, store = (options.device, options.store) if options else ("", "")
        return hint.command("optimize", self.text.partition("@")[0], device=device, store=store, shape=shape)


@contextmanager
def opened(options: Options, *wanted: Spec) -> Iterator[Store | None]:
    """Yield the store, opened for reading, if a spec asks for the best known variant and a store exists; else None.

    Raises:
        StoreError: the store is there and cannot be read.
    """
    from hotloop.app.session import open_store

    store = None
    if any(spec.best for spec in wanted):
        with suppress(NoStoreError):  # without a store no best variant is known, which the error message says later
            store = open_store(options, read_only=True)
    try:
        yield store
    finally:
        if store is not None:
            store.close()


def parse(text: str, limit_s: float = patience.LIMIT_S, named: Wish | None = None) -> Spec:
    """Return the kernel and variant that a text names; each call of a kernel file's functions may take `limit_s` seconds.

    Raises:
        UsageError: the text is not understood, or names an unknown kernel or file.
    """
    spec, at, wish = text.partition("@")
    kernel = userfile.find(spec, limit_s, named)
    if not at:
        return Spec(text, kernel)
    if wish == BEST:
        return Spec(text, kernel, best=True)
    if not wish:
        raise UsageError(f"{text!r} names nothing after @; write e.g. {spec}@NAME=VALUE or {spec}@{BEST}.")
    changes: list[tuple[str, Scalar]] = []
    implementation = ""
    for pair in wish.split(","):
        if "=" not in pair and not implementation and not changes:
            implementation = pair.strip()
            continue
        changes.append(change(text, pair))
    if twice := repeated([name for name, _ in changes]):
        raise UsageError(f"{text!r} gives {twice} twice; give each parameter one value.")
    if implementation:
        _exists(kernel, implementation)
    return Spec(text, kernel, tuple(changes), implementation=implementation)


def repeated(names: Sequence[str]) -> str:
    """Return the first name that occurs for a second time, or an empty text.

    >>> repeated(["VW", "KWG", "VW"]), repeated(["VW"])
    ('VW', '')
    """
    return next((name for place, name in enumerate(names) if name in names[:place]), "")


def _exists(kernel: Kernel, name: str) -> None:
    """Raise UnknownNameError, whose message also offers `best`, unless an implementation has this name."""
    names = tuple(implementation.name for implementation in kernel.implementations)
    if name not in names:
        raise UnknownNameError("implementation", name, (*names, BEST))


def change(text: str, pair: str) -> tuple[str, Scalar]:
    """Return name and value of one ``NAME=VALUE`` of a variant's text. Raises UsageError."""
    name, equals, value = pair.strip().partition("=")
    if not equals:
        spec = text.partition("@")[0]
        raise UsageError(f"{text!r}: {pair!r} is not NAME=VALUE; write e.g. {spec}@NAME=VALUE or {spec}@best.")
    return name, scalar(value)
