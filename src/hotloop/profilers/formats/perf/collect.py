"""Asking ``perf stat`` to count a process on the CPU.

Where the program says when to count, perf starts with its events off (``--delay=-1``) and obeys the program's pipe
(``--control``, Linux 5.10), so that start-up, compilation and warm-up are left out.
"""

from __future__ import annotations

import re
from typing import Final

from hotloop.profilers.collector import ANSWER, CONTROL, Collector, Refusal, Run, Vendor, Wanted

TABLE: Final = "perf.csv"
EVENTS: Final = (
    "task-clock", "context-switches", "page-faults", "cycles", "instructions", "branches", "branch-misses",
    "cache-references", "cache-misses", "L1-dcache-loads", "L1-dcache-load-misses", "dTLB-load-misses",
)  # fmt: skip
"""Software events that every Linux counts, then hardware events that perf knows on every processor that has them."""
_REFUSALS: Final = (
    (
        re.compile(
            r"perf_event_paranoid|No permission to enable|may not have permission|"
            r"Access to performance monitoring and observability operations is limited"
        ),
        Refusal("this user may not count events", "run 'sudo sysctl kernel.perf_event_paranoid=1'"),
    ),
    (
        re.compile(r"perf_event_open[^\n]*(?:Operation not permitted|EPERM)|failed: Operation not permitted"),
        Refusal("the container forbids counting", "start it with --cap-add=PERFMON --security-opt seccomp=unconfined"),
    ),
    (
        re.compile(r"event syntax error|Cannot find PMU|[Uu]nknown event"),
        Refusal("perf does not know one of the events", "choose among those that 'perf list' shows, with --counters"),
    ),
    (
        re.compile(r"WARNING: perf not found for kernel|(?:unknown|unrecognized) option [`'\"]?-*control"),
        Refusal("this perf does not fit the kernel", "run 'sudo apt install linux-perf', or on Ubuntu linux-tools-$(uname -r)"),
    ),
)  # fmt: skip


def runs(wanted: Wanted, folder: str) -> tuple[Run, ...]:
    """Return the one run; events that do not fit in the hardware at once take turns, and their share of the time is kept."""
    control = ("--delay=-1", f"--control=fifo:{folder}/{CONTROL},{folder}/{ANSWER}") if wanted.control else ()
    events = ",".join(wanted.counters or EVENTS)
    return (
        Run(
            name="counts",
            arguments=("stat", *control, "-x", ";", "-o", f"{folder}/{TABLE}", "-e", events, "--", *wanted.command),
            results=(TABLE,),
            counters=wanted.counters,
            filtered=True,
        ),
    )


COLLECTORS = (
    Collector(
        name="perf", vendor=Vendor.CPU, rank=0, program="perf", folders=("/usr/bin",),
        install="run 'sudo apt install linux-perf' (on Ubuntu: linux-tools-$(uname -r))",
        runs=runs, refusals=_REFUSALS, partial=True,
    ),
)  # fmt: skip
