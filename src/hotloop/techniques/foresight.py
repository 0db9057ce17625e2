"""What a candidate's machine code says before it is timed: whether it can bring what its move promises.

A compilation costs less than a duel, and a compiler often answers a change with code that no longer does what made the
incumbent fast: narrower vectors, gathers, spills. Then each instruction of the hot loop does less work, and the promised
gain has to make up for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hotloop.model.gain import Gain

if TYPE_CHECKING:
    from hotloop.model.evidence import Evidence

WAITING = 0.5
"""Share of the copy bandwidth from which on a kernel waits for memory, and fewer instructions are no loss."""
_MEASURES = ("static.work_bits", "static.moved_bits")
"""Work of an instruction: of arithmetic, or where there is none what is moved."""


@dataclass(frozen=True, slots=True)
class Foresight:
    """What compiling a candidate told."""

    factor: float = 1.0
    """Work of an instruction of its hot loop over that of the incumbent's, at most 1: more is what the move promises already."""
    reason: str = ""
    """Reason in a few words; empty where the code does not speak against the move."""

    def corrected(self, gain: Gain) -> Gain:
        """Return a predicted gain with what the code costs taken off."""
        return Gain(gain.low * self.factor, gain.high * self.factor)


def foreseen(before: Evidence, after: Evidence) -> Foresight:
    """Compare the hot loops of incumbent and candidate.

    Args:
        before: everything that is known of the incumbent.
        after: the candidate's ``static.*`` facts.
    """
    if (before.get("roof.bytes_share") or 0.0) >= WAITING:
        return Foresight()
    for name in _MEASURES:
        now, then = before.get(name), after.get(name)
        if not now or not then:
            continue
        factor = then / now
        text = f"an instruction of its hot loop does {factor:.2f} of the work: {then:.0f} instead of {now:.0f} bit"
        return Foresight(factor, text) if factor < 1 else Foresight()
    return Foresight()
