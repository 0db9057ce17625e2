from __future__ import annotations

import pytest

from hotloop.errors import MachineError
from hotloop.host import oclgrind


@pytest.fixture(scope="module")
def simulator() -> None:
    """Skip where the simulator of OpenCL devices is not installed."""
    pytest.importorskip("pyopencl")
    try:
        oclgrind.library()
    except MachineError as reason:
        pytest.skip(str(reason))
