"""Which kernel computes a depthwise conv3d of tensors; needs no PyTorch."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from hotloop.dispatch.choice import Candidate, Choice, Origin
from hotloop.dispatch.place import Winners
from hotloop.dispatch.select import NEAR, Asked, near, own, select
from hotloop.kernels._text import ELEMENTS
from hotloop.kernels.conv3d_depthwise.cuda import plan as cuda
from hotloop.kernels.conv3d_depthwise.cuda import rungs
from hotloop.kernels.conv3d_depthwise.cuda.rungs import Rung
from hotloop.kernels.conv3d_depthwise.cuda.space import NAIVE
from hotloop.kernels.conv3d_depthwise.problem import DEFAULT, FAMILY
from hotloop.kernels.conv3d_depthwise.shape import VIDEO, Shape
from hotloop.kernels.conv3d_depthwise.triton import plan as triton
from hotloop.kernels.conv3d_depthwise.walking import plan as walking
from hotloop.kernels.conv3d_depthwise.walking import worth
from hotloop.model.device import Device
from hotloop.model.near import distance
from hotloop.model.problem import Problem
from hotloop.model.program import Program
from hotloop.model.record import Record
from hotloop.model.space import Config
from hotloop.targets.machine import multiprocessors, nvidia
from hotloop.targets.target import Target

FUNCTION = "torch.nn.functional.conv3d"
CUDA, TRITON = "cuda", "triton"
IN_CUDA = (CUDA, worth.CARRY, worth.TURN)
"""Implementations that are CUDA C++."""
TARGET = "sm_90"
NOTHING = Winners()
LADDER = Config(RUNG="by shape")
"""The first rung of the ladder, from the top, that takes the shape: `rungs.best`."""
ALIGNED_BYTES = 16
"""The kernels' wide accesses must begin at multiples of this many bytes."""
_WEIGHTS = {"dtype": 0.7, "layout": 3.0}
_LEAST_CAPABILITY = 80
_MOST_ELEMENTS = 1 << 31
_THREADS_AT_ONCE = multiprocessors("sm_90") * nvidia("sm_90").warps * nvidia("sm_90").warp
"""Threads that an H200 holds at a time: multiprocessors times threads of each."""
_MOST_SHAPES = 1024
"""Number of shapes whose choice is kept in memory."""
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
    sizes |= {"multiplier": shape.multiplier, "dtype": shape.dtype, "layout": layout}
    return Record(sizes | {"bias": 1}) if shape.bias else Record(sizes)


def choose(call: Convolution, device: Device, won: Winners = NOTHING, *, compiler: str = "") -> Choice:
    """Return what runs for a call on a device.

    `won` is what the store knows; `compiler` says why Triton has to do: CUDA C++ cannot be compiled here, or has no fast rung for
    the shape.
    """
    asked = Asked(problem=call.problem, device=device, function=FUNCTION, weights=_WEIGHTS)
    if call.obstacle:
        return own(asked, call.obstacle)
    kinds = (TRITON,) if compiler else IN_CUDA
    usable = near(asked, [candidate for candidate in won.candidates if candidate.implementation in kinds])
    if compiler:
        start = _in_triton(call.shape, device)
        return select(
            asked, usable, start, lambda candidate: _fitted(candidate, call.shape, device), (*won.notes, compiler)
        )
    if turned := _turning(call.shape):
        return select(asked, usable, turned, lambda candidate: _fitted(candidate, call.shape, device), won.notes)
    shipped = (_shipped(),) if device.target == TARGET else ()
    return select(
        asked, usable + shipped, _start(), lambda candidate: _fitted(candidate, call.shape, device), won.notes
    )


@lru_cache(_MOST_SHAPES)
def _turning(shape: Shape) -> Candidate | None:
    """Return the kernel that turns planes in shared memory, where it is faster than all others."""
    config = worth.turning(shape) if shape.outputs > _THREADS_AT_ONCE and shape.dtype in ELEMENTS else None
    if config is None:
        return None
    source = "channels lie last: on an H200 it took 0.16 to 0.76 of the time of Triton's kernel"
    return Candidate(origin=Origin.START, implementation=worth.TURN, config=config, sizes=Record(), source=source)


