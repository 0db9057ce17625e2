"""What a candidate's process may not change about the processes that judge it: processors, priority, limits."""

import os
import resource
import subprocess
import sys

import pytest

from hotloop.host.standing import changed, standing

pytestmark = pytest.mark.skipif(standing() is None, reason="the system does not tell how processes are scheduled")

lower = pytest.mark.skipif(os.nice(0) == 19, reason="no process can have a lower priority than this one")


@pytest.fixture
def sleeper():
    """Start a child and return what starts another one with a lower priority; both end with the test."""
    started = []

    def start(nice=0):
        code = f"import os, sys; os.nice({nice}); print(flush=True); sys.stdin.read()"
        child = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        child.stdout.readline()
        started.append(child)
        return child

    yield start
    for child in started:
        child.communicate()


def test_nothing_is_said_where_nothing_was_changed(sleeper):
    before = standing()
    sleeper()
    assert changed(before, standing()) == ""


@lower
def test_a_childs_priority_is_seen(sleeper):
    before = standing()
    sleeper(nice=1)
    assert changed(before, standing()) == "the priority of its worker"


@lower
def test_the_priority_of_a_child_that_was_there_is_seen(sleeper):
    child = sleeper()
    before = standing()
    os.setpriority(os.PRIO_PROCESS, child.pid, os.nice(0) + 1)
    assert changed(before, standing()) == "the priority of its worker"


def test_processors_are_seen():
    mine = os.sched_getaffinity(0)
    if len(mine) < 2:
        pytest.skip("one processor only")
    before = standing()
    try:
        os.sched_setaffinity(0, {min(mine)})
        now = standing()
    finally:
        os.sched_setaffinity(0, mine)
    assert changed(before, now) == "the processors"


def test_limits_are_seen():
    soft, hard = resource.getrlimit(resource.RLIMIT_CORE)
    if hard == 0:
        pytest.skip("no limit that could be changed")
    before = standing()
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (0 if soft else 4096, hard))
        now = standing()
    finally:
        resource.setrlimit(resource.RLIMIT_CORE, (soft, hard))
    assert changed(before, now) == "the limit RLIMIT_CORE"
