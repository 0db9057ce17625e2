"""Which programs a full verification compiles before they are needed, and how long it is expected to wait for them."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from hotloop.app import userfile
from hotloop.app.code import offline
from hotloop.app.run import foresight
from hotloop.app.run.inputs.sizes import least_bytes
from hotloop.app.run.inputs.workload import Workload
from hotloop.model.kernel import Variant
from hotloop.model.outcome import Artifact
from hotloop.model.program import Input, Launch, Program
from hotloop.targets.target import Target
from hotloop.verify.cases import declared

EXAMPLES = Path(__file__).parents[4] / "examples"

CASES = {"quick": ("own", "small"), "full": ("own", "own", "small", "odd", "flat", "none", "numbered", "endless")}


def program(problem, *arguments):
    return Program("triton", f"def {problem}(): ...", (), (Launch(problem, arguments, (1,), (1,)),))


@dataclass
class Engine:
    begun: list = field(default_factory=list)

    def ahead(self, programs):
        self.begun += [each.source for each in programs]

    def warm(self, language):
        self.begun.append(language)

    def build(self, built):
        assert "own" in built.source
        return Artifact("key", 3e9)


def plan(problem, _device):
    assert problem != "endless", "planning it would draw for minutes"
    if problem == "none":
        raise ValueError("it does not apply")
    return program(problem, *([Input("n", "int32")] if problem == "numbered" else []))


SUBJECT = SimpleNamespace(plan=plan)
WORKLOAD = SimpleNamespace(
    cases=lambda level, _seed: [SimpleNamespace(problem=each) for each in CASES[level]],
    light=lambda case: case.problem != "endless",
)


def desk(kind):
    return SimpleNamespace(device=SimpleNamespace(kind=kind), engine=Engine(), seed=1)


def test_all_problems_compile_at_once_but_those_that_need_numbers():
    gpu, cpu = desk("gpu"), desk("cpu")
    for each in (gpu, cpu):
        foresight.begin(each, WORKLOAD, SUBJECT)
    assert gpu.engine.begun == [f"def {name}(): ..." for name in ("own", "small", "odd", "flat")]
    assert not cpu.engine.begun


@pytest.mark.parametrize(("cores", "rounds"), [(16, 1), (1, 2)])
def test_what_was_not_compiled_yet_is_waited_for_in_rounds_of_all_cores(monkeypatch, cores, rounds):
    monkeypatch.setattr(foresight, "usable_cores", lambda: cores)
    assert foresight.building_s(desk("gpu"), WORKLOAD, SUBJECT) == pytest.approx(foresight.BESIDE * rounds * 3.0)
    assert foresight.building_s(desk("cpu"), WORKLOAD, SUBJECT) == 0.0


def test_a_baseline_compiles_early_only_where_that_leaves_the_gpu_alone(monkeypatch):
    begun, gpu = [], desk("gpu")
    monkeypatch.setattr(foresight, "begin", lambda *given: begun.append(given[-1]))
    workload = SimpleNamespace(subject=lambda _variant: SUBJECT)
    for language in ("gluon", "triton", "cuda"):
        foresight.start(gpu, workload, SimpleNamespace(implementation=SimpleNamespace(language=language)))
    assert begun == ["quick", "quick"]
    assert gpu.engine.begun == ["gluon", "triton"]
    foresight.warm(gpu, "cuda", opening=True)
    assert gpu.engine.begun[2:] == ["cuda"]


def test_on_a_gpu_the_next_moves_compile_while_the_first_is_tried():
    variants = [SimpleNamespace(number=n, implementation=SimpleNamespace(language="gluon")) for n in range(5)]
    for kind, begun in (("gpu", ["def move0(): ...", "def move1(): ...", "def move2(): ..."]), ("cpu", [])):
        at = desk(kind)
        moves = [SimpleNamespace(variant=variant) for variant in variants]
        foresight.soon(at, lambda variant: [program(f"move{variant.number}")], moves)
        assert at.engine.begun == begun


@pytest.mark.parametrize("example", ["layernorm", "softmax_triton"])
def test_planning_ahead_draws_no_more_than_the_file_names(example):
    """A plan of a kernel file learns its arguments from inputs; at a made-up size these can take minutes."""
    device, drawn = offline.device_for(Target.named("sm_90")), []
    kernel = userfile.find(str(EXAMPLES / f"{example}.py"))
    problem = userfile.problem_of(kernel, "rows=64,columns=64")
    made = Workload(Engine(), kernel, problem, device)
    listed = max(least_bytes(kernel, case.problem) for case in declared(made.cases("full", 1)))
    implementation = kernel.implementations[0]

    def plan(at, config, device):
        drawn.append(least_bytes(kernel, at))
        raise ValueError("noted")

    variant = Variant(replace(implementation, plan=plan), implementation.start)
    foresight.begin(SimpleNamespace(device=device, engine=Engine(), seed=1), made, made.subject(variant))
    assert len(drawn) > 10
    assert max(drawn) <= max(listed, 2**20)
