"""Build options that a runtime would read as something else."""

from __future__ import annotations

import pytest

from hotloop.drivers.spelling import quoted
from hotloop.ports import BuildError


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ("-I/home/my kernels", '-I"/home/my kernels"'),
        ("-I/home/kernels", "-I/home/kernels"),
        ('-I"/home/my kernels"', '-I"/home/my kernels"'),
        ("-I /home/kernels", "-I /home/kernels"),
        ("-cl-std=CL2.0 -DX=1", "-cl-std=CL2.0 -DX=1"),
    ],
)
def test_folders_with_a_space_are_put_in_quotation_marks(given: str, taken: str) -> None:
    assert quoted((given,)) == [taken]


def test_a_folder_in_another_encoding_is_refused_in_a_sentence() -> None:
    with pytest.raises(BuildError, match=r"n\\udce4me' is no text in UTF-8; rename the folder"):
        quoted(("-I/n\udce4me",))
