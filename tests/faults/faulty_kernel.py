"""A kernel for the fake device whose tempting configurations misbehave, each in its own way and at its own stage.

``HOTLOOP_TRICKS`` names the ones in the space: a comma-separated list of keys of `TRICKS`; all of them by default.
"""

import json
import os

from hotloop import api
from hotloop.model.kernel import Implementation, Kernel
from hotloop.model.problem import Problem, Work
from hotloop.model.program import Array, Launch, Program
from hotloop.model.record import Record
from hotloop.model.space import Config, Constraint, Parameter, Space

START = Config(W=1, DEPTH=1, TRICK="none")
BEST = Config(W=8, DEPTH=3, TRICK="stream")
QUICK = (
    ("compile error", "build", "CompileFailed"),
    ("segfault", "build", "Crashed"),
    ("defect", "build", "Crashed"),
    ("child, then segfault", "build", "Crashed"),
    ("segfault", "execute", "Crashed"),
    ("abort", "execute", "Crashed"),
    ("exit", "execute", "Crashed"),
    ("killed", "execute", "Crashed"),
    ("out of memory", "execute", "LaunchFailed"),
    ("huge allocation", "execute", "LaunchFailed"),
    ("device lost", "execute", "LaunchFailed"),
    ("hang up", "execute", "Crashed"),
    ("garbage", "execute", "Crashed"),
    ("defect", "execute", "Crashed"),
    ("daemon, then segfault", "execute", "Crashed"),
    ("temporary files", "execute", "Crashed"),
    ("segfault", "time", "Crashed"),
    ("device lost", "time", "LaunchFailed"),
    ("killed", "time", "Crashed"),
    ("daemon, then segfault", "time", "Crashed"),
)
SLOW = (
    ("hang", "build", "TimedOut"),
    ("spin", "execute", "TimedOut"),
    ("endless output", "execute", "TimedOut"),
    ("stopped", "execute", "TimedOut"),
    ("tool, then hang", "build", "TimedOut"),
    ("half an answer", "execute", "TimedOut"),
    ("spin", "time", "TimedOut"),
)
"""Faults that last until the limit has passed."""
HARMLESS = (
    ("killed once", "execute", "Measured"),
    ("much output", "execute", "Measured"),
    ("child", "execute", "Measured"),
    ("daemon", "time", "Measured"),
    ("zombies", "execute", "Measured"),
)
"""What must not keep a right result from being right."""
TRICKS = {f"{name} in {stage}": (name, stage, outcome) for name, stage, outcome in (*QUICK, *SLOW, *HARMLESS)}
CHOSEN = tuple(
    name for name in os.environ.get("HOTLOOP_TRICKS", ",".join(n.replace(",", ";") for n in TRICKS)).split(",") if name
)
NAMES = tuple(name.replace(";", ",") for name in CHOSEN)


def inputs(p, rng):
    return {"x": rng.standard_normal(p.n, "f4"), "y": api.empty(p.n)}


def reference(p, arrays):
    return {"y": arrays["x"].astype("f8")}


def call_ns(config):
    """Every parameter has one best value; what misbehaves looks tempting, what is harmless is a little slower."""
    trick = {"none": 1.0, "stream": 0.8}.get(config.TRICK)
    if trick is None:
        trick = 1.2 if TRICKS[config.TRICK][2] == "Measured" else 0.3
    return 1.5e6 * {1: 4.0, 8: 1.0}[config.W] * {1: 1.5, 2: 1.2, 3: 1.0}[config.DEPTH] * trick


def plan(problem, config, device):
    name, stage, _ = TRICKS.get(config.TRICK, ("", "", ""))
    recipe = {
        "compute": "copy",
        "call_ns": call_ns(config),
        "noise": 0.002,
        "plant": name,
        "stage": stage,
        "config": dict(config),
    }
    items = 65536 // config.W
    launch = Launch("copy", (Array("x"), Array("y")), (items,), (min(16, items),))
    return Program("null", json.dumps(recipe), launches=(launch,))


SPACE = Space(
    (
        Parameter("W", (1, 8), "vectorize"),
        Parameter("DEPTH", (1, 2, 3), "depth"),
        Parameter("TRICK", ("none", "stream", *NAMES), "trick", ordinal=False),
    ),
    (
        Constraint(
            "tricks that misbehave need W = 8 and DEPTH = 3",
            lambda c: c.TRICK in ("none", "stream") or (c.W, c.DEPTH) == (8, 3),
            ("W", "DEPTH", "TRICK"),
        ),
    ),
)

api.DEFINED.append(
    Kernel(
        family="faulty",
        problem=Problem("faulty", Record(n=256)),
        inputs=inputs,
        reference=reference,
        work=lambda p: Work(flops=0, bytes=8 * p.n),
        implementations=(Implementation("null", "null", SPACE, START, plan),),
        awkward=lambda p: (p.replace(n=1),),
        origin=__file__,
    )
)
