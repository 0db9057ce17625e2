"""Python files that are programs: told without running them."""

import pytest

from hotloop.app.code import analysis
from hotloop.app.code.analysis import analyse
from hotloop.app.code.program import is_program
from hotloop.app.explain.answer import Request, explain
from hotloop.errors import UsageError


@pytest.mark.parametrize("text", ["import os\nprint(os.getpid())", "import torch\nfrom numpy import ones\n", "x = 1\n"])
def test_a_file_without_a_maker_of_kernels_is_a_program(tmp_path, text):
    path = tmp_path / "n.py"
    path.write_text(text)
    assert is_program(path)


@pytest.mark.parametrize(
    "text",
    [
        "from hotloop import kernel as hl",
        "def f():\n    import triton\n",
        "from .mine import *",
        "import mine",
        "def f(:",
    ],
)
def test_what_may_define_one_is_none(tmp_path, text):
    (tmp_path / "mine.py").write_text("import hotloop")
    path = tmp_path / "n.py"
    path.write_text(text)
    assert not is_program(path)


@pytest.mark.parametrize(
    "asked", [lambda text: explain(Request(inputs=(text,))), lambda text: analyse(analysis.Request(text=text)),
              lambda text: analyse(analysis.Request(text=f"{text}:kernel", target="gfx942"))], ids=["explain", "isa", "isa for a GPU"],
)  # fmt: skip
def test_a_program_is_refused_before_it_runs(tmp_path, asked):
    path = tmp_path / "n.py"
    path.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    with pytest.raises(UsageError, match="defines no kernel, and was not run"):
        asked(str(path))
    assert not (tmp_path / "ran").exists()
