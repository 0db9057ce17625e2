from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import kept
import pytest

from hotloop.app import session
from hotloop.app.events import Silent
from hotloop.app.verify import sanitize
from hotloop.errors import MachineError
from hotloop.host import oclgrind
from hotloop.model.kernel import Kernel, Variant
from hotloop.model.problem import Problem

Simulate = Callable[..., sanitize.SanitizeAnswer]


@pytest.fixture(scope="module")
def simulator() -> None:
    """Skip where the simulator of OpenCL devices is not installed."""
    pytest.importorskip("pyopencl")
    try:
        oclgrind.library()
    except MachineError as reason:
        pytest.skip(str(reason))


@pytest.fixture
def simulate(simulator: None, monkeypatch: pytest.MonkeyPatch) -> Simulate:
    """Run a variant on all given problems in one simulator for each check, for starting one costs more than a problem.

    Accesses out of bounds show under either check: a test that plants one bug needs one of them.
    """

    def run(
        kernel: Kernel, variant: Variant, problems: Sequence[Problem], checks: tuple[str, ...] = oclgrind.CHECKS
    ) -> sanitize.SanitizeAnswer:
        monkeypatch.setattr(oclgrind, "CHECKS", checks)
        monkeypatch.setattr(sanitize, "MOST_PROBLEMS", len(problems))
        alone = replace(kernel, awkward=lambda _: tuple(problems[1:]))
        answer = sanitize.sanitize(alone, variant, problems[0], session.Options(limit_s=120), Silent())
        assert set(answer.problems) == {problem.key for problem in problems}
        return answer

    return run


@pytest.fixture(scope="module")
def kept_engines() -> Iterator[None]:
    """Have the commands of a module share their workers."""
    with pytest.MonkeyPatch.context() as patch, kept.engines(patch):
        yield
