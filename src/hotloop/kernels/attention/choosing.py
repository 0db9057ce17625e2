"""Which kernel computes attention on tensors; needs no PyTorch."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from hotloop.dispatch.choice import Candidate, Choice, Origin
from hotloop.dispatch.select import Asked, own, select
from hotloop.kernels.attention.gluon.plan import DTYPES
from hotloop.kernels.attention.gluon.rows import TARGET, Row, few_queries, row_for
from hotloop.kernels.attention.gluon.space import SIZES
from hotloop.kernels.attention.problem import FAMILY, Shape
from hotloop.kernels.attention.triton.rows import config_for
from hotloop.model.device import Device
from hotloop.model.problem import Problem
from hotloop.model.record import Record
from hotloop.model.space import Config
from hotloop.targets.target import Target

FUNCTION = "torch.nn.functional.scaled_dot_product_attention"
GLUON, TRITON = "gluon", "triton"
_LEAST_CAPABILITY = 80
_SINGLE = "one query a head: on an H200 it took 0.77 to 0.99 of the kernel's time"
"""Seven problems with one query in results/nvidia-h200-2026-11-22/attention.json."""


@dataclass(frozen=True, slots=True)
class Attention:
    """One call, as far as it decides what runs."""

    batch: int
    heads: int
    kv_heads: int
    length_q: int
    length_k: int
    size: int
    dtype: str
    causal: bool
    obstacle: str = ""
    """Why the kernels cannot take the operands; empty when they can."""

    @property
    def shape(self) -> Shape:
        """Return the sizes as the family's kernels take them."""
        sizes = self.batch, self.heads, self.kv_heads, self.length_q, self.length_k, self.size
        return Shape(*sizes, self.dtype, self.causal)

    @property
    def problem(self) -> Problem:
        """Return the sizes in the family's words."""
        sizes = {name: value for name, value in asdict(self).items() if name != "obstacle"}
        return Problem(FAMILY, Record(sizes | {"causal": int(self.causal)}))


def choose(call: Attention, device: Device) -> Choice:
    """Return what runs for a call on a device."""
    asked = Asked(problem=call.problem, device=device, function=FUNCTION, weights={"dtype": 0.05, "causal": 0.5})
    if call.obstacle:
        return own(asked, call.obstacle)
    if call.length_q == 1 and device.target == TARGET:
        return own(asked, _SINGLE)
    few = few_queries(call.shape, row_for(call.size, few=True).config)
    shipped = (preset(row_for(call.size, few=few)),) if device.target == TARGET else ()
    return select(asked, shipped, _start(call.size), lambda one: _fitted(one, device))


def obstacle(*, dtype: str, size: int, empty: bool, scale: float | None, loose: str) -> str:
    """Return why the kernels cannot compute a call, or an empty text; `loose` names an operand with odd strides."""
    if dtype not in DTYPES:
        return f"the kernels take {' and '.join(DTYPES)}, not {dtype}"
    if size not in SIZES:
        return f"the kernels have heads of {', '.join(map(str, SIZES))}, not {size}"
    if empty:
        return "a length is zero"
    if scale is not None and not scale > 0:
        return f"the kernels take a positive scale, not {scale:g}"
    if loose:
        return f"{loose} has a last stride other than 1, or others that are no multiples of 16 bytes"
    return ""


def preset(row: Row) -> Candidate:
    """Return a row of the shipped table as a candidate."""
    return Candidate(
        origin=Origin.PRESET,
        implementation=GLUON,
        config=row.config,
        sizes=row.sizes,
        source=f"shipped table: {row.evidence}",
    )


def _start(size: int) -> Candidate:
    return Candidate(
        origin=Origin.START,
        implementation=TRITON,
        config=config_for(size),
        sizes=Record(),
        source="nothing is known of attention on this device, so a default configuration runs: correct, perhaps not fast",
    )


def _fitted(candidate: Candidate, device: Device) -> Config:
    if not Target.of(device.target).at_least(_LEAST_CAPABILITY):
        raise ValueError(
            f"the kernels are for NVIDIA GPUs from compute capability 8.0 on, not {device.target or device.name}"
        )
    return candidate.config
