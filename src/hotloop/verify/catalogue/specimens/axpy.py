"""``y = a x + y``: an array that is both read and written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.model.kernel import Tolerance
from hotloop.model.program import Array, Launch, Value
from hotloop.model.record import Record
from hotloop.verify.catalogue.build import Draft, fewer_groups, never, normal, same_array, twice, wide
from hotloop.verify.catalogue.mutant import Mutant, Specimen

if TYPE_CHECKING:
    from hotloop.model.kernel import Inputs, Outputs
    from hotloop.model.problem import Problem
    from hotloop.model.space import Config

FACTOR = -2.5
SOURCE = """\
__kernel void axpy(const float a, __global const float *x, __global float *y, const int n) {
    const int i = get_global_id(0) * 4;
    if (i + 4 <= n) {
        vstore4(fma((float4)(a), vload4(0, x + i), vload4(0, y + i)), 0, y + i);
    } else {
        for (int j = i; j < n; ++j) y[j] = fma(a, x[j], y[j]);
    }
}
"""


def _inputs(p: Problem, rng: np.random.Generator) -> Inputs:
    return {"a": FACTOR, "x": normal(rng, p.integer("n")), "y": normal(rng, p.integer("n"))}


def _reference(_p: Problem, arrays: Inputs) -> Outputs:
    return {"y": wide(arrays, "a") * wide(arrays, "x") + wide(arrays, "y")}


def _launches(p: Problem, c: Config) -> tuple[Launch, ...]:
    n, group = p.integer("n"), c.integer("WG")
    arguments = (Value(FACTOR, "float32"), Array("x"), Array("y"), Value(n, "int32"))
    vectors = (n + 3) // 4
    items = (vectors + group - 1) // group * group
    return (Launch("axpy", arguments, (items,), (group,)),)


SPECIMEN = Specimen(
    name="axpy",
    language="opencl",
    kernel=Draft(
        name="axpy",
        sizes=Record(n=4096),
        source=SOURCE,
        inputs=_inputs,
        reference=_reference,
        launches=_launches,
        params={"WG": (16, 4)},
        awkward=({"n": 1}, {"n": 63}, {"n": 1009}, {"n": 66}),
        tolerance=Tolerance(absolute=1e-6),
    ).kernel(),
    mutants=(
        Mutant.planted("overwrite", "inout", "the old y is not added in whole vectors", "vload4(0, y + i)), 0", "(float4)(0.0f)), 0"),
        Mutant.planted("tail-overwrite", "inout", "the old y is not added in the tail", "fma(a, x[j], y[j])", "a * x[j]"),
        Mutant.planted("tail-lost", "lost-tail", "the tail is not computed", "j < n; ++j", "j < i; ++j"),
        Mutant.planted("tail-last", "lost-tail", "the last element of the tail is lost", "j < n; ++j", "j < n - 1; ++j"),
        Mutant.planted("vector-edge", "overrun", "the last vector is written whole", "if (i + 4 <= n) {", "if (i < n) {"),
        Mutant.planted("vector-lost", "stale-output", "a whole last vector is not computed", "if (i + 4 <= n) {", "if (i + 4 == n && n > 4) return;\n    if (i + 4 <= n) {"),
        Mutant.planted("sign", "sign", "the factor has the wrong sign in the tail", "fma(a, x[j], y[j])", "fma(-a, x[j], y[j])"),
        Mutant(name="twice", kind="split-k", bug="the kernel is submitted twice", relaunch=twice),
        Mutant(name="y-for-x", kind="aliasing", bug="y is passed for x", relaunch=same_array("y", "x")),
        Mutant(name="last-group", kind="stale-output", bug="the last work-group is never launched", relaunch=fewer_groups),
        Mutant(name="nothing", kind="stale-output", bug="nothing is launched", relaunch=never),
    ),
)  # fmt: skip
