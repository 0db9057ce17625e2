"""Commands as typed, in this process."""

from __future__ import annotations

import pytest

from hotloop.cli.main import main


def run(*arguments) -> int:
    """Return the exit code of a command."""
    with pytest.raises(SystemExit) as left:
        main([str(one) for one in arguments])
    return left.value.code
