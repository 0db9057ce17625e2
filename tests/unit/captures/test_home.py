"""Where a changed text stands in the program's own file."""

from hotloop.captures import home
from hotloop.captures.nouns import Captured, Launched

FILE = """import triton
if True:
    @triton.jit
    def f(x):
        y = x + 1
        return y
"""
EXCERPT = """import triton

@triton.jit
def f(x):
    y = x + 1
    return y
"""


def placed(tmp_path, after):
    path = tmp_path / "kernels.py"
    path.write_text(FILE)
    launches = (Launched(grid=(1,), group=None, arguments=()),)
    one = Captured(name="f", entry="f", language="triton", source="f.py", launches=launches, path=str(path))
    return home.home(one, EXCERPT, after)


def test_lines_of_a_function_within_an_if_get_its_margin(tmp_path):
    made = placed(tmp_path, EXCERPT.replace("    y = x + 1\n", "    y = x\n    y += 1\n"))
    assert made.after == FILE.replace("        y = x + 1\n", "        y = x\n        y += 1\n")


def test_added_lines_get_it_too(tmp_path):
    made = placed(tmp_path, EXCERPT.replace("    return y\n", "    return y\n\n\ndef g():\n    pass\n"))
    assert made.after == FILE + "\n\n    def g():\n        pass\n"


def test_a_file_that_has_other_lines_is_no_home(tmp_path):
    assert placed(tmp_path, EXCERPT.replace("x + 1", "x + 2")) is not None
    (tmp_path / "kernels.py").write_text(FILE.replace("x + 1", "x + 3"))
    one = Captured(
        name="f", entry="f", language="triton", source="f.py", path=str(tmp_path / "kernels.py"),
        launches=(Launched(grid=(1,), group=None, arguments=()),),
    )  # fmt: skip
    assert home.home(one, EXCERPT, EXCERPT.replace("x + 1", "x + 2")) is None
