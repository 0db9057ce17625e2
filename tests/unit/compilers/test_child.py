"""Kernels of a Triton file that cannot be reached, and what texts of the command line mean."""

import pytest

from hotloop.compilers.child import _CONSTANTS, _within

TEXT = """def build():
    def kernel(x):
        return x

    return kernel


class Holder:
    def method(self):
        pass


def outside():
    pass
"""


@pytest.mark.parametrize(
    ("name", "holder"), [("kernel", "build"), ("method", "Holder"), ("outside", ""), ("build", ""), ("absent", "")]
)
def test_the_function_that_makes_a_kernel_is_named(tmp_path, name, holder):
    (tmp_path / "k.py").write_text(TEXT)
    assert _within(tmp_path / "k.py", name) == holder


def test_python_constants_are_no_texts():
    assert [_CONSTANTS.get(value, value) for value in ("True", "False", "None", "mean", 1)] == [
        True, False, None, "mean", 1,
    ]  # fmt: skip
