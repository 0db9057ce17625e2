import signal
import threading
import time
from contextlib import suppress

import pytest

from hotloop.host import deadline


def _forever():
    while True:
        time.sleep(0.01)


def _stubborn():
    while True:
        with suppress(Exception):
            _forever()


def _deaf(heard):
    """Catch the first alarm, as a bare except in a user's file does."""
    try:
        _forever()
    except BaseException as error:
        heard.append(type(error))
    _forever()


def test_a_block_that_never_ends_is_left():
    started_s = time.monotonic()
    with pytest.raises(deadline.OverdueError), deadline.within(0.05):
        _stubborn()
    assert time.monotonic() - started_s >= 0.05


def test_an_alarm_that_was_swallowed_rings_again():
    heard = []
    with pytest.raises(deadline.OverdueError), deadline.within(0.05):
        _deaf(heard)
    assert heard == [deadline.OverdueError]


@pytest.fixture
def quiet():
    """Take away the alarm of the test runner's own limit, and give it back."""
    before, (left_s, again_s) = signal.getsignal(signal.SIGALRM), signal.setitimer(signal.ITIMER_REAL, 0)
    yield
    signal.signal(signal.SIGALRM, before)
    signal.setitimer(signal.ITIMER_REAL, left_s, again_s)


@pytest.mark.usefixtures("quiet")
def test_the_alarm_is_off_afterwards_and_the_handler_back():
    before = signal.getsignal(signal.SIGALRM)
    with deadline.within(30):
        pass
    with pytest.raises(deadline.OverdueError), deadline.within(0.02):
        _forever()
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert signal.getsignal(signal.SIGALRM) is before


@pytest.mark.usefixtures("quiet")
def test_an_alarm_of_somebody_else_rings_when_it_would_have():
    heard = []
    before = signal.signal(signal.SIGALRM, lambda *_: heard.append(True))
    signal.setitimer(signal.ITIMER_REAL, 2.0)  # a busy machine may let half a second pass here
    with pytest.raises(deadline.OverdueError), deadline.within(0.02):
        _forever()
    assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] <= 1.98
    waited_s = time.monotonic()
    while not heard and time.monotonic() - waited_s < 60:
        time.sleep(0.05)
    signal.signal(signal.SIGALRM, before)
    assert heard == [True]


def test_the_outer_limit_holds_for_an_inner_block():
    with pytest.raises(deadline.OverdueError), deadline.within(0.05), deadline.within(3600):
        _forever()


def test_another_thread_has_no_limit():
    done = []

    def work():
        with deadline.within(0.01):
            time.sleep(0.05)
        done.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [True]


def _slowly(limit_s):
    return deadline.ask(lambda _given: _forever(), limit_s, None)


@pytest.mark.usefixtures("quiet")
def test_a_short_call_is_answered_and_one_that_never_ends_is_left():
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    assert deadline.ask(len, 30, "four") == 4
    with pytest.raises(deadline.OverdueError):
        _slowly(0.05)
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)  # somebody took the handler away
    with pytest.raises(deadline.OverdueError):
        _slowly(0.05)


def test_the_outer_limit_holds_for_a_short_call_too():
    with pytest.raises(deadline.OverdueError), deadline.within(0.05):
        _slowly(3600)


def test_another_thread_is_interrupted_when_whoever_waits_for_it_rings():
    ended = []

    def endless():
        try:
            with deadline.within(0.01):
                while True:
                    pass
        except deadline.OverdueError:
            ended.append("late")
        with deadline.within(60.0):
            ended.append("in time")

    thread = threading.Thread(target=endless, daemon=True)
    thread.start()
    for _ in range(6000):
        deadline.ring_elsewhere()
        thread.join(0.01)
        if not thread.is_alive():
            break
    assert ended == ["late", "in time"]
    assert not deadline._due_s


@pytest.mark.usefixtures("quiet")
def test_the_end_of_a_run_is_no_limit_of_its_parts_and_rings_once():
    closed = []

    def part():
        try:
            with deadline.within(60.0):
                _forever()
        finally:
            time.sleep(2 * deadline._AGAIN_S)  # what closes itself is not disturbed
            closed.append("in peace")

    with pytest.raises(deadline.EndedError), deadline.ending(0.05):
        part()
    assert closed == ["in peace"]
    with pytest.raises(deadline.OverdueError), deadline.ending(60.0), deadline.within(0.05):
        _forever()
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def waits_in_c():
    """Do as an extension that looks at signals while it waits, and answers all the same."""
    try:
        time.sleep(60)
    except BaseException as alarm:
        raise SystemError("<cyfunction wait> returned a result with an exception set") from alarm


def test_an_alarm_that_an_extension_in_c_swallows_half_is_still_that_alarm():
    with pytest.raises(deadline.OverdueError), deadline.within(0.05):
        waits_in_c()
    with pytest.raises(deadline.OverdueError):
        deadline.ask(waits_in_c, 0.05)
    with pytest.raises(deadline.EndedError), deadline.ending(0.05):
        waits_in_c()
    with pytest.raises(SystemError, match="own") as told, deadline.within(60):
        raise SystemError("an error of its own") from ValueError("why")
    assert isinstance(told.value.__cause__, ValueError)
