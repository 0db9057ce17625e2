"""What a planted bug is: an exact edit of a clean kernel's source, or of its launches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from hotloop.errors import HotloopError
from hotloop.model.kernel import Implementation, Kernel
from hotloop.model.program import Program
from hotloop.model.record import Record
from hotloop.model.space import Config

NOTHING = Record()


class StaleMutantError(HotloopError):
    """The source that a mutant edits has changed, so the bug is no longer planted; the mutant must be rewritten."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One exact replacement in a source."""

    old: str
    new: str
    count: int = 1
    """How often the old text occurs; all of them are replaced."""

    def apply(self, source: str) -> str:
        """Return the edited source. Raises StaleMutantError when the old text does not occur exactly `count` times."""
        occurrences = source.count(self.old)
        if occurrences != self.count:
            raise StaleMutantError(f"{self.old!r} occurs {occurrences} times in the source, not {self.count}.")
        return source.replace(self.old, self.new)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A clean program with one planted bug."""

    name: str
    kind: str
    """Class of the mistake: ``bounds``, ``stride``, ``barrier``, ..."""
    bug: str
    """Description of the bug for a person."""
    edits: tuple[Edit, ...] = ()
    relaunch: Callable[[Program], Program] | None = None
    """Change of launches, arguments or options, for mistakes that are not in the kernel's text."""
    config: Config | None = None
    """Configuration that has the bug; None: the specimen's."""
    sizes: Record = NOTHING
    """Changes of the asked problem, where the bug needs a feature that the specimen's problem does not use."""
    runtime: str = ""
    """Runtime whose order of work-items shows a race in the results; empty: any. Others need ``check --sanitize``."""

    @classmethod
    def planted(
        cls, name: str, kind: str, bug: str, old: str, new: str, *, count: int = 1, runtime: str = ""
    ) -> Mutant:
        """Return the mutant of one edit: `old`, which stands `count` times in the source, becomes `new`."""
        return cls(name=name, kind=kind, bug=bug, edits=(Edit(old, new, count),), runtime=runtime)

    def apply(self, program: Program) -> Program:
        """Return the program with the bug planted."""
        source = program.source
        for edit in self.edits:
            source = edit.apply(source)
        planted = replace(program, source=source)
        return self.relaunch(planted) if self.relaunch else planted


@dataclass(frozen=True, slots=True, kw_only=True)
class Specimen:
    """A clean kernel and its mutants."""

    name: str
    language: str
    mutants: tuple[Mutant, ...]
    kernel: Kernel | None = None
    """The kernel; None: hotloop's own family of this name, which this package may not import."""
    family: str = ""
    """Family where it is not the specimen's name, and `kernel` is None."""
    implementation: str = ""
    """Name of the implementation; empty: the kernel's first one."""
    sizes: Record = NOTHING
    """Changes of the kernel's default problem."""
    config: Config | None = None
    """Configuration of the specimen; None: the one with which `optimize` begins."""


def planted(implementation: Implementation, mutant: Mutant) -> Implementation:
    """Return an implementation whose every program has the bug."""
    return replace(implementation, plan=lambda p, c, d: mutant.apply(implementation.plan(p, c, d)))
