"""Formats as plug-ins offer them."""

from __future__ import annotations

import pytest

from hotloop.profilers.detect import formats
from hotloop.profilers.format import Reader


@pytest.mark.parametrize("reader", [f.read for f in formats() if isinstance(f.read, Reader)], ids=str)
def test_every_reader_is_there(reader):
    assert callable(reader.load())
