"""Products on a real runtime: who runs them, and whether what came out is right."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from zlib import crc32

import kept
import pytest
import strata

from hotloop.app import session
from hotloop.app.desk import Desk
from hotloop.app.run.inputs.workload import Workload
from hotloop.errors import MachineError
from hotloop.kernels.gemm import KERNEL
from hotloop.kernels.gemm.problem import DEFAULT
from hotloop.model.kernel import Implementation, Variant
from hotloop.model.problem import Problem
from hotloop.model.space import Config
from hotloop.ports import Executed
from hotloop.verify.cases import Case
from hotloop.verify.judge import judge
from hotloop.verify.poison import PATTERNS

Verdict = Callable[..., str | None]


LIMIT_S = 600.0
"""For one build: lanes of many registers take the optimizer many seconds, on a busy machine minutes, and that is no verdict."""


def opened(name: str) -> Iterator[Desk]:
    try:
        with session.desk(session.Options(device=name, limit_s=LIMIT_S)) as made:
            yield made
    except MachineError as reason:
        pytest.skip(f"no OpenCL runtime {name}: {reason}")


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    yield from opened("")


@pytest.fixture(scope="module")
def pocl() -> Iterator[Desk]:
    yield from opened("pocl")


@pytest.fixture(scope="module")
def kept_engines() -> Iterator[None]:
    """Have the commands of a module share their workers."""
    with pytest.MonkeyPatch.context() as patch, kept.engines(patch):
        yield


@pytest.fixture(scope="module")
def verdict(implementation: Implementation) -> Verdict:
    """Runs a product twice and says why the result is wrong, None when it is right; a module names its `implementation`."""
    own = implementation

    def told(
        desk: Desk,
        problem: Problem,
        config: Config,
        number: int = 0,
        implementation: Implementation = own,
        kind: str = "normal",
        options: tuple[str, ...] = (),
    ) -> str | None:
        workload = Workload(desk.engine, KERNEL, problem, desk.device, seed=number)
        prepared = workload.prepare(Case(problem, kind, number, number % PATTERNS))
        program = Variant(implementation, config).program(problem, desk.device)
        program = replace(program, options=(*program.options, *options))
        runs = [desk.engine.execute(program, prepared.dataset) for _ in range(2)]
        desk.engine.discard(prepared.dataset)
        for ran in runs:
            if not isinstance(ran, Executed):
                return str(ran)
        first, second = (ran.arrays for ran in runs if isinstance(ran, Executed))
        result = judge(KERNEL, prepared.case, prepared.inputs, first, second)
        return None if result.passed else result.reason

    return told


@pytest.fixture(scope="module")
def wrong(verdict: Verdict) -> Callable[..., dict[str, str]]:
    """Runs a configuration on many shapes and gives the reasons of those that are wrong.

    Of `sample` shapes one is compiled with optimization, another one for each configuration, the rest without: where each shape is
    a program of its own that takes five times as long to optimize, and indices, barriers and edges are the same. All are where
    the whole is asked for.
    """

    def told(
        desk: Desk, config: Config, options: dict[str, str], shapes: Sequence[dict[str, float]], sample: int = 1
    ) -> dict[str, str]:
        found = {}
        turn = crc32(f"{config} {options}".encode())
        for number, sizes in enumerate(shapes):
            problem = DEFAULT.replace(**options).replace(**sizes)
            lacking = {"float16": not desk.device.fp16, "float64": not desk.device.fp64}
            if lacking.get(str(problem.dtype)):
                assert desk.device.runtime_key != "intel", "Intel's runtime has every type"
                pytest.skip(f"{desk.device.name} has no {problem.dtype}")
            plain = () if strata.WHOLE or (number + turn) % sample == 0 else ("-cl-opt-disable",)
            if reason := verdict(desk, problem, config, number, options=plain):
                found[str(sizes)] = reason
        return found

    return told
