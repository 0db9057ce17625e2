"""A 3 × 3 stencil with clamped borders and taps from memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.model.kernel import Empty, Tolerance
from hotloop.model.program import Launch
from hotloop.model.record import Record
from hotloop.verify.catalogue.build import Draft, call, normal, same_array, wide
from hotloop.verify.catalogue.mutant import Mutant, Specimen

if TYPE_CHECKING:
    from hotloop.model.kernel import Inputs, Outputs
    from hotloop.model.problem import Problem
    from hotloop.model.space import Config

SOURCE = """\
__kernel void stencil(__global const float *image, __global const float *taps, __global float *out,
                      const int height, const int width) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height) return;
    float sum = 0.0f;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
            const int from_x = clamp(x + dx, 0, width - 1), from_y = clamp(y + dy, 0, height - 1);
            sum = fma(taps[(dy + 1) * 3 + dx + 1], image[(size_t)from_y * width + from_x], sum);
        }
    out[(size_t)y * width + x] = sum;
}
"""


def _inputs(p: Problem, rng: np.random.Generator) -> Inputs:
    height, width = p.integer("height"), p.integer("width")
    return {"image": normal(rng, height, width), "taps": normal(rng, 3, 3), "out": Empty((height, width))}


def _reference(p: Problem, arrays: Inputs) -> Outputs:
    height, width = p.integer("height"), p.integer("width")
    padded, taps = np.pad(wide(arrays, "image"), 1, mode="edge"), wide(arrays, "taps")
    shifts = [(dy, dx) for dy in range(3) for dx in range(3)]
    return {"out": np.sum([taps[s] * padded[s[0] : s[0] + height, s[1] : s[1] + width] for s in shifts], axis=0)}


def _launches(p: Problem, c: Config) -> tuple[Launch, ...]:
    sizes = p.integer("height"), p.integer("width")
    return (call("stencil", ("image", "taps", "out"), sizes, sizes[::-1], (c.integer("WG"), 4)),)


_FMA = "sum = fma(taps[(dy + 1) * 3 + dx + 1], image[(size_t)from_y * width + from_x], sum);"

SPECIMEN = Specimen(
    name="stencil",
    language="opencl",
    kernel=Draft(
        name="stencil",
        sizes=Record(height=64, width=128),
        source=SOURCE,
        inputs=_inputs,
        reference=_reference,
        launches=_launches,
        params={"WG": (16, 4)},
        awkward=({"height": 1, "width": 1}, {"height": 5, "width": 37}, {"height": 31, "width": 2}, {"height": 17, "width": 65}),
        tolerance=Tolerance(terms=lambda _p: 9.0),
        linear=("image", "taps"),
    ).kernel(),
    mutants=(
        Mutant.planted("border-right", "bounds", "the right border is clamped one column too far", "clamp(x + dx, 0, width - 1)", "clamp(x + dx, 0, width)"),
        Mutant.planted("border-left", "bounds", "the left border is not clamped", "clamp(x + dx, 0, width - 1)", "min(x + dx, width - 1)"),
        Mutant.planted("border-bottom", "bounds", "the lower border is clamped one row too early", "clamp(y + dy, 0, height - 1)", "clamp(y + dy, 0, max(height - 2, 0))"),
        Mutant.planted("wrap", "mask", "the upper border wraps around", "clamp(y + dy, 0, height - 1)", "(y + dy + height) % height"),
        Mutant.planted("zero-border", "mask", "pixels outside count as zero", _FMA, "if (x + dx == from_x && y + dy == from_y) " + _FMA),
        Mutant.planted("taps-flipped", "fragment", "taps are applied in reverse order", "taps[(dy + 1) * 3 + dx + 1]", "taps[8 - ((dy + 1) * 3 + dx + 1)]"),
        Mutant.planted("taps-transposed", "fragment", "taps are applied transposed", "taps[(dy + 1) * 3 + dx + 1]", "taps[(dx + 1) * 3 + dy + 1]"),
        Mutant.planted("tap-zeroed", "zeroed", "the last tap counts as zero", _FMA, "if (dx + dy < 2) " + _FMA),
        Mutant.planted("stride", "stride", "rows of the image are `height` apart", "image[(size_t)from_y * width + from_x]", "image[min((size_t)from_y * height + from_x, (size_t)height * width - 1)]"),
        Mutant.planted("short-loop", "bounds", "the lowest neighbours are not summed", "dy <= 1; ++dy", "dy < 1; ++dy"),
        Mutant.planted("start", "uninitialised", "the sum starts at the old output", "float sum = 0.0f;", "float sum = out[(size_t)y * width + x];"),
        Mutant.planted("guard", "overrun", "one row too many is written", "y >= height) return;", "y > height) return;"),
        Mutant.planted("guard-x", "overrun", "columns behind the last are written", "if (x >= width || y >= height) return;", "if (y >= height) return;"),
        Mutant.planted("odd-width", "odd-sizes", "the last column of odd widths is not written", "    out[(size_t)y", "    if (!(width & 1) || x + 1 < width || width == 1) out[(size_t)y"),
        Mutant.planted("bf16", "precision", "sums are kept with 8 bits", _FMA, _FMA + " sum = as_float(as_int(sum) & 0xffff0000);"),
        Mutant.planted("large", "large-values", "pixels above 1000 saturate", "image[(size_t)from_y * width + from_x]", "fmin(image[(size_t)from_y * width + from_x], 1000.0f)"),
        Mutant.planted("in-place", "input-changed", "the image is overwritten while neighbours still read it", "    out[(size_t)y * width + x] = sum;", "    out[(size_t)y * width + x] = sum;\n    ((__global float *)image)[(size_t)y * width + x] = sum;"),
        Mutant(name="taps-are-image", kind="aliasing", bug="the image is passed for the taps", relaunch=same_array("image", "taps")),
    ),
)  # fmt: skip
