"""All configurations of a kernel of products at a few shapes, each under an alarm: what hangs ends its process and not the run.

    OUT=FOLDER PYTHONPATH=src python benchmarks/gpu/space.py hopper-stream [--shapes 24x4096x4096,90x4096x14336] [--limit-s 150]

First every configuration is compared with PyTorch's result by many processes at once (``checks.jsonl``), then timed beside PyTorch by replays of a
graph, one process for each GPU (``times.jsonl``): kernels that are right alone have hung where launches follow one another. A configuration that
began and has no second line hung. Products have bias and GELU, weights lie as in `nn.Linear`.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from statistics import median

import survey
import torch

from hotloop.dispatch import pace
from hotloop.dispatch.remembered import Answer

OUT = Path(os.environ.get("OUT", "build/space"))
CHECKERS, ROUNDS = 14, 4
"""Processes for each GPU that compile and compare; samples of a time."""
CHECK_S, TIME_S = 25, 6
"""Alarms: a build and a few calls; some graphs' replays."""


def cases(asked):
    """Yield a shape, its operator and call, and the choices."""
    for text in asked.shapes.split(","):
        m, n, k = map(int, text.split("x"))
        operator, call = survey.made(m, n, k, fused=True)
        product = operator.described(call, gradient=False)
        device = operator.choose(product, call[0]).device
        yield text, operator, call, list(survey.rivals(product, device, asked.kernel + ":"))


def compared(operator, call, choice):
    """Return how far results of some calls are from PyTorch's at most, as a share of the largest."""
    wanted, answer = operator.peer(call).float(), Answer(choice)
    far = max(float((operator.run(call, answer).float() - wanted).abs().max()) for _ in range(4))
    return {"far": far / float(wanted.abs().max())}


def timed(operator, call, choice):
    """Return the µs of PyTorch's function and of a configuration, in turn."""
    clock = pace.of(call[0])
    peer, mine = clock.timed(lambda: operator.peer(call)), clock.timed(partial(operator.run, call, Answer(choice)))
    samples = [(peer(), mine()) for _ in range(ROUNDS)]
    return {"torch_us": median(ns for ns, _ in samples) / 1e3, "us": median(ns for _, ns in samples) / 1e3}


KINDS = {"checks": (compared, CHECK_S), "times": (timed, TIME_S)}


def share(asked, kind, number, count):
    """Do this process's share of what was not begun yet."""
    ask, alarm_s = KINDS[kind]
    log = OUT / f"{kind}{number}.jsonl"
    begun = (
        {(row["shape"], row["config"]) for row in map(json.loads, log.read_text().splitlines())}
        if log.exists()
        else set()
    )
    with log.open("a") as sink, torch.no_grad():
        every = ((*case[:3], choice) for case in cases(asked) for choice in case[3])
        for shape, operator, call, choice in list(every)[number::count]:
            row = {"shape": shape, "config": str(choice.config)}
            if (row["shape"], row["config"]) in begun:
                continue
            for more in ({"began": True}, None):
                signal.alarm(alarm_s)
                try:
                    told = more or ask(operator, call, choice)
                except RuntimeError as error:
                    told = {"error": str(error)[:150]}
                signal.alarm(0)
                print(json.dumps(row | told), file=sink, flush=True)


def together(asked, kind, count, ends_s):
    """Run so many processes, each again after an alarm, and put what they tell into one file."""

    def begun(number):
        where = {**os.environ, "CUDA_VISIBLE_DEVICES": str(number % torch.cuda.device_count())}
        options = ["--shapes", asked.shapes, "--share", kind, str(number), str(count)]
        return subprocess.Popen([sys.executable, __file__, asked.kernel, *options], env=where)

    running = {number: begun(number) for number in range(count)}
    while running and time.monotonic() < ends_s:
        time.sleep(0.2)
        for number, process in list(running.items()):
            if process.poll() is not None:
                del running[number]
                if process.returncode == -signal.SIGALRM:
                    running[number] = begun(number)
    for process in running.values():
        process.kill()
    rows = [line for number in range(count) for line in (OUT / f"{kind}{number}.jsonl").read_text().splitlines()]
    (OUT / f"{kind}.jsonl").write_text("\n".join(rows) + "\n")
    print(
        f"{kind}: {sum('began' not in row for row in rows)} of {sum('began' in row for row in rows)} that began have an answer"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernel")
    parser.add_argument(
        "--shapes", default="32x18944x4736,48x14336x4096,20x5120x5120,40x4096x4096,90x4096x14336,128x5120x5120"
    )
    parser.add_argument("--limit-s", type=float, default=150.0)
    parser.add_argument("--share", nargs=3, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    if asked.share:
        share(asked, asked.share[0], int(asked.share[1]), int(asked.share[2]))
        return
    cards = torch.cuda.device_count()
    began_s = time.monotonic()
    together(asked, "checks", CHECKERS * cards, began_s + asked.limit_s / 2)
    together(asked, "times", cards, began_s + asked.limit_s)


if __name__ == "__main__":
    main()
