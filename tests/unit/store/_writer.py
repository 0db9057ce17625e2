"""A second process for the tests: appends trials to a run and says after each that it is kept."""

from __future__ import annotations

import sys

from hotloop.model.outcome import CompileFailed
from hotloop.model.space import Config
from hotloop.model.trial import Trial
from hotloop.store import Store


def main(location: str, request: str, count: int) -> None:
    with Store.open(location) as store:
        run = store.resume_or_begin("tune", request, "writer")
        print(run.id, int(run.resumed), flush=True)
        for index in range(count):
            run.trial(trial(index))
            if index % 8 == 0:
                run.record(f"step {index}", str(index))
            print(index, flush=True)
        sys.stdin.read()


def trial(index: int) -> Trial:
    return Trial(
        family="gemm",
        problem="gemm[m=1]",
        sizes=Config(m=1),
        implementation="tile",
        config=Config(index=index),
        fingerprint=str(index),
        device="null",
        device_fingerprint="f",
        outcome=CompileFailed(log="error: " + "x" * 2000, line=3),
        created="2030-01-01T00:00:00+00:00",
    )


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
