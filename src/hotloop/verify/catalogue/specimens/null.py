"""A copy in NumPy on the fake device, whose faults are planted by name: the isolation of the worker is tested too."""

from __future__ import annotations

import json

from hotloop.model.kernel import Empty, Implementation, Kernel
from hotloop.model.problem import Problem, Work
from hotloop.model.program import Array, Launch, Program
from hotloop.model.record import Record
from hotloop.model.space import Config, Space
from hotloop.verify.catalogue.build import normal, wide
from hotloop.verify.catalogue.mutant import Edit, Mutant, Specimen

_HEALTHY = '"fault": ""'


def _plan(problem: Problem, _config: Config, _device: object) -> Program:
    recipe = {"compute": "copy", "call_ns": 1e5, "noise": 0.001, "fault": ""}
    launch = Launch("copy", (Array("x"), Array("y")), (problem.integer("n"),))
    return Program("null", json.dumps(recipe), launches=(launch,))


def _fault(name: str, kind: str, bug: str) -> Mutant:
    return Mutant(name=name, kind=kind, bug=bug, edits=(Edit(_HEALTHY, f'"fault": "{name}"'),))


SPECIMEN = Specimen(
    name="null",
    language="null",
    kernel=Kernel(
        family="null-copy",
        problem=Problem("null-copy", Record(n=1024)),
        inputs=lambda p, rng: {"x": normal(rng, p.integer("n")), "y": Empty((p.integer("n"),))},
        reference=lambda _p, arrays: {"y": wide(arrays, "x")},
        work=lambda _p: Work(0.0, 1.0),
        implementations=(Implementation("null", "null", Space(()), Config(), _plan),),
        awkward=lambda p: (p.replace(n=1), p.replace(n=61)),
    ),
    mutants=(
        _fault("wrong", "precision", "results are 1 % too large"),
        _fault("silent", "stale-output", "nothing is written"),
        _fault("overrun", "overrun", "a byte behind the output is changed"),
        _fault("mutate", "input-changed", "an input is changed"),
        _fault("refuse", "crash", "the runtime refuses the launch"),
        _fault("crash", "crash", "the process dies by a signal"),
    ),
)
