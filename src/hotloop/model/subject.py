"""What a question of a run is about: one program on one problem and one device.

The answers of a run are kept in its journal under the key of the question. A key that names the subject by its
fingerprint makes changed code, another configuration, driver or compiler ask anew, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self

from hotloop.errors import HotloopError
from hotloop.model.device import Device
from hotloop.model.kernel import Peer, Variant
from hotloop.model.problem import Problem
from hotloop.model.program import Program
from hotloop.model.record import digest

Plan = Callable[[Problem, Device], Program | None]
"""Makes the program of a problem. None: there is none; ValueError: problem or device rule it out, and why."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A variant or a peer on a problem and a device: what is verified, timed and remembered."""

    label: str
    """Short text for tables."""
    plan: Plan
    """Also asked for the small problems of a verification."""
    problem: Problem
    device: Device
    name: str
    """Identity of what has no program on the problem: who asks for it hears why."""
    spreads: Callable[[Problem], bool] = lambda _problem: False
    """As an implementation's: whether NaN and infinities may reach results that do not read them."""
    judge: str = ""
    """As a kernel's: fingerprint of the code that makes inputs and reference."""
    _identity: list[str] = field(default_factory=list, compare=False, repr=False)
    """The fingerprint once it was asked for: it takes a whole program."""

    @classmethod
    def of(
        cls, variant: Variant, problem: Problem, device: Device, plan: Plan | None = None, *, judge: str = ""
    ) -> Self:
        """Return a variant as subject; `plan` where somebody keeps its programs."""
        name = f"{variant.implementation.name} {variant.config.fingerprint}"
        return cls(variant.label, plan or variant.program, problem, device, name, variant.implementation.spreads, judge)

    @classmethod
    def peer(cls, peer: Peer, problem: Problem, device: Device, *, judge: str = "") -> Self:
        """Return what the user would otherwise call as subject."""
        return cls(peer.name, peer.plan, problem, device, peer.name, peer.spreads, judge)

    @property
    def fingerprint(self) -> str:
        """Identity of source, configuration, launches, compiler, driver and target."""
        if not self._identity:
            self._identity.append(self._identified())
        return self._identity[0]

    def _identified(self) -> str:
        try:
            program = self.plan(self.problem, self.device)
        except (ValueError, HotloopError):
            program = None
        return digest([self.name, self.device.fingerprint]) if program is None else program.on(self.device)

    def key(self, verb: str, *against: Subject) -> str:
        """Return under which key a run's journal keeps the answer to a question: about this subject, `against` others.

        A fingerprint does not say what the numbers in the arrays are, nor what is right: the problem and its judge do.
        """
        judged = [self.judge] if self.judge else []
        return key(
            verb, *(other.fingerprint for other in against), digest([self.problem.key, self.fingerprint, *judged])
        )


def key(verb: str, *identities: str) -> str:
    """Return the key of a question that is not about a program: name what its answer depends on.

    >>> key("ceilings float32", "0b5e")
    'ceilings float32 0b5e'
    """
    return " ".join((verb, *identities))
