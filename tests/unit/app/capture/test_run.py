"""Where a capture is written."""

from pathlib import Path

import pytest

from hotloop.app.capture.run import Wanted, capture
from hotloop.errors import MachineError


def test_a_folder_that_cannot_be_made_is_the_machines_fault():
    """Exit code 3, as where other verbs cannot write."""
    with pytest.raises(MachineError, match=r"cannot make /dev/null/x: Not a directory; name another folder with --out"):
        capture(Wanted(command=("true",), folder=Path("/dev/null/x")))
