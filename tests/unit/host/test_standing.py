"""What a candidate's process may not change about the processes that judge it: processors, priority, limits."""

import os
import resource
import subprocess
import sys

import pytest

from hotloop.host.standing import ASIDE, changed, standing

pytestmark = pytest.mark.skipif(standing() is None, reason="the system does not tell how processes are scheduled")


@pytest.fixture
def sleeper():
    """Return what starts a child that waits; all of them end with the test."""
    started = []

    def start(**environment):
        code = "import sys; print(flush=True); sys.stdin.read()"
        command, given = [sys.executable, "-c", code], {**os.environ, **environment}
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=given)
        child.stdout.readline()
        started.append(child)
        return child

    yield start
    for child in started:
        child.communicate()


def slow_down(child):
    """Make a process less urgent: by its niceness or, where that is the highest already, by its policy."""
    nice = os.getpriority(os.PRIO_PROCESS, child.pid)
    if nice < 19:
        os.setpriority(os.PRIO_PROCESS, child.pid, nice + 1)
    else:
        policy = os.SCHED_IDLE if os.sched_getscheduler(child.pid) == os.SCHED_BATCH else os.SCHED_BATCH
        os.sched_setscheduler(child.pid, policy, os.sched_param(0))


def test_nothing_is_said_where_nothing_was_changed(sleeper):
    before = standing()
    sleeper()
    assert changed(before, standing()) == ""


def test_a_childs_priority_is_seen(sleeper):
    before = standing()
    slow_down(sleeper())
    assert changed(before, standing()) == "the priority of its worker"


def test_a_compilers_own_priority_is_no_change(sleeper):
    """Seen: a kernel file was refused because compilers that began meanwhile had lowered their own."""
    before = standing()
    slow_down(sleeper(**{ASIDE: "1"}))
    assert changed(before, standing()) == ""


def test_the_priority_of_a_child_that_was_there_is_seen(sleeper):
    child = sleeper()
    before = standing()
    slow_down(child)
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
