"""Limits from a file: read, overruled by options, and refused."""

import pytest

from hotloop.app.code.gate import limits_of
from hotloop.errors import UsageError
from hotloop.isa.summary.limits import Limits, merged


def test_limits_file_and_options_over_it(tmp_path):
    file = tmp_path / "limits.toml"
    file.write_text("[limits]\nmax-vgpr = 128\nno-spills = true\n")
    assert limits_of(file) == Limits(max_vgpr=128, max_spills=0)
    assert merged(limits_of(file), Limits(max_vgpr=96, min_occupancy=4)) == Limits(
        max_vgpr=96, max_spills=0, min_occupancy=4
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("max-vgprs = 1", "no limit"),
        ("max-vgpr = 'x'", "must be a number"),
        ("max-vgpr = true", "number"),
        ("= 1", "no TOML"),
    ],
)
def test_limits_file_with_mistakes(tmp_path, text, words):
    file = tmp_path / "limits.toml"
    file.write_text(text)
    with pytest.raises(UsageError, match=words):
        limits_of(file)


def test_limits_file_that_is_not_there(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        limits_of(tmp_path / "none.toml")
