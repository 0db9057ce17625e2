"""The subject of a measurement or verification: one program on one problem and one device.

A run records each answer in its journal under a key. The key contains the fingerprint of the subject, so that changed code, or
another configuration, driver or compiler, asks again, and nothing else does.
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
"""Makes the program for a problem. Returns None if there is none; raises ValueError if the problem or device rules it out."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A variant or a peer on a problem and a device."""

    label: str
    """Short text for tables."""
    plan: Plan
    """Makes the program, also for the small problems of a verification."""
    problem: Problem
    device: Device
    name: str
    """Identity that is used when there is no program for the problem."""
    spreads: Callable[[Problem], bool] = lambda _problem: False
    """See `Implementation.spreads`: whether NaN and infinity may reach results that do not depend on them."""
    judge: str = ""
    """See `Kernel.judge`: fingerprint of the code that makes inputs and reference."""
    _identity: list[str] = field(default_factory=list, compare=False, repr=False)
    """Holds the fingerprint after its first use, because computing it needs the whole program."""
    _question: list[str] = field(default_factory=list, compare=False, repr=False)
    """Holds what its keys end with, after the first one."""
    chosen: dict[tuple[int, int], tuple[object, object]] = field(default_factory=dict, compare=False, repr=False)
    """Holds which cases a search checks it on, see `hotloop.app.run.inputs.chosen`."""

    @classmethod
    def of(
        cls, variant: Variant, problem: Problem, device: Device, plan: Plan | None = None, *, judge: str = ""
    ) -> Self:
        """Return the subject of a variant; `plan` replaces the variant's own, for example by one that caches programs."""
        name = f"{variant.implementation.name} {variant.config.fingerprint}"
        return cls(variant.label, plan or variant.program, problem, device, name, variant.implementation.spreads, judge)

    @classmethod
    def peer(cls, peer: Peer, problem: Problem, device: Device, *, judge: str = "") -> Self:
        """Return the subject of a peer."""
        return cls(peer.name, peer.plan, problem, device, peer.name, peer.spreads, judge)

    @property
    def fingerprint(self) -> str:
        """Digest of source, configuration, launches, compiler, driver and target."""
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
        """Return the journal's key for a question about this subject, compared with the subjects `against`.

        The key also contains problem and judge: a fingerprint says nothing about the arrays' content and the right results.
        """
        if not self._question:
            judged = [self.judge] if self.judge else []
            self._question.append(digest([self.problem.key, self.fingerprint, *judged]))
        return key(verb, *(other.fingerprint for other in against), self._question[0])


def key(verb: str, *identities: str) -> str:
    """Return the key of a question that is not about a program; `identities` name everything its answer depends on.

    >>> key("ceilings float32", "0b5e")
    'ceilings float32 0b5e'
    """
    return " ".join((verb, *identities))
