from pathlib import Path

import pytest

from hotloop.errors import MachineError
from hotloop.host.meters import rapl
from hotloop.model.energy import Unmetered

RANGE_UJ = 262_143_328_850
"""As many Intel processors have it."""


@pytest.fixture
def tree(tmp_path):
    """A machine with two sockets, the second with counted memory, as powercap lays it out."""
    zones = {
        "intel-rapl:0": "package-0",
        "intel-rapl:0:0": "core",
        "intel-rapl:1": "package-1",
        "intel-rapl:1:0": "dram",
        "intel-rapl:2": "psys",
        "intel-rapl-mmio:0": "package-0",
    }
    for folder, name in zones.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "name").write_text(f"{name}\n")
        (tmp_path / folder / "max_energy_range_uj").write_text(f"{RANGE_UJ}\n")
        (tmp_path / folder / "energy_uj").write_text("1000\n")
    (tmp_path / "intel-rapl").mkdir()  # the control type itself
    return tmp_path


def count(tree, zone, microjoules):
    (tree / zone / "energy_uj").write_text(f"{microjoules}\n")


def test_packages_and_memory_apart_count_once(tree):
    meter = rapl.meter(tree)
    assert meter.source == "RAPL package-0, package-1, dram of package-1"
    assert meter.joules() == 0
    for zone in tree.iterdir():
        if (zone / "energy_uj").exists():
            count(tree, zone.name, 2_001_000)
    assert meter.joules() == pytest.approx(3 * 2.0)  # neither core nor psys nor the second way to package-0


def test_a_counter_that_begins_anew(tree):
    count(tree, "intel-rapl:0", RANGE_UJ - 400_000)
    meter = rapl.meter(tree)
    count(tree, "intel-rapl:0", 599_999)
    assert meter.joules() == pytest.approx(1.0)
    count(tree, "intel-rapl:0", 99_999)  # once more: nobody looked for nearly a whole range
    assert meter.joules() == pytest.approx(1.0 + 1e-6 * (RANGE_UJ + 1 - 500_000))


def test_the_setting_names_another_folder(tree, monkeypatch):
    monkeypatch.setenv("HOTLOOP_POWERCAP", str(tree))
    assert not isinstance(rapl.meter(), Unmetered)


def test_machines_without_counters(tmp_path):
    found = rapl.meter(tmp_path / "none")
    assert isinstance(found, Unmetered)
    assert (
        found.reason
        == f"this machine shows no energy counter of its processors: {tmp_path}/none has no RAPL package, as in most virtual machines"
    )


def test_who_may_not_read_is_told_what_to_do(tree, monkeypatch):
    real = Path.read_text

    def refuse(path, *args, **kwargs):
        if path.name == "energy_uj":
            raise PermissionError(13, "Permission denied")
        return real(path, *args, **kwargs)

    monkeypatch.setattr(Path, "read_text", refuse)
    found = rapl.meter(tree)
    assert isinstance(found, Unmetered)
    assert found.reason.endswith(f"sudo chmod a+r {tree}/intel-rapl:*/energy_uj")


def test_files_that_are_no_counters(tree):
    (tree / "intel-rapl:0" / "energy_uj").write_text("many\n")
    found = rapl.meter(tree)
    assert isinstance(found, Unmetered)
    assert "cannot be read" in found.reason


def test_a_counter_that_goes_away(tree):
    meter = rapl.meter(tree)
    (tree / "intel-rapl:1" / "energy_uj").unlink()
    with pytest.raises(MachineError, match="RAPL package-0, package-1, dram of package-1 cannot be read any more"):
        meter.joules()
