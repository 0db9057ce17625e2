"""A kernel for the fake device whose fastest configuration takes most energy: it trades watts for time."""

import json

from hotloop import api
from hotloop.model.kernel import Implementation, Kernel
from hotloop.model.problem import Problem, Work
from hotloop.model.program import Array, Launch, Program
from hotloop.model.record import Record
from hotloop.model.space import Config, Parameter, Space

FAST, LEAN, EVEN = Config(CLOCK=3, W=8), Config(CLOCK=1, W=8), Config(CLOCK=2, W=8)
"""Least time, least energy, and least of their product; every configuration with W = 1 is worse in all."""
CALL_NS = {1: 2.0e6, 2: 1.2e6, 3: 1.0e6}
POWER_W = {1: 100.0, 2: 180.0, 3: 400.0}


def inputs(p, rng):
    return {"x": rng.standard_normal(p.n, "f4"), "y": api.empty(p.n)}


def reference(p, arrays):
    return {"y": arrays["x"].astype("f8")}


def plan(problem, config, device):
    slow = {1: 1.5, 8: 1.0}[config.W]
    recipe = {
        "compute": "copy",
        "call_ns": slow * CALL_NS[config.CLOCK],
        "power_w": POWER_W[config.CLOCK],
        "noise": 0.002,
        "config": dict(config),
    }
    launch = Launch("copy", (Array("x"), Array("y")), (64,), (16,))
    return Program("null", json.dumps(recipe), launches=(launch,))


api.DEFINED.append(
    Kernel(
        family="fake-energy",
        problem=Problem("fake-energy", Record(n=256)),
        inputs=inputs,
        reference=reference,
        work=lambda p: Work(flops=0, bytes=8 * p.n),
        implementations=(
            Implementation(
                "null",
                "null",
                Space((Parameter("CLOCK", (1, 2, 3), "depth"), Parameter("W", (1, 8), "vectorize"))),
                Config(CLOCK=2, W=1),
                plan,
            ),
        ),
        origin=__file__,
    )
)
