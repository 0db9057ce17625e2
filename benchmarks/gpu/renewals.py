"""What looks on new inputs see while a command of hotloop runs: the times of every round, beside the incumbent and by the candidate itself.

    PYTHONPATH=src python3 benchmarks/gpu/renewals.py looks.jsonl optimize reduction --implementation cuda --budget 45    # the command without the word hotloop
    PYTHONPATH=src python3 benchmarks/gpu/renewals.py --read looks.jsonl                                                  # a line for each look

A line of the file is a look: whether it was beside another program, that program's options and the candidate's, calls of a sample, ns of a call of each round on
known and on new inputs. What is compared is `hotloop.app.run.seen`'s to say; a lead that is lost here is refused there.
"""

from __future__ import annotations

import json
import sys
from math import exp
from pathlib import Path

from hotloop.app.run import honest


def written(sink):
    """Return what writes a look down when it ends; nothing is replaced, for what judges a kernel must stay as it is."""
    begun: dict[int, int] = {}

    def enter(_code, _offset):
        frame = sys._getframe(1)  # noqa: SLF001 - there is no other way to what the function was given
        begun[id(frame)] = frame.f_locals["seen"].rounds

    def leave(_code, _offset, _answer):
        frame = sys._getframe(1)  # noqa: SLF001
        given = frame.f_locals
        stand, seen, effort = given["stand"], given["seen"], given["effort"]
        before, program = begun.pop(id(frame)), given["program"]
        told = {
            "beside": stand.rival is not program, "program": program.fingerprint[:12], "rival": stand.rival.fingerprint[:12], "lead": stand.lead,
            "options": (program.options, stand.rival.options), "calls": (stand.known_calls, stand.calls), "met": effort.met, "warm": effort.warm,
            "known_ns": seen.known[before:], "new_ns": seen.new[before:],
        }  # fmt: skip
        sink.write(json.dumps(told, default=str) + "\n")
        sink.flush()

    return enter, leave


def watch(sink):
    """Write down every look from now on (Python 3.12 and newer)."""
    monitoring, code = sys.monitoring, honest._renewed.__code__  # noqa: SLF001 - what it takes is told nowhere else
    events = monitoring.events
    monitoring.use_tool_id(monitoring.PROFILER_ID, "renewals")
    for event, call in zip((events.PY_START, events.PY_RETURN), written(sink), strict=True):
        monitoring.register_callback(monitoring.PROFILER_ID, event, call)
    monitoring.set_local_events(monitoring.PROFILER_ID, code, events.PY_START | events.PY_RETURN)


def read(path):
    """Print by how much longer new inputs took, round by round, each look a line."""
    for line in path.read_text().splitlines():
        look = json.loads(line)
        longer = [f"{new / known - 1:+.1%}" for known, new in zip(look["known_ns"], look["new_ns"], strict=True)]
        stand = f"beside {look['rival']}, lead {exp(look['lead']) - 1:.1%}" if look["beside"] else "by itself"
        print(look["program"], stand, f"calls {look['calls']}", *longer)


def main():
    if sys.argv[1] == "--read":
        read(Path(sys.argv[2]))
        return
    from hotloop.cli.start import main as hotloop

    with Path(sys.argv[1]).open("w") as sink:
        watch(sink)
        sys.argv = ["hotloop", *sys.argv[2:]]
        hotloop()


if __name__ == "__main__":
    main()
