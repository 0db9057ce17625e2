"""Which kernel computes attention on tensors; needs no PyTorch."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

from hotloop.dispatch.choice import Candidate, Choice, Origin
from hotloop.dispatch.select import Asked, own, select
from hotloop.kernels._jit import LEAST_CAPABILITY
from hotloop.kernels.attention.general import plan as general
from hotloop.kernels.attention.general.rows import worth_trying
from hotloop.kernels.attention.general.space import LEAST, MOST, STEP
from hotloop.kernels.attention.gluon.plan import DTYPES
from hotloop.kernels.attention.gluon.rows import TARGET, Row, few_queries, padded_row, row_for
from hotloop.kernels.attention.gluon.space import SIZES
from hotloop.kernels.attention.problem import FAMILY, Shape
from hotloop.kernels.attention.triton.plan import fit_grid
from hotloop.kernels.attention.triton.rows import config_for
from hotloop.model.device import Device
from hotloop.model.problem import Problem
from hotloop.model.record import Record
from hotloop.model.space import Config
from hotloop.targets.target import Target

FUNCTION = "torch.nn.functional.scaled_dot_product_attention"
GLUON, TRITON, GENERAL = "gluon", "triton", "general"
_PADDED = "the measured kernel of the next larger heads, of whose speed here nobody knows"
_GUESS = "the kernel for all heads and windows, of whose speed here nobody knows"
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
    shift: int = 0
    window: int = 0
    narrow: str = ""
    """Why the kernels that were measured cannot take the call; empty when they can."""
    obstacle: str = ""
    """Why no kernel can take the operands; empty when one can."""
    padded: bool = field(default=False, repr=False)
    """True when only the head size keeps the call from the measured kernels. A measurement is not stored under it, because it follows from
    the rest."""

    @property
    def shape(self) -> Shape:
        """Return the sizes as the family's kernels take them."""
        sizes = self.batch, self.heads, self.kv_heads, self.length_q, self.length_k, self.size
        return Shape(*sizes, self.dtype, self.causal, shift=self.shift, window=self.window)

    @property
    def problem(self) -> Problem:
        """Return the sizes in the family's words."""
        sizes = {name: value for name, value in asdict(self).items() if name not in ("narrow", "obstacle", "padded")}
        usual = {name for name in ("shift", "window") if not sizes[name]}
        unusual = {name: value for name, value in sizes.items() if name not in usual}
        return Problem(FAMILY, Record(unusual | {"causal": int(self.causal)}))


def choose(call: Attention, device: Device) -> Choice:
    """Return what runs for a call on a device."""
    asked = Asked(problem=call.problem, device=device, function=FUNCTION, weights={"dtype": 0.05, "causal": 0.5})
    if call.obstacle or call.narrow:
        return own(
            asked,
            call.obstacle
            or f"{call.narrow}, and a kernel that takes it is chosen once ops.warm, or on Hopper a first call, has measured it",
        )
    if call.length_q == 1 and device.target == TARGET:
        return own(asked, _SINGLE)
    few = few_queries(call.shape, row_for(call.size, few=True).config)
    shipped = (preset(row_for(call.size, few=few)),) if device.target == TARGET else ()
    return select(asked, shipped, _start(call.size), lambda candidate: _fitted(candidate, call, device))


def alternatives(call: Attention, device: Device) -> tuple[Choice, ...]:
    """Return what could compute a call besides what `choose` says, and is worth a measurement."""
    if call.obstacle or not Target.of(device.target).at_least(LEAST_CAPABILITY):
        return ()
    asked = Asked(problem=call.problem, device=device, function=FUNCTION, weights={"dtype": 0.05, "causal": 0.5})
    tried = [_guess(GENERAL, config, _GUESS) for config in worth_trying(call.shape, device.compute_units)]
    row = padded_row(call.shape) if call.padded and device.target == TARGET else None
    if row is not None:
        tried.insert(0, _guess(GLUON, row.config, _PADDED))
    if not call.narrow and device.target == TARGET:
        few = few_queries(call.shape, row_for(call.size, few=True).config)
        tried.append(preset(row_for(call.size, few=few)))
    return tuple(
        made
        for made in (select(asked, (), config, lambda each: _bounded(each, call, device)) for config in tried)
        if made.origin is not Origin.TORCH
    )


def _bounded(candidate: Candidate, call: Attention, device: Device) -> Config:
    """Return a candidate's configuration. Raises ValueError when it does not fit the device."""
    if candidate.implementation == GENERAL:
        general.plan(call.problem, candidate.config, device)
    return candidate.config


def narrowness(*, size: int, loose: str, window: int, shift: int) -> str:
    """Return why the kernels that were measured cannot compute a call; `loose` names an operand with odd strides."""
    if size not in SIZES:
        return f"the measured kernels have heads of {', '.join(map(str, SIZES))}, not {size}"
    return _unlike(loose=loose, window=window, shift=shift)


def paddable(*, size: int, loose: str, window: int, shift: int) -> bool:
    """Tell whether only the size of its heads keeps a call from the kernels that were measured."""
    return size not in SIZES and not _unlike(loose=loose, window=window, shift=shift)


def _unlike(*, loose: str, window: int, shift: int) -> str:
    if window or shift:
        return "the measured kernels have neither windows nor shifts"
    return f"{loose} has strides that are no multiples of 16 bytes" if loose else ""


def _guess(implementation: str, config: Config, source: str) -> Candidate:
    return Candidate(origin=Origin.START, implementation=implementation, config=config, sizes=Record(), source=source)


def obstacle(*, dtype: str, size: int, empty: bool, scale: float | None, loose: str) -> str:
    """Return why no kernel can compute a call, or an empty text; `loose` names an operand whose elements lie apart."""
    if dtype not in DTYPES:
        return f"the kernels take {' and '.join(DTYPES)}, not {dtype}"
    if size % STEP or not LEAST <= size <= MOST:
        return f"the kernels have heads of multiples of {STEP} from {LEAST} to {MOST}, not {size}"
    if empty:
        return "a length is zero"
    if scale is not None and not scale > 0:
        return f"the kernels take a positive scale, not {scale:g}"
    if loose:
        return f"{loose} has a last stride other than 1"
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


def _fitted(candidate: Candidate, call: Attention, device: Device) -> Config:
    if not Target.of(device.target).at_least(LEAST_CAPABILITY):
        raise ValueError(
            f"the kernels are for NVIDIA GPUs from compute capability 8.0 on, not {device.target or device.name}"
        )
    if candidate.implementation == TRITON:
        fit_grid(call.batch, call.heads)
    return candidate.config
