"""Which kernel computes attention on tensors; needs no PyTorch."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cache

from hotloop.dispatch.choice import Candidate, Choice, Origin
from hotloop.dispatch.select import Asked, own, select
from hotloop.kernels.attention.plan import FEW, MEASURED, SIZES, Plain
from hotloop.kernels.attention.plan import Config as Gluon
from hotloop.model.device import Device
from hotloop.model.problem import Problem
from hotloop.model.record import Record
from hotloop.model.space import Config
from hotloop.targets.target import Target

FAMILY = "attention"
FUNCTION = "torch.nn.functional.scaled_dot_product_attention"
TARGET = "sm_90"
GLUON, TRITON = "gluon", "triton"
DTYPES = ("bfloat16", "float16")
_LEAST_CAPABILITY = 80
_LARGE = 256
"""Head size from which the plain kernel takes smaller tiles."""
_HEADS = {64: 32, 128: 64, 256: 16}
"""Heads of the longest problem that `benchmarks/gpu/attention.py` measures for each head size."""
_SINGLE = "one query a head: on an H200 it took 0.77 to 0.99 of the kernel's time"
"""Seven problems with one query in results/nvidia-h200-2026-11-22/attention.json."""
_FEW = {64: (32, 16, 16, 1, 2048), 128: (16, 32, 8, 1, 4096), 256: (8, 16, 4, 8, 4100)}
"""Batch, heads, heads of keys, queries and keys of a problem with few queries that it measures."""


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
    def few(self) -> bool:
        """Tell whether one tile holds the queries of a group of heads, and all see all keys, so that memory sets the pace."""
        all_seen = not self.causal or self.length_k <= 1
        return all_seen and self.length_q * (self.heads // self.kv_heads) <= FEW[self.size].rows

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
    shipped = (_of_few(call.size) if call.few else _measured(call.size),) if device.target == TARGET else ()
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


def _measured(size: int) -> Candidate:
    return Candidate(
        origin=Origin.PRESET,
        implementation=GLUON,
        config=_record(MEASURED[size]),
        sizes=Record(
            batch=1, heads=_HEADS[size], kv_heads=_HEADS[size], length_q=8192, length_k=8192, size=size,
            dtype="bfloat16", causal=int(size != _LARGE),
        ),
        source=f"shipped table: the fastest tried for heads of {size} on an H200",
    )  # fmt: skip


def _of_few(size: int) -> Candidate:
    batch, heads, kv_heads, length_q, length_k = _FEW[size]
    return Candidate(
        origin=Origin.PRESET,
        implementation=GLUON,
        config=_record(FEW[size]),
        sizes=Record(
            batch=batch, heads=heads, kv_heads=kv_heads, length_q=length_q, length_k=length_k, size=size,
            dtype="bfloat16", causal=0,
        ),
        source=f"shipped table: the fastest tried for few queries with heads of {size} on an H200",
    )  # fmt: skip


def _start(size: int) -> Candidate:
    plain = Plain() if size < _LARGE else Plain(rows=64, keys=32)
    return Candidate(
        origin=Origin.START,
        implementation=TRITON,
        config=Config(asdict(plain)),
        sizes=Record(),
        source="nothing is known of attention on this device, so a default configuration runs: correct, perhaps not fast",
    )


def _fitted(candidate: Candidate, device: Device) -> Config:
    if not Target.of(device.target).at_least(_LEAST_CAPABILITY):
        raise ValueError(
            f"the kernels are for NVIDIA GPUs from compute capability 8.0 on, not {device.target or device.name}"
        )
    return candidate.config


@cache
def gluon(config: Config) -> Gluon:
    """Return a recorded configuration as the Gluon kernel's."""
    return Gluon(**dict(config))  # type: ignore[arg-type]


@cache
def plain(config: Config) -> Plain:
    """Return a recorded configuration as the plain kernel's."""
    return Plain(**dict(config))  # type: ignore[arg-type]


def _record(config: Gluon) -> Config:
    return Config(asdict(config))
