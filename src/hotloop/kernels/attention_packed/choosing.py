"""Which kernel computes attention of packed sequences; needs no PyTorch.

Neither the number of sequences nor their lengths decide: they change with every batch of a real program.
"""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.dispatch.choice import Candidate, Choice, Origin
from hotloop.dispatch.select import Asked, own, select
from hotloop.kernels.attention_packed.gluon.rows import TABLE, TARGET, row_for
from hotloop.kernels.attention_packed.problem import FAMILY
from hotloop.model.device import Device
from hotloop.model.problem import Problem
from hotloop.model.record import Record

GLUON = "gluon"
FLASH = "torch.ops.aten._flash_attention_forward"
EACH = "torch.nn.functional.scaled_dot_product_attention for each sequence"
SIZES = tuple(int(row.sizes["size"]) for row in TABLE)
"""Sizes of a head that the kernel takes."""
OWN_STARTS = "the kernel's causal mask is for keys that have the starts of the queries"
_SINGLE = "one query a sequence: on an H200 it took 0.87 of the kernel's time"
"""32 sequences of 500 to 8000 keys, 32 heads of 128 for 8 of the keys: 437.7 and 381.2 µs."""


@dataclass(frozen=True, slots=True)
class Packed:
    """One call, as far as it decides what runs."""

    heads: int
    kv_heads: int
    size: int
    dtype: str
    causal: bool
    function: str = EACH
    """Function that PyTorch would run."""
    single: bool = False
    """No sequence has more than one query."""
    obstacle: str = ""
    """Why the kernel cannot take the operands; empty when it can."""

    @property
    def problem(self) -> Problem:
        """Return the sizes in the family's words."""
        sizes = Record(
            heads=self.heads, kv_heads=self.kv_heads, size=self.size, dtype=self.dtype, causal=int(self.causal)
        )  # fmt: skip
        return Problem(FAMILY, sizes)


def choose(call: Packed, device: Device) -> Choice:
    """Return what runs for a call on a device."""
    weights = {"dtype": 0.05, "causal": 0.5}
    asked = Asked(problem=call.problem, device=device, function=call.function, weights=weights)
    if call.obstacle:
        return own(asked, call.obstacle)
    if device.target != TARGET:
        return own(
            asked, f"packed sequences have a kernel for Hopper GPUs only, not for {device.target or device.name}"
        )
    if call.size not in SIZES:
        return own(asked, f"packed sequences have a kernel for heads of {', '.join(map(str, SIZES))}, not {call.size}")
    if call.single and call.function == FLASH:
        return own(asked, _SINGLE)
    measured = _measured(call.size)
    return select(asked, (measured,), measured, lambda candidate: candidate.config)


def _measured(size: int) -> Candidate:
    row = row_for(size)
    return Candidate(
        origin=Origin.PRESET,
        implementation=GLUON,
        config=row.config,
        sizes=row.sizes,
        source=f"shipped table: {row.evidence}",
    )
