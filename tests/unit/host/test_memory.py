import gc
import resource

import numpy as np
import pytest

from hotloop.host import memory


def test_more_than_there_is_fails_at_once_and_the_limit_goes_away():
    before = resource.getrlimit(resource.RLIMIT_AS)
    available = memory.available_bytes()
    if available is None:
        pytest.skip("this system does not tell how much memory it has")
    with memory.limited(), pytest.raises(MemoryError):
        np.empty(2 * available, np.uint8)
    assert resource.getrlimit(resource.RLIMIT_AS) == before


def test_what_fits_is_not_hindered():
    with memory.limited():
        assert np.ones(1 << 20).sum() == 1 << 20


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """Return a function that makes up what the system says."""
    monkeypatch.setattr(memory, "_MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr(memory, "_GROUP", tmp_path)

    def says(**files):
        for name, text in files.items():
            (tmp_path / name.replace("_", ".")).write_text(text)

    return says


def test_the_smaller_of_system_and_control_group_counts(machine):
    assert memory.available_bytes() is None
    machine(meminfo="MemTotal: 9000 kB\nMemAvailable: 4096 kB\n")
    assert memory.available_bytes() == 4096 * 1024
    machine(memory_max="1000000\n", memory_current="900000\n", memory_stat="anon 5\ninactive_file 50000\n")
    assert memory.available_bytes() == 150_000
    machine(memory_max="max\n")
    assert memory.available_bytes() == 4096 * 1024


def test_without_knowledge_there_is_no_limit(machine):
    before = resource.getrlimit(resource.RLIMIT_AS)
    with memory.limited():
        assert resource.getrlimit(resource.RLIMIT_AS) == before


def test_a_settled_loop_leaves_the_collector_as_it_was():
    def loop() -> None:
        with memory.settled():
            assert gc.get_freeze_count() > 0
            raise ValueError("inside")

    with pytest.raises(ValueError, match="inside"):
        loop()
    assert gc.get_freeze_count() == 0


@pytest.mark.parametrize(
    ("limit", "told"),
    [(resource.RLIM_INFINITY, ""), (1 << 40, ""), (300_000 << 10, "limited to 292 MiB by ulimit -v")],
)
def test_an_address_space_in_which_no_runtime_starts_is_told(monkeypatch, limit, told):
    monkeypatch.setattr(resource, "getrlimit", lambda which: (limit, limit))
    assert told in memory.narrow()
    assert bool(memory.narrow()) == bool(told)
