"""The depthwise conv3d problem, with PyTorch's meaning of every size.

Sizes: input ``n c d h w``; window ``kd kh kw``; stride ``sd sh sw``; zero padding ``pd ph pw``; dilation ``ld lh lw``;
``multiplier`` output channels per input channel; ``dtype`` of all arrays (sums are float32); ``layout`` ncdhw or ndhwc.
Weights are [c * multiplier, kd, kh, kw] in both layouts. A problem may have ``bias`` 1: then c * multiplier elements are added
to the sums before they are rounded. bfloat16, which OpenCL C lacks, is for the other
implementations.
"""

from __future__ import annotations

from functools import lru_cache

from hotloop.kernels.conv3d_depthwise.shape import ELEMENT_BYTES, Shape
from hotloop.model.problem import Problem, Work
from hotloop.model.record import Record

FAMILY = "conv3d_depthwise"
LAYOUTS = ("ncdhw", "ndhwc")
OPTIONAL = ("bias",)
"""Sizes that a problem need not have; without them they are 0."""

DEFAULT = Problem(
    FAMILY,
    Record(
        n=1, c=16, d=11, h=45, w=80, kd=3, kh=5, kw=5, sd=1, sh=1, sw=1, pd=0, ph=2, pw=2, ld=1, lh=1, lw=1,
        multiplier=1, dtype="float32", layout="ncdhw",
    ),
)  # fmt: skip
"""A slice of the reported video problem (c=512, d=61) that a laptop computes in milliseconds."""


@lru_cache(maxsize=256)  # a search asks about the same few problems for every configuration
def shape_of(problem: Problem) -> Shape:
    """Return the sizes as a `Shape`.

    Raises:
        ValueError: a size or name has no meaning, or there is no output.
    """
    for name, allowed in (("dtype", tuple(ELEMENT_BYTES)), ("layout", LAYOUTS)):
        if problem.sizes[name] not in allowed:
            raise ValueError(f"{name}={problem.sizes[name]!r} is not one of {', '.join(allowed)}")
    if problem.sizes.get("bias", 0) not in (0, 1):
        raise ValueError(f"bias={problem.bias} is neither 0 nor 1")
    for name, value in problem.sizes.items():
        if name not in ("dtype", "layout", "bias") and problem.integer(name) < (0 if name[0] == "p" else 1):
            raise ValueError(f"{name}={value} is too small")
    shape = Shape(
        n=problem.integer("n"),
        c=problem.integer("c"),
        size=_triple(problem, "{}"),
        kernel=_triple(problem, "k{}"),
        padding=_triple(problem, "p{}"),
        stride=_triple(problem, "s{}"),
        dilation=_triple(problem, "l{}"),
        multiplier=problem.integer("multiplier"),
        dtype=str(problem.dtype),
        channels_last=problem.layout == "ndhwc",
        bias=bool(problem.sizes.get("bias", 0)),
    )
    if min(shape.output) < 1:
        raise ValueError(f"the window of {_text(shape.kernel)} does not fit the padded input of {_text(shape.size)}")
    return shape


def _triple(problem: Problem, form: str) -> tuple[int, int, int]:
    d, h, w = (problem.integer(form.format(axis)) for axis in "dhw")
    return d, h, w


def _text(sizes: tuple[int, int, int]) -> str:
    return " x ".join(map(str, sizes))


def work(problem: Problem) -> Work:
    """Return two flops per tap and output, taps on padding included, and every array moved once."""
    shape = shape_of(problem)
    return Work(
        float(shape.flops),
        float(shape.compulsory_bytes),
        "2 flops per tap and output, taps on padding included; x and weights read once, y written once",
    )


def awkward(problem: Problem) -> tuple[Problem, ...]:
    """Return small problems that break wrong kernels: edges, strides, dilations, multipliers, both layouts."""
    asked = {name: problem.sizes[name] for name in ("dtype", *OPTIONAL) if name in problem.sizes}
    base = DEFAULT.replace(**asked)
    changes: tuple[dict[str, int | str], ...] = (
        {"c": 2, "d": 4, "h": 7, "w": 19},
        {"c": 1, "d": 1, "h": 1, "w": 1, "kd": 1, "kh": 1, "kw": 1, "ph": 0, "pw": 0},
        {"n": 2, "c": 3, "d": 6, "h": 11, "w": 13, "sd": 2, "sh": 2, "sw": 3, "pd": 1},
        {"c": 2, "d": 7, "h": 12, "w": 23, "kh": 3, "kw": 2, "ld": 2, "lh": 3, "lw": 2, "ph": 3, "pw": 1},
        {"n": 2, "c": 3, "d": 5, "h": 9, "w": 10, "multiplier": 2, "layout": "ndhwc", "pd": 2},
        {"c": 5, "d": 5, "h": 6, "w": 34, "kd": 5, "ph": 4, "pw": 4, "pd": 4},
        {"c": 3, "d": 4, "h": 9, "w": 21, "sw": 2, "layout": "ndhwc"},
    )
    return tuple(base.replace(**change) for change in changes)
