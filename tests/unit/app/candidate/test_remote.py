"""A candidate's process is closed: what it changed about those that judge it is told before anything is timed."""

import resource

import pytest

from hotloop.app.candidate.remote import Remote, _program
from hotloop.errors import KernelFileError
from hotloop.host.standing import standing


def remote(before):
    return Remote("B.py", "family", problem=None, variant=None, _before=before)


@pytest.mark.skipif(standing() is None, reason="the system does not tell how processes are scheduled")
def test_a_changed_limit_of_the_judge_refuses_the_candidate():
    soft, hard = resource.getrlimit(resource.RLIMIT_CORE)
    if hard == 0:
        pytest.skip("no limit that could be changed")
    candidate = remote(standing())
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (0 if soft else 4096, hard))
        with pytest.raises(KernelFileError, match=r"B.py changed the limit RLIMIT_CORE of the process that judges it"):
            candidate.close()
    finally:
        resource.setrlimit(resource.RLIMIT_CORE, (soft, hard))


def test_where_nothing_changed_or_nothing_is_known_it_is_closed():
    remote(standing()).close()
    remote(None).close()


def test_a_plan_of_more_launches_than_a_kernel_has_is_refused():
    launch = {"entry": "k", "arguments": [{"hex": "00" * 2000, "is": "Raw"}], "global_size": [64], "local_size": None}
    program = {"language": "opencl", "source": "", "options": [], "launches": [launch], "scratch": []}
    assert _program("B.py", {"program": program}).launches[0].entry == "k"
    with pytest.raises(KernelFileError, match="launches of more than 4 MiB"):
        _program("B.py", {"program": {**program, "launches": [launch] * 1100}})
