"""What `tune` does with several shapes, and with a budget that ends before it begins."""

import builtins
import time
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from hotloop.app.run import climb
from hotloop.cli import output
from hotloop.cli.main import INTERRUPTED, hotloop
from hotloop.errors import SpentError
from hotloop.host import clock


def test_ctrl_c_ends_all_shapes(monkeypatch):
    """The next one began, and asked for another Ctrl-C."""
    asked = []

    def stopped(request, _listener):
        asked.append(request.problem.key)
        return SimpleNamespace(state="interrupted", steps=())

    monkeypatch.setattr(climb, "run", stopped)
    monkeypatch.setattr(output, "run", lambda *_, **__: None)
    shapes = ["--shape", "8x8x8", "--shape", "16x16x16"]
    ended = CliRunner().invoke(hotloop, ["tune", "gemm", *shapes, "--quiet"], standalone_mode=False)
    assert ended.return_value == INTERRUPTED
    assert len(asked) == 1


@pytest.mark.parametrize("verb", ["tune", "optimize"])
def test_a_budget_that_ends_while_modules_are_loaded_is_kept(verb, monkeypatch):
    """A busy machine took 25 s to import what a run of 20 s needs."""
    monkeypatch.setattr(clock, "command_s", lambda: time.monotonic() - 60.0)
    importing, ended = builtins.__import__, []

    def slow(name, *rest):
        if name == "hotloop.app.run":
            time.sleep(3.0)
            ended.append(name)
        return importing(name, *rest)

    monkeypatch.setattr(builtins, "__import__", slow)
    left = CliRunner().invoke(hotloop, [verb, "gemm", "--budget", "20", "--quiet"], standalone_mode=False)
    assert isinstance(left.exception, SpentError)
    assert "ended while the run was still starting" in str(left.exception)
    assert not ended
