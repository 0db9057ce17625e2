"""The troubles that a machine can have, one at a time, and recordings of real ones."""

import numpy as np
import pytest
from noise import BURSTY, CORRELATED, STEPPING, WARMING, Noise, Recorded


def test_a_warm_up_fades():
    table = Noise(jitter=0.0, warmup=0.4, warmup_samples=40).times(np.random.default_rng(0), 100)
    assert table[0, 0] == pytest.approx(np.exp(0.4))
    assert table.ravel()[40] == pytest.approx(np.exp(0.4 / np.e), rel=0.01)
    assert table[-1, -1] == pytest.approx(1.0, abs=1e-4)


def test_a_frequency_stays_at_a_level_and_jumps():
    series = Noise(jitter=0.0, levels=0.1, level_samples=30).times(np.random.default_rng(1), 3000).ravel()
    jumps = np.flatnonzero(np.diff(series))
    assert 25 < np.diff(jumps).mean() < 35
    assert np.log(series).std() == pytest.approx(0.1, rel=0.15)


def test_slow_noise_is_correlated_from_sample_to_sample():
    logs = np.log(CORRELATED.times(np.random.default_rng(2), 2000).ravel())
    assert np.corrcoef(logs[:-1], logs[1:])[0, 1] > 0.9


@pytest.mark.parametrize("noise", [WARMING, STEPPING, CORRELATED, BURSTY])
def test_the_candidate_takes_what_it_was_told_to(noise):
    plain = noise.times(np.random.default_rng(3), 60, alternate=True)
    slower = noise.times(np.random.default_rng(3), 60, 1.5, alternate=True)
    assert np.allclose(slower[:, 1:3], 1.5 * plain[:, 1:3])
    assert np.allclose(slower[:, [0, 3]], plain[:, [0, 3]])


def test_a_recording_gives_stretches_of_itself():
    recorded = Recorded(np.arange(100.0))
    rng = np.random.default_rng(4)
    for _ in range(200):
        table = recorded.times(rng, 5)
        assert (np.diff(table.ravel()) == 1).all()
        assert table[0, 0] + 20 <= 100
    turned = recorded.times(rng, 2, 2.0, alternate=True)
    start = turned[0, 0]
    assert turned.tolist() == [
        [start, 2 * (start + 1), 2 * (start + 2), start + 3],
        [start + 5, 2 * (start + 4), 2 * (start + 7), start + 6],
    ]
    assert recorded.samples.tolist() == list(range(100))


def test_a_recording_that_is_too_short_is_refused():
    with pytest.raises(ValueError, match=r"low|high"):
        Recorded(np.ones(10)).times(np.random.default_rng(0), 3)
