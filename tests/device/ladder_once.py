"""Launches rungs of a ladder a few times on the card of this machine, for a profiler to watch.

    python tests/device/ladder_once.py gemm gfx942 [RUNG ...]
    python tests/device/ladder_once.py --kernels gemm gfx942 [RUNG ...]

Needs hotloop and what the ladder's language needs: PyTorch for ROCm with its Triton, or hip-python and ziglang for HIP. Verifies the
rungs (default: all that are predicted for the target) and prints their errors over their bounds. With ``--kernels`` nothing is
launched: it prints a line per rung (default: the one that the predictions begin with, and the predicted winner) with the name of its
kernel.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from hotloop.app.ladder import data as ladder_data
from hotloop.app.ladder.compiled import unit_of
from hotloop.app.ladder.confirm import groups
from hotloop.app.ladder.contest import Contest
from hotloop.app.session import Options, desk
from hotloop.errors import HotloopError
from hotloop.model.check import CheckReport
from hotloop.model.ladder import Forecast, Ladder
from hotloop.model.outcome import describe


def main(arguments: Sequence[str]) -> int:
    """Launch, or name; exit code 1 when a result is wrong, 2 or 3 as hotloop's."""
    naming = arguments[:1] == ["--kernels"]
    words = arguments[1:] if naming else arguments
    if len(words) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    family, target, *rungs = words
    try:
        ladder, forecast = ladder_data.ladder_for(family, target), ladder_data.forecast(family, target)
        if forecast is None:
            print(f"nothing is predicted for {family} on {target}", file=sys.stderr)
            return 2
        for name in rungs:
            ladder.rung(name)
        return _name(ladder, forecast, rungs) if naming else _launch(ladder, forecast, rungs)
    except HotloopError as error:
        print(error, file=sys.stderr)
        return error.exit_code


def _name(ladder: Ladder, forecast: Forecast, rungs: Sequence[str]) -> int:
    for name in rungs or dict.fromkeys((forecast.steps[0].over, forecast.winner)):
        rung = ladder.rung(name)
        unit = unit_of(ladder, rung, forecast.target, forecast.problem)
        function, _, _variant = rung.kernel.partition("_")
        print(name, unit.entry if unit else function)
    return 0


def _launch(ladder: Ladder, forecast: Forecast, rungs: Sequence[str]) -> int:
    failed = False
    with desk(Options(language=ladder.language)) as made:
        for number, part in enumerate(groups(ladder, forecast)):
            contest = Contest(made, ladder, part, f"problem{number}-")
            for name in dict.fromkeys(name for step in part.steps for name in (step.over, step.rung)):
                if rungs and name not in rungs:
                    continue
                answer = contest.verify(name)
                right = isinstance(answer, CheckReport)
                print(name, [case.worst_ratio for case in answer.cases] if right else describe(answer))
                failed |= not right
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
