"""What a run is at when its budget is over is left, and nobody else is blamed for it."""

import time

import pytest

from hotloop.app import patience
from hotloop.app.leaving import left_anywhere, starting
from hotloop.errors import SpentError
from hotloop.host.clock import SystemClock


def endless():
    while True:
        time.sleep(0.01)


def test_a_users_function_is_left_at_the_end_of_the_run_and_not_called_slow():
    reference = patience.told("reference of kernel k", endless, 60.0)
    with pytest.raises(SpentError, match="the budget ended in the middle of this"), left_anywhere(0.05):
        reference()


def test_a_function_that_takes_too_long_by_itself_is_told_as_such():
    reference = patience.told("reference of kernel k", endless, 0.05)
    with pytest.raises(patience.LateError, match="did not end within 0.05 s"), left_anywhere(60.0):
        reference()


def test_a_start_that_takes_all_of_a_budget_is_left_and_what_would_do_is_said():
    began_s = SystemClock().monotonic_s() - 30.0
    said = r"the budget of 30 s ended while the run was still starting.* give at least --budget 140\."
    with pytest.raises(SpentError, match=said), starting(30.0, began_s, SystemClock()):
        endless()


def test_a_budget_for_trying_a_command_and_a_second_shape_do_not_bound_the_start():
    clock = SystemClock()
    for began_s, budget_s in ((clock.monotonic_s() - 50.0, 1.0), (None, 10.0)):
        with starting(budget_s, began_s, clock):
            time.sleep(0.3)