def rungs_worth_trying(call: Convolution, device: Device) -> list[Choice]:
    """Return the CUDA C++ kernels that a measurement should compare: the ladder's for the shape, and cuts of those that walk."""
    if call.obstacle:
        return []
    return _tried(call, device, [(CUDA, LADDER), *worth.trying(call.shape)])


def cuts_worth_trying(call: Convolution, device: Device) -> list[Choice]:
    """Return the Triton kernels that a measurement should compare: the rule's, and where channels lie last other cuts of it."""
    if call.obstacle:
        return []
    usual = triton.best(call.shape, device.runtime)
    others = _LAST_CUTS if call.shape.channels_last else ()
    return _tried(
        call,
        device,
        [(TRITON, config) for config in dict.fromkeys((usual, *(usual.replace(**other) for other in others)))],
    )


_LAST_CUTS = (
    {"CHANNELS": 32, "BLOCK": 16, "num_warps": 2}, {"CHANNELS": 32, "BLOCK": 32, "num_warps": 4},
    {"CHANNELS": 64, "BLOCK": 32, "num_warps": 4}, {"CHANNELS": 32, "BLOCK": 64, "num_warps": 8}, {"PLANES": 5}, {"PLANES": 20},
)  # fmt: skip


def _tried(call: Convolution, device: Device, pairs: list[tuple[str, Config]]) -> list[Choice]:
    """Return the choices of configurations that suit a call."""
    asked = Asked(problem=call.problem, device=device, function=FUNCTION, weights=_WEIGHTS)
    guess = "of its speed at this shape nobody knows"
    tried = [
        Candidate(origin=Origin.START, implementation=kind, config=config, sizes=Record(), source=guess)
        for kind, config in pairs
    ]
    made = [select(asked, (), candidate, lambda each: _fitted(each, call.shape, device)) for candidate in tried]
    return [candidate for candidate in made if candidate.origin is not Origin.TORCH]


def obstacle(shape: Shape, loose: str) -> str:
    """Return why the kernels cannot compute a shape, or an empty text; `loose` names an operand that lies oddly."""
    if shape.dtype not in ELEMENTS:
        return f"the kernels take {', '.join(ELEMENTS)}, not {shape.dtype}"
    d, h, w = shape.size
    if not shape.outputs or not shape.n * shape.c * d * h * w:
        return "there is nothing to compute"
    if max(shape.outputs, shape.n * shape.c * d * h * w) >= _MOST_ELEMENTS:
        return "the sizes exceed the kernels' 32-bit indices"
    if loose:
        return (
            f"{loose} is not contiguous in [n, c, d, h, w] or with channels last, from an address that is a multiple of "
            f"{ALIGNED_BYTES}"
        )
    return ""


_FEW_BLOCKS = 66
"""Half of an H200's multiprocessors: with fewer output planes, one a block, strips leave most of the card idle."""


def aside(shape: Shape, won: Winners = NOTHING) -> str:
    """Return why Triton's kernel is better than the CUDA rungs for a shape, or an empty text; a stored CUDA winner stays.

    Measured on an H200, all cuts of both beside each other, on 81 shapes and through dispatch on 55 others
    (results/nvidia-h200-2026-11-22/conv3d-rules.json.gz, conv3d-dispatch.json.gz). The matrix rung was the faster one wherever it
    takes the shape, but for windows of one row and column, of whose matrix one product in 25 is useful.
    """
    alike = (
        distance(sizes_of(shape), candidate.sizes, _WEIGHTS) <= NEAR
        for candidate in won.candidates
        if candidate.implementation in IN_CUDA
    )
    if any(alike) or shape.dtype not in ELEMENTS:
        return ""
    config = triton.best(shape)
    try:
        triton.constants(shape, config)
    except ValueError:
        return ""
    if _turning(shape):
        return ""
    if shape.channels_last and shape.outputs > _THREADS_AT_ONCE:
        return "no CUDA rung is fast where channels lie last"  # with fewer the direct one is: 2.0 µs against 8.6, 14.4 against 29.6
    if shape.kernel[1] * shape.kernel[2] == 1 and shape.multiplier == 1:
        return "with one tap of a plane nothing is shared: Triton's kernel took 0.78 to 0.92 times as long on an H200"
    best = rungs.best(shape)
    if best.entry == "conv3d_direct":
        return _beside_direct(shape, config)
    return _beside_strips(shape, best, config) if best.entry == "conv3d_strip" else ""


