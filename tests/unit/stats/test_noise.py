import numpy as np
from noise import BUSY, QUIET, Noise


def test_ratio_and_jitter_are_what_was_asked():
    table = Noise(jitter=0.02).times(np.random.default_rng(0), 4000, 1.5)
    assert table.shape == (4000, 4)
    logs = np.log(table)
    assert abs(np.median(logs[:, 1:3]) - np.median(logs[:, [0, 3]]) - np.log(1.5)) < 0.002
    assert abs(logs[:, 0].std() - 0.02) < 0.001


def test_bursts_hit_about_the_asked_share_of_rounds():
    hit = (Noise(jitter=0.001, bursts=0.2).times(np.random.default_rng(1), 4000) > 1.4).any(axis=1).mean()
    assert 0.25 < hit < 0.4  # a burst of several samples often reaches into the next round


def test_rounds_carry_the_times_in_order():
    rounds = BUSY.rounds(np.random.default_rng(2), 5, 1.1)
    table = BUSY.times(np.random.default_rng(2), 5, 1.1)
    assert [who for who, _ in rounds[0].samples] == [0, 1, 1, 0]
    assert [s.wall_ns / 1e6 for _, s in rounds[3].samples] == table[3].tolist()


def test_alternation_moves_times_between_contenders_only():
    plain = QUIET.times(np.random.default_rng(3), 6)
    turned = QUIET.times(np.random.default_rng(3), 6, alternate=True)
    assert (plain[::2] == turned[::2]).all()
    assert (np.sort(plain[1::2]) == np.sort(turned[1::2])).all()
    assert (plain[1::2] != turned[1::2]).any()
