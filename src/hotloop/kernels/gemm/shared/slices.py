"""Slices of k that several groups share out: whether the last group at a tile can add them, or a second launch must.

Counters that outlive a launch are global variables of the program. NVIDIA's OpenCL C has none, but PTX has; of the others
Intel's runtime is known to.
"""

from __future__ import annotations

from hotloop.kernels.gemm.problem import ELEMENT_BYTES, Gemm
from hotloop.kernels.gemm.shared.geometry import located, values
from hotloop.model.device import Device
from hotloop.model.program import Argument, Array, Launch, Scratch
from hotloop.model.space import Config, Constraint, Parameter
from hotloop.targets import data
from hotloop.targets.target import Target

MOST_TILES = 4096
"""Most tiles of a problem whose slices are added by the last group at each tile: the program has this many counters."""
VECTOR = 4
"""Elements of a vector: 16 bytes of float32, the widest access of a GPU's work-item."""
_HAS_COPIES = 80
"""First compute capability with ``cp.async``."""

SPLIT = Parameter(
    "SPLIT", (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128), "split-k", "slices of k, one group each per tile"
)
ARRIVE = Parameter(
    "ARRIVE", (0, 1), "split-k", "1 lets the group that arrives last add the slices of a tile, 0 a second launch"
)


def _arrivals_have_slices(config: Config) -> bool:
    arrive, split = config.integers("ARRIVE", "SPLIT")
    return arrive == 0 or split > 1


NEEDS_SPLIT = Constraint("ARRIVE needs SPLIT", _arrivals_have_slices, ("ARRIVE", "SPLIT"))


def arguments(form: Gemm, bias: Array, split: int) -> tuple[Argument, ...]:
    """Return what the main kernel takes: sizes, scale factors, the three matrices, the bias, and where slices go."""
    return (
        *values("int32", form.m, form.n, form.k),
        *values(form.accumulate, form.alpha, form.beta),
        *(argument for matrix in (form.a, form.b, form.c) for argument in located(matrix)),
        *(bias, Array("work" if split > 1 else "c")),
    )


def joins(form: Gemm, config: Config, groups: int, device: Device) -> bool:
    """Return whether the last group at each of the tiles, `groups` in number, adds, because ARRIVE says so and the device can count."""
    if "ARRIVE" not in config or config.integer("ARRIVE") == 0:
        return False
    return groups <= MOST_TILES and (
        ptx(form, device) or data.has(device.runtime_key, "global variables of OpenCL C 2.0")
    )


def ptx(form: Gemm, device: Device) -> bool:
    """Return whether the source may hold PTX of sm_80 for float32."""
    target, takes = Target.of(device.target), data.has(device.runtime_key, "PTX within OpenCL C")
    return takes and form.dtype == "float32" and (not target.nvidia or target.at_least(_HAS_COPIES))


def standard(form: Gemm, device: Device, *, joined: bool) -> tuple[str, ...]:
    """Return the option for OpenCL C with global variables where the counters are such variables."""
    return ("-cl-std=CL2.0",) if joined and not ptx(form, device) else ()


def copies_of_c(form: Gemm, split: int) -> Scratch:
    """Return memory for as many copies of C, in the type of the sums."""
    return Scratch("work", split * form.m * form.n * ELEMENT_BYTES[form.accumulate])


def finish(form: Gemm, split: int, bias: Array, vector: int = VECTOR) -> Launch:
    """Return the second launch: it adds the slices in their order and finishes C; one item for each vector (VW) of a row."""
    given = (
        *values("int32", form.m, form.n, split),
        *values(form.accumulate, form.alpha, form.beta),
        *(Array("work"), *located(form.c), bias),
    )
    return Launch("add_slices", given, (-(-form.n // vector), form.m), None, "add")


def in_place(device: Device) -> tuple[str, ...]:
    """Return the option for devices that may work in their caller's memory, which begins at any element of an array."""
    return ("-DIN_PLACE=1",) if device.kind == "cpu" else ()
