"""One desk for all tests of a module: a worker starts once, and PyTorch and Triton with it, which takes longer than a check."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from hotloop.app import spec, userfile
from hotloop.app.desk import Desk
from hotloop.app.run import faceoff
from hotloop.app.run.inputs.workload import Workload
from hotloop.app.session import Options, desk
from hotloop.errors import MachineError
from hotloop.model.outcome import describe
from hotloop.verify.cases import Level

MOST_CHARACTERS = 2000


LIMIT_S = 150.0
"""Of a compilation: the first ones of a machine wait for its disk, too, and many tests compile side by side."""


class AtOnce:
    """Prints why a test of this folder failed when it has: what is told at the end is lost when a lent device is taken away."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        told = self.config.pluginmanager.get_plugin("terminalreporter")
        if report.failed and told is not None and report.nodeid.startswith("tests/device/"):
            told.write_line(f"\n{report.nodeid}: {report.longreprtext[-MOST_CHARACTERS:]}")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(AtOnce(config))


@cache
def _share_cores() -> None:
    """Keep a test process beside others (pytest-xdist) on its part of the cores: each has compilers for all cores that it sees.

    Six processes with a compiler for each of 16 cores started 78 of them, and builds ran into their limit. Only where such a test runs: other
    tests of the process would see fewer cores than the machine has.
    """
    number, count = (os.environ.get(name, "") for name in ("PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT"))
    if number.startswith("gw") and count.isdigit() and hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        mine = cores[int(number[2:]) % len(cores) :: int(count)]
        os.sched_setaffinity(0, mine or cores)


@pytest.fixture(scope="module")
def made(request: pytest.FixtureRequest) -> Iterator[Desk]:
    """The desk, on the device of the module's `LANGUAGE`, and of its `DEVICE` where it names one."""
    _share_cores()
    try:
        language, device = request.module.LANGUAGE, getattr(request.module, "DEVICE", "")
        with desk(Options(language=language, device=device, limit_s=LIMIT_S)) as opened:
            yield opened
    except MachineError as reason:
        pytest.skip(str(reason))


@pytest.fixture
def checked(made: Desk) -> Callable[..., None]:
    """Asserts that a variant, written as for ``hotloop check``, is right on a shape."""

    def told(text: str, shape: str, level: Level = "quick") -> None:
        asked = spec.parse(text)
        problem = userfile.problem_of(asked.kernel, shape)
        workload = Workload(made.engine, asked.kernel, problem, made.device, made.seed)
        try:
            found = faceoff.checked(made, workload, asked.variant(problem, made.device, None), level)
        finally:
            workload.discard()
        assert found.passed, f"{text} on {shape}: {found.answer if found.passed else describe(found.answer)}"

    return told
