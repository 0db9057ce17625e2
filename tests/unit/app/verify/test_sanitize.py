"""What a simulator that could run nothing says: nothing, which is no failure of the kernel where nobody asked for it."""

import pytest

from hotloop.app.verify.sanitize import SanitizeAnswer


@pytest.mark.parametrize(
    ("answer", "silent", "passed"),
    [
        (SanitizeAnswer((), ()), True, False),
        (SanitizeAnswer((), ("p",)), False, True),
        (SanitizeAnswer((), (), ("p: it did not run",)), False, False),
        (SanitizeAnswer((), ("p",), ("p: wrong",)), False, False),
    ],
)
def test_only_what_ran_says_something(answer, silent, passed):
    assert (answer.silent, answer.passed) == (silent, passed)
