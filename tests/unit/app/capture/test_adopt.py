"""Adoption files."""

import pytest

from hotloop.app.capture import adopt
from hotloop.errors import MachineError


def test_a_file_that_cannot_be_written_is_the_machines_matter(tmp_path):
    with pytest.raises(MachineError, match="cannot write .*: No such file or directory; choose another path") as raised:
        adopt.write([], tmp_path / "missing" / "faster.json")
    assert raised.value.exit_code == 3
