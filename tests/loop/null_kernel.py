"""A kernel for the fake device: its cost is a formula of the configuration, and some configurations misbehave."""

import json

from hotloop import api
from hotloop.model.kernel import Implementation, Kernel
from hotloop.model.problem import Problem, Work
from hotloop.model.program import Array, Launch, Program
from hotloop.model.record import Record
from hotloop.model.space import Config, Constraint, Parameter, Space

START = Config(W=1, ITEMS=1, DEPTH=1, TRICK="none")
BEST = Config(W=8, ITEMS=16, DEPTH=3, TRICK="stream")
FAULTS = {"unsafe": "crash", "cheat": "wrong", "typo": "compile", "greedy": "refuse", "spill": "overrun"}


def inputs(p, rng):
    return {"x": rng.standard_normal(p.n, "f4"), "y": api.empty(p.n)}


def reference(p, arrays):
    return {"y": arrays["x"].astype("f8")}


def call_ns(config):
    """Every parameter has one best value and the effects multiply; what misbehaves looks tempting."""
    width = {1: 4.0, 8: 1.0}[config.W]
    items = {1: 2.0, 16: 1.0, 64: 1.1}[config.ITEMS]
    depth = {1: 1.5, 2: 1.2, 3: 1.0}[config.DEPTH]
    trick = {"none": 1.0, "stream": 0.8}.get(config.TRICK, 0.3)
    return 1.5e6 * width * items * depth * trick


def plan(problem, config, device):
    recipe = {
        "compute": "copy",
        "call_ns": call_ns(config),
        "noise": 0.002,
        "fault": FAULTS.get(config.TRICK, ""),
        "config": dict(config),
    }
    items = 65536 // (config.W * config.ITEMS)
    launch = Launch("copy", (Array("x"), Array("y")), (items,), (min(16, items),))
    return Program("null", json.dumps(recipe), launches=(launch,))


SPACE = Space(
    (
        Parameter("W", (1, 8), "vectorize"),
        Parameter("ITEMS", (1, 16, 64), "work-per-item"),
        Parameter("DEPTH", (1, 2, 3), "depth"),
        Parameter("TRICK", ("none", "stream", *FAULTS), "trick", ordinal=False),
    ),
    (
        Constraint(
            "tricks that misbehave need W = 1 and DEPTH = 3",
            lambda c: c.TRICK not in FAULTS or (c.W, c.DEPTH) == (1, 3),
            ("W", "DEPTH", "TRICK"),
        ),
    ),
)

api.DEFINED.append(
    Kernel(
        family="fake",
        problem=Problem("fake", Record(n=256)),
        inputs=inputs,
        reference=reference,
        work=lambda p: Work(flops=0, bytes=8 * p.n),
        implementations=(Implementation("null", "null", SPACE, START, plan),),
        awkward=lambda p: (p.replace(n=1), p.replace(n=61)),
        origin=__file__,
    )
)
