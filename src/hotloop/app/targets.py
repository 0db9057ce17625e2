"""What a person types to name a variant: ``gemm``, ``gemm@VW=8,MWI=6``, ``gemm@best``, ``file.py:kernel@VW=4``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hotloop.app import userfile
from hotloop.errors import UsageError
from hotloop.model.kernel import Implementation, Kernel, Variant
from hotloop.model.record import Scalar

if TYPE_CHECKING:
    from hotloop.model.device import Device
    from hotloop.model.problem import Problem
    from hotloop.store import Store

BEST = "best"


@dataclass(frozen=True, slots=True)
class Target:
    """A kernel and which of its variants is meant."""

    text: str
    kernel: Kernel
    changes: tuple[tuple[str, Scalar], ...] = ()
    best: bool = False
    """True for ``@best``: the best known for problem and device, from the store."""
    implementation: str = ""

    @property
    def chosen(self) -> Implementation:
        """The implementation that is meant; of ``@best`` the kernel's first, whose language the best one shares."""
        return self.kernel.implementation(self.implementation or None)

    def variant(self, problem: Problem, device: Device, store: Store | None) -> Variant:
        """Return the variant. Raises UsageError when there is no best known one."""
        if not self.best:
            return userfile.starting(self.kernel, self.implementation, dict(self.changes))
        known = store.best(problem.family, problem.key, device.key, fingerprint=device.fingerprint) if store else None
        if known is None:
            raise UsageError(
                f"nothing is known yet about {problem.key} on {device.name}; run: hotloop optimize {self.text.partition('@')[0]}."
            )
        return Variant(self.kernel.implementation(known.winner.implementation), known.winner.config)


def parse(text: str) -> Target:
    """Return the target that a text names.

    Raises:
        UsageError: the text is not understood, or names an unknown kernel or file.
    """
    spec, at, wish = text.partition("@")
    kernel = userfile.find(spec)
    if not at:
        return Target(text, kernel)
    if wish == BEST:
        return Target(text, kernel, best=True)
    changes: list[tuple[str, Scalar]] = []
    implementation = ""
    for pair in wish.split(","):
        if "=" not in pair and not implementation and not changes:
            implementation = pair.strip()
            continue
        changes.append(change(text, pair))
    return Target(text, kernel, tuple(changes), implementation=implementation)


def change(text: str, pair: str) -> tuple[str, Scalar]:
    """Return name and value of one ``NAME=VALUE`` in a target's text. Raises UsageError."""
    name, equals, value = pair.strip().partition("=")
    if not equals:
        spec = text.partition("@")[0]
        raise UsageError(f"{text!r}: {pair!r} is not NAME=VALUE; write e.g. {spec}@VW=8,MWI=4 or {spec}@best.")
    return name, _scalar(value)


def _scalar(text: str) -> Scalar:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
