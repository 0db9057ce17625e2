"""A kernel for the fake device whose launches take real time and no processor: many devices of this kind fit on one machine."""

import json
import os

from hotloop import api
from hotloop.model.kernel import Implementation, Kernel
from hotloop.model.problem import Problem, Work
from hotloop.model.program import Array, Launch, Program
from hotloop.model.record import Record
from hotloop.model.space import Config, Parameter, Space

BUSY_S = float(os.environ.get("SLEEPING_BUSY_S", "0.02"))
"""Real time of a launch."""
SPACE = Space(tuple(Parameter(name, tuple(range(1, 13))) for name in ("A", "B", "C")))


def inputs(p, rng):
    return {"x": rng.standard_normal(p.n, "f4"), "y": api.empty(p.n)}


def reference(p, arrays):
    return {"y": arrays["x"].astype("f8")}


def plan(problem, config, device):
    """Each parameter has one best value; the virtual time of a call says how far a configuration is from them."""
    away = sum(abs(config[name] - best) for name, best in (("A", 7), ("B", 4), ("C", 10)))
    recipe = {"compute": "copy", "call_ns": 8e6 * 1.05**away, "noise": 0.002, "busy_s": BUSY_S, "config": dict(config)}
    return Program("null", json.dumps(recipe), launches=(Launch("copy", (Array("x"), Array("y")), (64,), (16,)),))


api.DEFINED.append(
    Kernel(
        family="sleeping",
        problem=Problem("sleeping", Record(n=256)),
        inputs=inputs,
        reference=reference,
        work=lambda p: Work(flops=0, bytes=8 * p.n),
        implementations=(Implementation("null", "null", SPACE, Config(A=1, B=1, C=1), plan),),
        awkward=lambda p: (p.replace(n=1),),
        origin=__file__,
    )
)
