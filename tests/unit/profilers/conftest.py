"""Files of profilers, written by hand or generated; every test may say what a file holds."""

import pytest


@pytest.fixture
def write(tmp_path):
    """Write a file and return its path."""

    def written(name, content):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return written