def _beside_direct(shape: Shape, config: Config) -> str:
    """Return why Triton's kernel is better than the direct rung.

    The direct rung stays where all its threads, one for each output, run at once (three shapes with strides: 1.8 µs against 2.3, 3.2
    against 3.3, 4.1 against 7.1; beyond, 1.6 million outputs: 27.1 against 17.0), and with strides or dilation where the weights do
    not fit in registers (7 x 7 x 7 with strides: 25.7 µs against 127, and Triton's compiler took 10 s). With dilation and 27 taps
    direct and Triton took 29.7 and 17.7, 18.2 and 15.1, 47.0 and 44.9 µs, and at one shape 24.6 and 26.5.
    """
    if shape.outputs <= _THREADS_AT_ONCE:
        return ""
    held = config["FORM"] == "patches" or config.integer("HOLD") == 1
    if max(*shape.stride, *shape.dilation) > 1 and not held:
        return ""
    return "the CUDA rung for the shape is direct; it took 1.5 to 2.3 times (with dilation 0.9 to 1.7) as long as Triton's kernels on an H200"


def _beside_strips(shape: Shape, best: Rung, config: Config) -> str:
    """Return why Triton's kernel is better than strips: two estimates decide for 16 bits, and few output planes for float32."""
    if shape.dtype == "float32":
        planes = shape.n * shape.c * shape.output[0]
        few = planes < _FEW_BLOCKS
        return (
            f"strips would leave most of the device idle, there are {planes} output planes: 4.9 µs against 3.0"
            if few
            else ""
        )
    strips_us, patches_us = rungs.estimate_us(shape, best), triton.estimate_us(shape, config)
    if patches_us >= strips_us:
        return ""
    return f"the CUDA rung for the shape is strip: about {strips_us:.0f} µs on an H200, Triton's kernel about {patches_us:.0f}"


def rung(shape: Shape, config: Config) -> Rung:
    """Return the rung that a configuration means. Raises ValueError when the shape does not fit it."""
    return rungs.best(shape) if config == LADDER else cuda.rung_of(shape, config)


def program(call: Convolution, choice: Choice) -> Program:
    """Return the launch of a choice."""
    if choice.implementation == CUDA:
        return cuda.program_of(CUDA, rung(call.shape, choice.config))
    if choice.implementation in IN_CUDA:
        return walking.program_of(walking.rung_of(call.shape, choice.config))
    return triton.plan(DEFAULT.replace(**call.problem.sizes), choice.config, choice.device)


def _fitted(candidate: Candidate, shape: Shape, device: Device) -> Config:
    if not Target.of(device.target).at_least(_LEAST_CAPABILITY):
        raise ValueError(
            f"the kernels are for NVIDIA GPUs from compute capability 8.0 on, not {device.target or device.name}"
        )
    if candidate.implementation == TRITON:
        triton.constants(shape, candidate.config)  # refuses what does not fit
        if why := _too_much(triton.shared_bytes(shape, candidate.config), device):
            raise ValueError(why)
        return candidate.config
    walks = candidate.implementation in (worth.CARRY, worth.TURN)
    why = _refusal((walking.rung_of if walks else rung)(shape, candidate.config), device)
    if not why:
        return candidate.config
    if candidate.config == LADDER:  # the lowest rung takes everything
        return Config(NAIVE)
    raise ValueError(why)


def _refusal(made: Rung, device: Device) -> str:
    if why := _too_much(made.shared_bytes, device):
        return why
    if max(made.grid[1:]) > _MOST_BLOCKS:
        return f"a grid of {made.grid[1]} x {made.grid[2]} blocks, {_MOST_BLOCKS} is the most"
    return ""


def _too_much(shared_bytes: int, device: Device) -> str:
    if device.local_mem_bytes is None or shared_bytes <= device.local_mem_bytes:
        return ""
    return f"{shared_bytes} B of shared memory, {device.local_mem_bytes} B is all a block can have"


def _in_triton(shape: Shape, device: Device) -> Candidate:
    return Candidate(
        origin=Origin.START,
        implementation=TRITON,
        config=triton.best(shape, device.runtime),
        sizes=Record(),
        source="a Triton kernel computes the shape by the rule of its family",
    )


def _shipped() -> Candidate:
    return Candidate(
        origin=Origin.PRESET,
        implementation=CUDA,
        config=LADDER,
        sizes=sizes_of(VIDEO),
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
