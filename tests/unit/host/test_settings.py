from datetime import datetime

from hotloop.host import settings
from hotloop.host.clock import SystemClock


def test_settings_are_read_when_they_are_asked_for(monkeypatch):
    monkeypatch.delenv("HOTLOOP_DEVICE", raising=False)
    assert settings.DEVICE.get() == ""
    monkeypatch.setenv("HOTLOOP_DEVICE", "pocl")
    assert settings.DEVICE.get() == "pocl"


def test_every_setting_says_what_it_is_for():
    assert all(setting.doc and setting.name.isupper() for setting in settings.ALL)
    assert len({setting.name for setting in settings.ALL}) == len(settings.ALL)


def test_the_machine_tells_its_load_and_cores(monkeypatch):
    assert settings.usable_cores() >= 1
    assert settings.load_average() >= 0

    def absent():
        raise OSError

    monkeypatch.setattr("os.getloadavg", absent)
    assert settings.load_average() is None


def test_the_clock_is_the_systems():
    clock = SystemClock()
    assert clock.monotonic_s() <= clock.monotonic_s()
    assert datetime.fromisoformat(clock.utc()).utcoffset().total_seconds() == 0
