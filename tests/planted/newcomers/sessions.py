"""Visits of users: a pause longer than the timeout begins a new session; times are sorted seconds."""

import numpy as np

import hotloop as hl

SOURCE = """
__kernel void sessions(__global const long *time, __global const int *start, __global int *session, __global long *longest, const int users,
                       const long timeout) {
    const int u = get_global_id(0);
    if (u >= users) return;
    int id = 0;
    long begun = 0, best = -1;
    for (int i = start[u]; i < start[u + 1]; ++i) {
        if (i == start[u]) begun = time[i];
        else if (time[i] - time[i - 1] > timeout) {
            ++id;
            begun = time[i];
        }
        session[i] = id;
        best = max(best, time[i] - begun);
    }
    longest[u] = best;
}
"""


@hl.kernel(
    problem=dict(users=300, events=6000, timeout=1800),
    work=lambda p: hl.Work(flops=3 * p.events, bytes=12 * p.events + 12 * p.users),
    awkward=lambda p: [dict(users=1, events=1, timeout=1800), dict(users=70, events=90, timeout=60)],
    domain=dict(time="fixed", start="fixed"),
)
class sessions:
    def inputs(p, rng):
        start = np.concatenate([[0], np.sort(rng.integers(0, p.events + 1, p.users - 1)), [p.events]]).astype("i4")
        time = 1_700_000_000 + rng.integers(0, 900, p.events).cumsum()
        time += 60 * rng.integers(0, 61, p.events).cumsum()
        return dict(
            time=time.astype("i8"),
            start=start,
            session=hl.empty(p.events, "i4"),
            longest=hl.empty(p.users, "i8"),
            users=np.int32(p.users),
            timeout=np.int64(p.timeout),
        )

    def reference(p, time, start, session, longest, users, timeout):
        ids, best = np.zeros(p.events, "i8"), np.full(p.users, -1, "i8")
        for u in range(p.users):
            t = time[start[u] : start[u + 1]]
            if len(t):
                own = np.concatenate([[0], np.cumsum(np.diff(t) > int(timeout))])
                ids[start[u] : start[u + 1]] = own
                best[u] = max(np.ptp(t[own == k]) for k in range(own[-1] + 1))
        return dict(session=ids, longest=best)

    plain = hl.OpenCL(SOURCE, "sessions", global_size=lambda p, c: (p.users,))


MUTANTS = [
    ("plain", "limit", "a pause of just the timeout ends a session", "time[i - 1] > timeout", "time[i - 1] >= timeout"),
    (
        "plain",
        "boundary",
        "the first event is compared with another user's",
        "if (i == start[u]) begun = time[i];\n        else if",
        "if (i == start[u]) begun = time[i];\n        if (i > 0 &&  i == start[u] && time[i] < time[i - 1]) ++id;\n        if (i > 0 && i == start[u]) id += time[i] - time[i - 1] > timeout;\n        else if (i > start[u]) if",
    ),
    ("plain", "limit", "users without events have length zero", "best = -1;", "best = 0;"),
    (
        "plain",
        "type",
        "times in 32 bits of milliseconds",
        "best = max(best, time[i] - begun);",
        "best = max(best, (long)((int)((time[i] - begun) * 100000) / 100000));",
    ),
    (
        "plain",
        "state",
        "a new session keeps its beginning",
        "++id;\n            begun = time[i];",
        "++id;\n            if (id & 1) begun = time[i];",
    ),
    ("plain", "scalar", "half an hour", "> timeout", "> 1800"),
]
