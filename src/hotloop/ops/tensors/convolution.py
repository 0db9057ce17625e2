"""Which rung computes a depthwise conv3d of tensors; needs no PyTorch."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from hotloop.kernels.conv3d_depthwise import cuda, rungs
from hotloop.kernels.conv3d_depthwise.rungs import Rung, Shape
from hotloop.model.device import Device
from hotloop.model.problem import Problem
from hotloop.model.record import Record
from hotloop.model.space import Config
from hotloop.ops.choice import Candidate, Choice, Origin
from hotloop.ops.tensors.job import Job
from hotloop.ops.tensors.select import Asked, own, select

MOST_JOBS = 1024
"""Launches that are kept ready."""
FAMILY = "conv3d_depthwise"
CUDA = "cuda"
TARGET = "sm_90"
LADDER = Config(RUNG="by shape")
"""The first rung of the ladder, from the top, that takes the shape: `rungs.best`."""
ALIGNED_BYTES = 16
"""Where the kernels' wide accesses must begin."""
_WEIGHTS = {"dtype": 0.7, "layout": 3.0}
_LEAST_CAPABILITY = 80
_MOST_ELEMENTS = 1 << 31
_MOST_BLOCKS = 65535
"""Blocks along the second and third dimension of a grid: CUDA programming guide, compute capabilities."""


@dataclass(frozen=True, slots=True)
class Convolution:
    """One call, as far as it decides what runs."""

    shape: Shape
    obstacle: str = ""
    """Why the kernels cannot take the operands; empty when they can."""

    @property
    def problem(self) -> Problem:
        """Return the sizes in the family's words."""
        return Problem(FAMILY, sizes_of(self.shape))


def sizes_of(shape: Shape) -> Record:
    """Return the sizes of a shape in the family's words."""
    sizes: dict[str, int | str] = {"n": shape.n, "c": shape.c}
    for form, values in (
        ("{}", shape.size),
        ("k{}", shape.kernel),
        ("s{}", shape.stride),
        ("p{}", shape.padding),
        ("l{}", shape.dilation),
    ):
        sizes |= {form.format(axis): value for axis, value in zip("dhw", values, strict=True)}
    layout = "ndhwc" if shape.channels_last else "ncdhw"
    return Record(sizes | {"multiplier": shape.multiplier, "dtype": shape.dtype, "layout": layout})


def choose(call: Convolution, device: Device, winners: tuple[Candidate, ...] = (), trouble: str = "") -> Choice:
    """Return what runs for a call on a device; `winners` are those of the store, `trouble` why there are none."""
    asked = Asked(
        problem=call.problem, device=device, function="torch.nn.functional.conv3d", weights=_WEIGHTS
    )  # fmt: skip
    if call.obstacle:
        return own(asked, call.obstacle)
    known = tuple(one for one in winners if one.implementation == CUDA)
    shipped = (_shipped(),) if device.target == TARGET else ()
    notes = (trouble,) if trouble else ()
    return select(asked, known + shipped, _start(), lambda one: _fitted(one, call.shape, device), notes)


def obstacle(shape: Shape, loose: str) -> str:
    """Return why the kernels cannot compute a shape, or an empty text; `loose` names an operand that lies oddly."""
    if shape.dtype not in rungs.ELEMENTS:
        return f"the kernels take {', '.join(rungs.ELEMENTS)}, not {shape.dtype}"
    d, h, w = shape.size
    if not shape.outputs or not shape.n * shape.c * d * h * w:
        return "there is nothing to compute"
    if max(shape.outputs, shape.n * shape.c * d * h * w) >= _MOST_ELEMENTS:
        return "the sizes exceed the kernels' 32-bit indices"
    if loose:
        return f"{loose} is not contiguous in [n, c, d, h, w] from an address that is a multiple of {ALIGNED_BYTES}"
    return ""


def rung(shape: Shape, config: Config) -> Rung:
    """Return the rung that a configuration means. Raises ValueError when the shape does not fit it."""
    return rungs.best(shape) if config == LADDER else cuda.rung_of(shape, config)


@lru_cache(MOST_JOBS)
def job(shape: Shape, config: Config) -> Job:
    """Return the kernel of a chosen configuration."""
    made = rung(shape, config)
    return Job(cuda.source(), "conv3d.cuh", made.options, made.entry, made.grid, made.threads, made.shared_bytes)


def _fitted(candidate: Candidate, shape: Shape, device: Device) -> Config:
    digits = device.target.removeprefix("sm_")
    if not digits.isdigit() or int(digits) < _LEAST_CAPABILITY:
        raise ValueError(
            f"the kernels are for NVIDIA GPUs from compute capability 8.0 on, not {device.target or device.name}"
        )
    why = _refusal(rung(shape, candidate.config), device)
    if not why:
        return candidate.config
    if candidate.config == LADDER:  # the lowest rung takes everything
        return Config(cuda.NAIVE)
    raise ValueError(why)


def _refusal(made: Rung, device: Device) -> str:
    if device.local_mem_bytes is not None and made.shared_bytes > device.local_mem_bytes:
        return f"{made.shared_bytes} B of shared memory, {device.local_mem_bytes} B is all a block can have"
    if max(made.grid[1:]) > _MOST_BLOCKS:
        return f"a grid of {made.grid[1]} x {made.grid[2]} blocks, {_MOST_BLOCKS} is the most"
    return ""


def _shipped() -> Candidate:
    return Candidate(
        origin=Origin.PRESET,
        implementation=CUDA,
        config=LADDER,
        sizes=sizes_of(rungs.VIDEO),
        source="shipped ladder, H200: 0.129 ms, 54 times PyTorch's speed",
    )


def _start() -> Candidate:
    return Candidate(
        origin=Origin.START,
        implementation=CUDA,
        config=LADDER,
        sizes=Record(),
        source="nothing is known of depthwise conv3d on this device, so the ladder chooses by shape as on an H200",
    )
