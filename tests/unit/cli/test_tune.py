"""What `tune` does with several shapes."""

from types import SimpleNamespace

from click.testing import CliRunner

from hotloop.app.run import climb
from hotloop.cli import output
from hotloop.cli.main import INTERRUPTED, hotloop


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
