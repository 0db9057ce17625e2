"""Windows of energy on a device whose true energy is known, with counters that show it late and in steps."""

import random
from dataclasses import dataclass, field

import pytest

from hotloop.engine import metered
from hotloop.errors import MachineError
from hotloop.model.device import Device
from hotloop.model.energy import Unmetered
from hotloop.model.outcome import Sample


@dataclass
class Fake:
    """A device that takes `power_w` in calls of `call_s`, and a counter that moves every `period_s`."""

    power_w: float = 300.0
    call_s: float = 0.004
    period_s: float | None = 0.02
    source: str = "a fake"
    resolution_j: float = 1e-3
    overhead_s: float = 0.0
    now_s: float = 0.0
    calls: list[int] = field(default_factory=list)
    stuck_after_s: float = float("inf")
    begun_s: float = 0.0

    def joules(self):
        seen_s = min(self.now_s, self.stuck_after_s) - self.begun_s
        steps = seen_s // self.step_s
        return round(self.power_w * steps * self.step_s, 3)

    @property
    def step_s(self):
        return self.period_s or 0.02

    def now_ns(self):
        return round(1e9 * self.now_s)

    def batch(self, done):
        assert done == sum(self.calls)
        self.calls.append(3)
        spent_s = 3 * self.call_s
        self.now_s += spent_s + self.overhead_s
        return Sample(wall_ns=1e9 * spent_s, calls=3, device_ns=0.9e9 * spent_s, cpu_ns=1e6)

    def rest(self, seconds):
        self.now_s += seconds


@pytest.mark.parametrize("seed", range(40))
def test_the_error_is_within_what_the_sample_says(seed):
    draw = random.Random(seed)
    fake = Fake(
        power_w=draw.uniform(10, 900),
        period_s=10 ** draw.uniform(-3, -0.5),
        now_s=draw.uniform(0, 10),
        begun_s=-draw.uniform(0, 1),
    )
    watch = metered.Watch(fake, fake.period_s)
    fake.call_s = 1e-9 * watch.batch_ns / 3 * 10 ** draw.uniform(-1, 2)  # batches are chosen; calls may be longer
    sample = metered.window(watch, fake.batch, fake.now_ns)
    true_j = fake.power_w * fake.call_s * sample.calls
    assert abs(sample.energy_j - true_j) <= sample.energy_error_j + 1e-9 * true_j
    assert sample.wall_ns >= 0.9e9 * watch.window_s
    assert sample.device_ns == pytest.approx(0.9 * sample.wall_ns)
    if 3 * fake.call_s <= 1e-9 * watch.batch_ns:
        assert sample.energy_error_j <= 0.02 * true_j + 2e-3  # ten batches in each of six steps


def test_the_lead_does_not_count():
    fake = Fake()
    sample = metered.window(metered.Watch(fake, 0.02), fake.batch, fake.now_ns)
    assert sample.calls < sum(fake.calls)


def test_a_counter_that_stops_is_no_zero():
    fake = Fake(stuck_after_s=0.05)
    with pytest.raises(MachineError, match="the counter a fake stopped moving"):
        metered.window(metered.Watch(fake, 0.02), fake.batch, fake.now_ns)


def test_steps_are_watched():
    fake = Fake(period_s=None)
    assert metered.period(fake, lambda: fake.now_s, fake.rest) == pytest.approx(0.02, rel=0.01)
    fake = Fake(power_w=0.0)
    with pytest.raises(MachineError, match="does not move"):
        metered.period(fake, lambda: fake.now_s, fake.rest)


def device(kind, target, name="Some device"):
    plain = {
        "backend": "",
        "runtime": "",
        "runtime_key": "",
        "compute_units": 1,
        "vector_bits": None,
        "vector_registers": None,
    }
    rest = {"max_workgroup": 1, "local_mem_bytes": 1, "local_mem_dedicated": True, "fp64": True}
    return Device(name=name, kind=kind, target=target, **plain, **rest)


def test_who_counts_what(tmp_path, monkeypatch):
    monkeypatch.setenv("HOTLOOP_POWERCAP", str(tmp_path))
    assert "no RAPL package" in metered.meter(device("cpu", "x86-64-avx2")).reason
    assert metered.meter(device("gpu", "gfx942", "MI300X")) == Unmetered(
        "no energy counter is known for MI300X: NVIDIA's GPUs and processors with RAPL have one"
    )
    with pytest.raises(MachineError, match="energy cannot be measured: this machine shows no energy counter"):
        metered.watch(device("cpu", "x86-64-avx2"), object())
