"""Record the timing noise of this machine: raw samples of one program against itself, in the rounds of a duel.

    python benchmarks/record_noise.py FILE.json --rounds 1500 --note "nothing else runs"
    python benchmarks/record_noise.py FILE.json --cores 2 --burners 3        # with three processes that disturb it
    python benchmarks/record_noise.py FILE.json --language cuda              # on a GPU, timed by its own events

Rounds run A B B A and B A A B in turn, where A and B are the same loop of multiply-adds, timed by the engine that times
candidates, from a cold start; samples last about 4 ms. `tests/golden/noise` keeps such recordings (earlier ones are of
a matrix product), `benchmarks/paired_power.py --recorded` proves the statistics on them.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import stand

RESOLUTION_NS = 100
"""Samples are rounded to this: far below their jitter, and a file stays small."""
REST_S = 2.0
"""Long enough for a GPU's clock to fall: its ramp is part of the noise."""


def series(language: str, rounds: int):
    """Return all samples in the order in which they were taken, and what was timed."""
    from hotloop.app.run import timing
    from hotloop.app.run.inputs.workload import Workload
    from hotloop.app.session import Options, desk
    from hotloop.ports import TimeRequest

    with desk(Options(language=language)) as made:
        program, kernel = stand.looping(made.device)
        sets = Workload(made.engine, kernel, kernel.problem, made.device).sets()
        made.engine.execute(program, sets[0])
        time.sleep(REST_S)
        request = TimeRequest(
            programs=(program, program), datasets=sets, rounds=rounds, target_sample_ns=timing.SAMPLE_NS, warmup_ns=0.0
        )
        timed = made.engine.time(request)
        return [
            sample for taken in timed.rounds for _, sample in taken.samples
        ], f"{timed.calls[0]} loops, {made.device.key}"


def main():
    parser = stand.parser(__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--rounds", type=int, default=1500)
    parser.add_argument("--burners", type=int, default=0)
    parser.add_argument("--cores", type=int, default=0, help="use only this many processors")
    parser.add_argument("--language", default="opencl", help="backend of the device: opencl, cuda, hip, triton")
    parser.add_argument("--note", default="")
    given = parser.parse_args()
    if given.cores:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: given.cores])
    conditions = stand.conditions(burners=given.burners, note=given.note)
    with stand.neighbours(given.burners):
        samples, conditions["timed"] = series(given.language, given.rounds)
    conditions["load_after"] = round(os.getloadavg()[0], 2)
    own = all(sample.device_ns for sample in samples) and given.language != "opencl"
    if not own and all(sample.cpu_ns for sample in samples):
        cores = sum(sample.cpu_ns for sample in samples) / sum(sample.wall_ns for sample in samples)
        conditions["cpu_cores_used"] = round(cores, 3)
    taken_ns = [sample.device_ns if own else sample.wall_ns for sample in samples]
    rounded = [RESOLUTION_NS * round(value / RESOLUTION_NS) for value in taken_ns]
    rows = ",\n".join(json.dumps(rounded[i : i + 40]).strip("[]") for i in range(0, len(rounded), 40))
    head = json.dumps({"conditions": conditions}, indent=1)[:-2]
    given.file.write_text(head + f',\n "sample_ns": [\n{rows}\n]}}\n')
    print(f"{given.file}: {given.rounds} rounds, {conditions}")


if __name__ == "__main__":
    main()
