"""The skinny OpenCL GEMM on a real runtime: either long operand, along k and across it, types, strides, epilogues, slices, edges."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hotloop.app import session
from hotloop.app.desk import Desk
from hotloop.app.workload import Workload
from hotloop.errors import MachineError
from hotloop.kernels.gemm import KERNEL
from hotloop.kernels.gemm.problem import DEFAULT
from hotloop.kernels.gemm.skinny import SKINNY, START
from hotloop.model.kernel import Implementation, Variant
from hotloop.model.problem import Problem
from hotloop.model.space import Config
from hotloop.ports import Executed
from hotloop.verify.cases import Case
from hotloop.verify.judge import judge
from hotloop.verify.poison import PATTERNS

VECTORS = START.replace(ODIM=4, KDIM=8, OWI=2, VW=4, KUNROLL=2)
CONFIGS = {
    "start": START,
    "vectors": VECTORS,
    "wide-vectors": START.replace(ODIM=2, KDIM=4, VW=8, FEW=2, KUNROLL=4),
    "pairs": START.replace(ODIM=16, KDIM=2, VW=2, OWI=4, FEW=4),
    "alone": START.replace(ODIM=16, KDIM=1, FEW=4, KUNROLL=4, VW=4),
    "one-output": START.replace(ODIM=1, KDIM=64, VW=4),
    "slices": VECTORS.replace(SPLIT=3, FEW=2),
    "arriving": VECTORS.replace(SPLIT=4, ARRIVE=1, FEW=4),
    "many-slices": START.replace(ODIM=4, KDIM=4, VW=4, SPLIT=64, ARRIVE=1),
    "slices-of-elements": START.replace(SPLIT=2, VW=1, KUNROLL=4),
}
OPTIONS: tuple[dict[str, str], ...] = (
    {"op": "nn"},
    {"op": "nt", "layout": "col", "epilogue": "bias"},
    {"op": "tn", "dtype": "float64"},
    {"op": "tt", "layout": "col", "dtype": "float16", "epilogue": "bias-relu"},
)
SHAPES: tuple[dict[str, float], ...] = (
    {"m": 128, "n": 1, "k": 256},
    {"m": 1, "n": 128, "k": 256},
    {"m": 1, "n": 1, "k": 1, "beta": 1.0},
    {"m": 1, "n": 131, "k": 77, "beta": 0.5},
    {"m": 67, "n": 1, "k": 71, "alpha": -1.5, "beta": 0.5, "offset_b": 4},
    {"m": 68, "n": 3, "k": 40, "beta": -1.0},
    {"m": 5, "n": 132, "k": 36, "lda": 48, "ldb": 136, "ldc": 140, "offset_a": 8},
    {"m": 37, "n": 53, "k": 29},
    {"m": 20, "n": 2, "k": 0, "beta": 2.0},
    {"m": 0, "n": 5, "k": 5},
    {"m": 3, "n": 33, "k": 10, "alpha": 0.0},
    {"m": 3, "n": 2, "k": 301},
    {"m": 45, "n": 2, "k": 23, "beta": 1.0, "lda": 48, "ldb": 50, "ldc": 46, "offset_a": 3, "offset_b": 17, "offset_c": 5},
    {"m": 2, "n": 98, "k": 32, "lda": 88, "ldb": 100, "ldc": 101},
)  # fmt: skip


def opened(name: str) -> Iterator[Desk]:
    try:
        with session.desk(session.Options(device=name)) as made:
            yield made
    except MachineError as reason:
        pytest.skip(f"no OpenCL runtime {name}: {reason}")


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    yield from opened("")


@pytest.fixture(scope="module")
def pocl() -> Iterator[Desk]:
    yield from opened("pocl")


def verdict(
    desk: Desk, problem: Problem, config: Config, number: int = 0, implementation: Implementation = SKINNY
) -> str | None:
    """Run twice and return why the result is wrong, None when it is right."""
    workload = Workload(desk.engine, KERNEL, problem, desk.device, seed=number)
    prepared = workload.prepare(Case(problem, "normal", number, number % PATTERNS))
    program = Variant(implementation, config).program(problem, desk.device)
    runs = [desk.engine.execute(program, prepared.dataset) for _ in range(2)]
    desk.engine.discard(prepared.dataset)
    for ran in runs:
        if not isinstance(ran, Executed):
            return str(ran)
    first, second = (ran.arrays for ran in runs if isinstance(ran, Executed))
    result = judge(KERNEL, prepared.case, prepared.inputs, first, second)
    return None if result.passed else result.reason


def wrong(desk: Desk, config: Config, options: dict[str, str]) -> dict[str, str]:
    found = {}
    for number, sizes in enumerate(SHAPES):
        problem = DEFAULT.replace(**options).replace(**sizes)
        lacking = {"float16": not desk.device.fp16, "float64": not desk.device.fp64}
        if lacking.get(str(problem.dtype)):
            pytest.skip(f"{desk.device.name} has no {problem.dtype}")
        if reason := verdict(desk, problem, config, number):
            found[str(sizes)] = reason
    return found


GRID = [
    (name, options)
    for number, name in enumerate(CONFIGS)
    for options in (OPTIONS[number % 4], OPTIONS[(number + 2) % 4])
]


@pytest.mark.parametrize(("name", "options"), GRID, ids=lambda x: x if isinstance(x, str) else " ".join(x.values()))
def test_grid(desk: Desk, name: str, options: dict[str, str]) -> None:
    assert not wrong(desk, CONFIGS[name], options)
