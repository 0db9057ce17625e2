"""Depthwise 3-D convolution with zero padding."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.model.kernel import Empty, Tolerance
from hotloop.model.program import Launch
from hotloop.model.record import Record
from hotloop.verify.catalogue.build import Draft, call, fewer_groups, normal, wide
from hotloop.verify.catalogue.mutant import Mutant, Specimen

if TYPE_CHECKING:
    from hotloop.model.kernel import Inputs, Outputs
    from hotloop.model.problem import Problem
    from hotloop.model.space import Config

KD, KH, KW = 3, 5, 5
SOURCE = """\
__kernel void conv3d(__global const float *x, __global const float *w, __global float *y,
                     const int channels, const int depth, const int height, const int width) {
    const int column = get_global_id(0), row = get_global_id(1) % height, slice = get_global_id(1) / height % depth;
    const int channel = get_global_id(1) / height / depth;
    if (column >= width || channel >= channels) return;
    __global const float *plane = x + (size_t)channel * depth * height * width;
    float sum = 0.0f;
    for (int kd = 0; kd < 3; ++kd)
        for (int kh = 0; kh < 5; ++kh)
            for (int kw = 0; kw < 5; ++kw) {
                const int d = slice + kd - 1, h = row + kh - 2, v = column + kw - 2;
                if (d < 0 || d >= depth || h < 0 || h >= height || v < 0 || v >= width) continue;
                sum = fma(w[((channel * 3 + kd) * 5 + kh) * 5 + kw], plane[(size_t)(d * height + h) * width + v], sum);
            }
    y[(((size_t)channel * depth + slice) * height + row) * width + column] = sum;
}
"""


def _shape(p: Problem) -> tuple[int, int, int, int]:
    return p.integer("channels"), p.integer("depth"), p.integer("height"), p.integer("width")


def _inputs(p: Problem, rng: np.random.Generator) -> Inputs:
    shape = _shape(p)
    return {"x": normal(rng, *shape), "w": normal(rng, shape[0], KD, KH, KW), "y": Empty(shape)}


def _reference(p: Problem, arrays: Inputs) -> Outputs:
    channels, depth, height, width = _shape(p)
    padded = np.pad(wide(arrays, "x"), ((0, 0), (1, 1), (2, 2), (2, 2)))
    w, total = wide(arrays, "w"), np.zeros((channels, depth, height, width))
    for d, h, v in np.ndindex(KD, KH, KW):
        part = padded[:, d : d + depth, h : h + height, v : v + width]
        # A tap that lies in the padding is not read, so an infinite weight must not meet its zero.
        inside = np.pad(np.ones((depth, height, width), bool), ((1, 1), (2, 2), (2, 2)))
        used = inside[d : d + depth, h : h + height, v : v + width]
        total += np.where(used, w[:, d, h, v][:, None, None, None] * part, 0.0)
    return {"y": total}


def _launches(p: Problem, c: Config) -> tuple[Launch, ...]:
    channels, depth, height, width = _shape(p)
    size = (width, channels * depth * height)
    return (call("conv3d", ("x", "w", "y"), _shape(p), size, (c.integer("WG"), 1)),)


_FMA = "sum = fma(w[((channel * 3 + kd) * 5 + kh) * 5 + kw], plane[(size_t)(d * height + h) * width + v], sum);"

SPECIMEN = Specimen(
    name="conv3d",
    language="opencl",
    kernel=Draft(
        name="conv3d",
        sizes=Record(channels=8, depth=8, height=16, width=16),
        source=SOURCE,
        inputs=_inputs,
        reference=_reference,
        launches=_launches,
        params={"WG": (8, 4)},
        awkward=(
            {"channels": 1, "depth": 1, "height": 1, "width": 1}, {"channels": 3, "depth": 2, "height": 7, "width": 11},
            {"channels": 2, "depth": 5, "height": 3, "width": 17}, {"channels": 5, "depth": 3, "height": 6, "width": 4},
        ),
        tolerance=Tolerance(terms=lambda _p: float(KD * KH * KW)),
        linear=("x", "w"),
    ).kernel(),
    mutants=(
        Mutant.planted("pad-depth", "bounds", "the slice behind the last is read", "d >= depth ||", "d > depth ||"),
        Mutant.planted("pad-height", "bounds", "the first row is taken for padding", "h < 0 ||", "h < 1 ||"),
        Mutant.planted("pad-width", "bounds", "columns left of the first are read from the row above", "v < 0 || v >= width", "v >= width"),
        Mutant.planted("pad-right", "bounds", "the last column is taken for padding", "v >= width) continue", "v >= width - 1) continue"),
        Mutant.planted("flipped", "fragment", "weights are applied in reverse order (a true convolution)", "* 5 + kh) * 5 + kw]", "* 5 + 4 - kh) * 5 + 4 - kw]"),
        Mutant.planted("transposed", "fragment", "rows and columns of the weights are exchanged", "* 5 + kh) * 5 + kw]", "* 5 + kw) * 5 + kh]"),
        Mutant.planted("one-filter", "stride", "the first channel's weights serve all channels", "w[((channel * 3 + kd)", "w[((0 * 3 + kd)"),
        Mutant.planted("weight-stride", "stride", "weights of a channel are 72 apart instead of 75", "w[((channel * 3 + kd) * 5 + kh) * 5 + kw]", "w[(kd * 5 + kh) * 5 + kw + channel * 72]"),
        Mutant.planted("plane-square", "stride", "rows are `height` apart: right for square planes", "plane[(size_t)(d * height + h) * width + v]", "plane[(size_t)(d * height + h) * height + v]"),
        Mutant.planted("slices", "stride", "depth and height are exchanged in the output", "channel * depth + slice) * height + row)", "channel * height + row) * depth + slice)"),
        Mutant.planted("short-kd", "bounds", "the last slice of weights is not applied", "kd < 3; ++kd", "kd < 2; ++kd"),
        Mutant.planted("corner", "zeroed", "one of 75 weights counts as zero", _FMA, "if (kd + kh + kw < 10) " + _FMA),
        Mutant.planted("mirror", "mask", "the border is mirrored instead of zero along depth", "const int d = slice + kd - 1,", "const int d = clamp(slice + kd - 1, 0, depth - 1),"),
        Mutant.planted("channel-guard", "stale-output", "the last channel of an odd number is not computed", "channel >= channels) return;", "channel >= max(channels & ~1, 1)) return;"),
        Mutant.planted("width-guard", "overrun", "columns behind the last are written", "column >= width || channel", "channel"),
        Mutant.planted("bf16", "precision", "weights are rounded to 8 bits", "fma(w[((channel * 3 + kd) * 5 + kh) * 5 + kw],", "fma(as_float(as_int(w[((channel * 3 + kd) * 5 + kh) * 5 + kw]) & 0xffff0000),"),
        Mutant.planted("start", "uninitialised", "the sum starts at the old output", "float sum = 0.0f;", "float sum = y[(((size_t)channel * depth + slice) * height + row) * width + column];"),
        Mutant.planted("sparse", "zeroed", "negligible weights are skipped: below 0.01", _FMA, "if (!(fabs(w[((channel * 3 + kd) * 5 + kh) * 5 + kw]) < 0.01f)) " + _FMA),
        Mutant(name="columns-lost", kind="stale-output", bug="the last work-groups along x are never launched", relaunch=fewer_groups),
    ),
)  # fmt: skip
