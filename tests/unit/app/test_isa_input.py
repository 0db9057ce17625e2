"""What is told of a compiler's messages."""

import pytest

from hotloop.app.isa_compiled import _first

TRITON = (
    "CompilationError: at 3:26:\ndef twice(x, n):\n    tl.load(x + i)\n            ^\n{reason}\nValueError: {reason}"
)


@pytest.mark.parametrize(
    ("log", "told"),
    [
        ("k.hip:3:1: note: here\nk.hip:4:2: error: no such name 'q'.\n    q\n    ^\n", "k.hip:4:2: error: no such name 'q'"),
        ("k.cl:4:2: error: no such name", "k.cl:4:2: error: no such name"),
        ("something else\nmore", "something else"),
        ("", "no message"),
    ],
)  # fmt: skip
def test_the_first_error_is_told(log, told):
    assert _first(log) == told


def test_triton_gives_place_and_reason():
    assert _first(TRITON.format(reason="x is not defined")) == "CompilationError: at 3:26: x is not defined"


def test_a_guessed_type_is_named_as_such():
    told = _first(TRITON.format(reason="Unsupported ptr type int32 in `tl.load`"))
    assert told.startswith("CompilationError: at 3:26: Unsupported ptr type")
    assert "signature=dict(" in told
