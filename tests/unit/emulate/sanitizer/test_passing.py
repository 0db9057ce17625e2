"""Writes of local memory that a barrier has made visible to all waves, also where these pass it cohort by cohort."""

from __future__ import annotations

import numpy as np
import pytest

from hotloop.emulate.sanitizer.shadow_local import LocalShadow


def shadow() -> LocalShadow:
    made = LocalShadow(1, 64, 4, small=False)
    made._count = 7
    return made


def test_what_was_written_before_the_first_wave_passed_is_safe_when_the_last_one_has():
    made = shadow()
    made._settle(np.array([1, 1]), 4, drained=True)
    assert made._safe == 0
    made._count = 9  # the first waves write behind the barrier
    made._settle(np.array([1, 1]), 4, drained=True)
    assert made._safe == 7


@pytest.mark.parametrize(
    ("epoch", "live", "drained"),
    [
        pytest.param([1, 1], 4, False, id="a write is outstanding"),
        pytest.param([2, 2], 4, True, id="another barrier"),
        pytest.param([1, 2], 4, True, id="different barriers"),
        pytest.param([1, 1], 2, True, id="two waves have ended in between"),
    ],
)
def test_nothing_is_safe_where_not_all_waves_passed_one_barrier_with_all_done(epoch, live, drained):
    made = shadow()
    made._settle(np.array([1] * (4 - len(epoch))), 4, drained=True)
    made._settle(np.array(epoch), live, drained=drained)
    assert made._safe == (7 if live == len(epoch) else 0)
