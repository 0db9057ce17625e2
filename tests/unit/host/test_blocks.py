import threading

import pytest

from hotloop.host import blocks


@pytest.mark.parametrize("cores", [1, 16])
def test_blocks_cover_all_in_order(monkeypatch, cores):
    monkeypatch.setattr(blocks, "usable_cores", lambda: cores)
    assert blocks.over(10, lambda start, stop: (start, stop), step=4) == [(0, 4), (4, 8), (8, 10)]
    assert blocks.over(0, lambda start, stop: (start, stop)) == []


def test_with_several_cores_blocks_run_side_by_side(monkeypatch):
    monkeypatch.setattr(blocks, "usable_cores", lambda: 4)
    met = threading.Barrier(2, timeout=20)
    blocks.over(2, lambda *_: met.wait(), step=1)


def test_the_first_error_is_raised(monkeypatch):
    monkeypatch.setattr(blocks, "usable_cores", lambda: 4)

    def fail(start, _):
        if start:
            raise ValueError(start)

    with pytest.raises(ValueError, match="1"):
        blocks.over(3, fail, step=1)
