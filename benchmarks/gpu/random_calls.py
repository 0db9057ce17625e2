"""Random legal calls of every operator against float64: none may be wrong, none may raise anything but a designed sentence.

    PYTHONPATH=src python benchmarks/gpu/random_calls.py OUT.jsonl [--calls 1000] [--limit-s 500] [--workers 12] [--only gemm,softmax] [--call-s 60]
    PYTHONPATH=src python benchmarks/gpu/random_calls.py OUT.jsonl --cpu --workers 1 --calls 50     # no GPU: PyTorch computes all
    PYTHONPATH=src python benchmarks/gpu/random_calls.py OUT.jsonl --interpreted --workers 1 --calls 50     # and Triton's interpreter runs small calls

Each call runs as users make it (`moods`): sometimes in inference mode, with an operand that wants a gradient, of a class of its own, or beside
what compilers are told of its result; where hotloop has kernels that dispatch does not choose, one of them, drawn at random, runs too. Operators take turns, so that the limit cuts all alike.
A worker has its own seed, so a line of OUT (operator, seed, number) names a call for good: --seed S --workers 1 --number N makes it
again, and --times T makes it T times by every kernel that could. OUT gets each call that went wrong and lines of counts, of which every few seconds one is added and the sum is printed: a run that
is cut off has a result. A call that takes longer than --call-s is noted as endless, and its process begins anew behind it. The exit status
is 1 if any call went wrong.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import logging
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

if "--interpreted" in sys.argv:
    os.environ["TRITON_INTERPRET"] = "1"  # before Triton is imported
    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "unit"))

import bounds
import drawing
import torch
import torch.utils._pytree as pt
from drawing import OPERATORS, Drawer
from moods import asked

from hotloop.dispatch import arguments, remembered
from hotloop.dispatch.remembered import Answer
from hotloop.dispatch.select import PEER
from hotloop.errors import HotloopError
from hotloop.ops import functions

MOST = 640
"""Of an extent."""
INTERPRETED, SMALL = "--interpreted" in sys.argv, 48
"""Whether kernels run in Triton's interpreter, and the most of an extent then."""
_NO_GPU = "0 active drivers"
"""What Triton says where a kernel in Gluon is asked for and there is no GPU."""
INTERPRETABLE = ("gemm", "gemm_batched", "gemm_grouped", "gemm_int4", "attention", "softmax")
"""Operators whose kernels are Triton's and interpreted within seconds."""
LEAST_S = 15.0
"""Left, for which a process is not begun anew."""
TELL_S = 5.0
"""Between two lines of counts."""
LATE = 2
"""Times its limit after which a call that even holds Python's lock ends the process."""
BAD = ("wrong", "raised", "lost", "endless")
KNOWN = (
    "plain",
    "inference",
    "gradient",
    "switched-off",
    "of-a-class",
    "autocast",
    "determined",
    "promised",
    "aside",
    "transformed",
)
"""Ways of users: what is raised there is never a kernel's own refusal."""
_PRIME = 7919


class Watch:
    """Ends this process image, and goes on behind the call, where a call takes too long."""

    def __init__(self, out: Path, call_s: float, ends: float) -> None:
        self.out, self.call_s, self.ends = out, call_s, ends
        self.call: tuple[float, dict[str, object]] | None = None
        threading.Thread(target=self.look, daemon=True).start()

    def begin(self, line: dict[str, object]) -> None:
        """Note the call that begins."""
        self.call = time.monotonic(), line
        faulthandler.dump_traceback_later(LATE * self.call_s, exit=True)

    def end(self) -> None:
        """Note that it ended."""
        self.call = None
        faulthandler.cancel_dump_traceback_later()

    def look(self) -> None:
        """Look at the clock as long as the process lives."""
        while True:
            time.sleep(min(1.0, self.call_s / 4))
            call = self.call
            if call is not None and time.monotonic() - call[0] > self.call_s:
                write(self.out, call[1] | {"came": "endless", "words": f"more than {self.call_s:.0f} s"})
                again(int(call[1]["number"]) + 1, self.ends - time.monotonic())
                os._exit(1)


def verdict(drawn, found) -> str:
    """Return what is wrong with a result, or with several; empty where nothing is."""
    exact = drawn.exact()
    pairs = exact if isinstance(exact[0], tuple) else (exact,)
    results = found if isinstance(found, tuple) else (found,)
    dtype = drawn.options.get("dtype") or drawn.given[0].dtype
    types = (dtype, torch.float64 if dtype == torch.float64 else torch.float32)
    said = [judged(*row) for row in zip(results, pairs, types[: len(pairs)], strict=True)]
    return "; ".join(filter(None, said))


def judged(found, pair, dtype) -> str:
    """Return what is wrong with one result."""
    wanted, bound = pair
    if found.shape != wanted.shape or found.dtype != dtype:
        return f"has shape {tuple(found.shape)} of {found.dtype}, wanted {tuple(wanted.shape)} of {dtype}"
    apart = (found.double() - wanted).abs()
    bad = ~((apart <= bound) | (found.double() == wanted))  # infinities are equal, and nothing apart
    if not bool(bad.any()):
        return ""
    worst = float((apart / bound).nan_to_num(float("inf"))[bad].max())
    return f"{int(bad.sum())} of {bad.numel()} beyond the bound, the worst {worst:.3g} times"


def attempt(drawn, run) -> tuple[str, str]:
    """Return what came of a call (right, wrong, refused, raised) and the words for it, which tell a fault of the call from one behind it."""
    where = ""
    try:
        result = run()
        if any(x.is_cuda for x in pt.tree_leaves(result)):
            torch.cuda.synchronize()  # a fault is told late, and must not be taken for the reference's
        where = "in the reference: "
        complaint = verdict(drawn, result)
    except HotloopError as error:
        return "refused", str(error)
    except Exception as error:  # noqa: BLE001 - that is what is looked for
        if INTERPRETED and _NO_GPU in str(error):
            return "refused", _NO_GPU
        return "raised", f"{where}{type(error).__name__}: {str(error)[:300]}"
    return ("wrong", complaint) if complaint else ("right", "")


def others(drawn):
    """Return the kernels that dispatch does not choose for a call, each as its name and the call by it.

    Triton's interpreter multiplies the bit patterns of bfloat16, unless a kernel widens them; those of `gemm` on descriptors do not.
    """
    if INTERPRETED and drawn.name == "gemm" and drawn.given[0].dtype is torch.bfloat16:
        return []
    options = {name: value for name, value in drawn.options.items() if name != "out"}
    given, options = (pt.tree_map_only(torch.Tensor, torch.Tensor.resolve_neg, x) for x in (drawn.given, options))
    operator, call = functions.explained()[drawn.name].call(drawn.name, given, options)
    try:
        operator.check(call)
        described = operator.described(call, gradient=False)
        usual = operator.choose(described, call[0])
        choices = [one for one in operator.alternatives(described, call[0]) if one.config != usual.config]
    except HotloopError:
        return []
    return [(f"{one.implementation} {one.config}", partial(operator.run, call, Answer(one))) for one in choices]


def work(
    out: Path, names: list[str], calls: range, limit_s: float, seed: int, device: str, call_s: float, times: int = 0
) -> bool:
    """Make calls until there are enough or the time is over; tell whether all were right. What goes wrong is written at once."""
    ends, counts, right = time.monotonic() + limit_s, {name: Counter() for name in names}, True
    watch, last = Watch(out, call_s, ends), time.monotonic()
    for index in calls:
        for name in names:
            if time.monotonic() > ends:
                break
            place = OPERATORS.index(name)  # whatever --only leaves out, a number is the same call
            drawer = Drawer(seed * _PRIME + index * len(OPERATORS) + place, device, SMALL if INTERPRETED else MOST)
            drawn = drawer.draw(name)
            for way, run in ways(drawn, drawer, device, times):
                place_of = {"operator": name, "seed": seed, "number": index, "way": way}
                watch.begin(place_of)
                came, words = attempt(drawn, run)
                watch.end()
                if came == "raised" and way not in KNOWN:
                    came = "refused" if arguments.compile_trouble(RuntimeError(words)) else came
                came = came if usable(device) else "lost"
                counts[name][("forced " if " " in way else "") + came] += 1
                if came in ("wrong", "raised", "lost"):
                    right = False
                    line = place_of | {"came": came, "words": words}
                    write(out, line | {"dtype": str(drawn.given[0].dtype), "told": str(drawn.told)})
                if came == "lost":
                    told(out, seed, counts)
                    again(index + 1, ends - time.monotonic())
            if time.monotonic() - last > TELL_S:
                told(out, seed, counts)
                last = time.monotonic()
            if device == "cpu" or index % 200 == 199:
                remembered.forget()
    told(out, seed, counts)
    return right


def ways(drawn, drawer, device, times=0):
    """Return how a call is made: as users do, and now and then by a kernel that dispatch does not choose; with `times` by all, so often."""
    made = [asked(drawn, drawer.rng)]
    if times:
        return (made + others(drawn)) * times
    if INTERPRETED or (device != "cpu" and drawer.rng.random() < 0.5):
        try:
            made += [drawer.rng.choice(choices)] if (choices := others(drawn)) else []
        except Exception as error:  # noqa: BLE001 - that is what is looked for
            made += [("choosing", partial(failing, error))]
    return made


def failing(error):
    raise error


def usable(device) -> bool:
    """Return whether the device still answers: after a fault it does not, until the process ends."""
    try:
        if device != "cpu":
            torch.cuda.synchronize()
    except RuntimeError:
        return False
    return True


def again(number: int, left_s: float) -> None:
    """Go on after a fault, in a new process image."""
    kept = list(sys.argv)
    for option in ("--limit-s", "--from"):
        if option in kept:
            place = kept.index(option)
            del kept[place : place + 2]
    if left_s > LEAST_S:
        os.execv(sys.executable, [sys.executable, *kept, "--limit-s", f"{left_s:.0f}", "--from", str(number)])


def told(out: Path, seed: int, counts: dict[str, Counter[str]]) -> None:
    """Write what came of the calls since the last line, and count anew."""
    runs = Counter(answer.choice.implementation for answer in remembered._answers.values())  # noqa: SLF001
    write(
        out,
        {
            "seed": seed,
            "counts": {name: dict(count) for name, count in counts.items()},
            "kept": dict(runs),
            "peer": PEER,
        },
    )
    for count in counts.values():
        count.clear()


def write(out: Path, line: dict[str, object]) -> None:
    with out.open("a", encoding="utf-8") as sink:
        sink.write(json.dumps(line) + "\n")


def interpreted() -> None:
    """Put a GPU in the place of the processor for which Triton kernels are chosen; it cuts bfloat16 off, and has no long extents."""
    from dataclasses import replace

    import interpreter

    interpreter.on(replace(interpreter.gpu("sm_90"), runtime_key="interpreter"))
    bounds.HALF_ULP[torch.bfloat16] *= 2
    drawing.RARELY = 0.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--calls", type=int, default=1000, help="of each operator, by all workers together")
    parser.add_argument("--limit-s", type=float, default=500.0)
    parser.add_argument("--workers", type=int, default=12)
    parser.add_argument("--only", default=",".join(INTERPRETABLE if INTERPRETED else OPERATORS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--call-s", type=float, default=60.0, help="most of one call, its compilations included")
    parser.add_argument("--number", type=int)
    parser.add_argument("--times", type=int, default=0, help="make each call so often by every kernel that could")
    parser.add_argument("--from", type=int, default=0, dest="first", help="number of the first call")
    parser.add_argument("--cpu", action="store_true")
    parser.add_argument("--interpreted", action="store_true")
    given = parser.parse_args()
    if given.interpreted:
        given.cpu = True
        interpreted()
    logging.getLogger("hotloop").setLevel(logging.ERROR)
    for matmul in (torch.backends.cuda.matmul,):
        matmul.allow_bf16_reduced_precision_reduction = matmul.allow_fp16_reduced_precision_reduction = False
    torch.backends.cudnn.allow_tf32 = False
    names, device = given.only.split(","), "cpu" if given.cpu else "cuda"
    if given.workers == 1:
        numbers = range(given.first, given.calls) if given.number is None else range(given.number, given.number + 1)
        right = work(given.out, names, numbers, given.limit_s, given.seed, device, given.call_s, given.times)
        if given.number is not None or sys.stdout.isatty():
            print(given.out.read_text(encoding="utf-8"))
        return 0 if right else 1
    own = [
        *(["--interpreted"] if given.interpreted else ["--cpu"] if given.cpu else []),
        "--call-s",
        str(given.call_s),
        "--only",
        given.only,
        "--calls",
        str(-(-given.calls // given.workers)),
    ]
    started = [
        subprocess.Popen(
            [
                sys.executable,
                __file__,
                f"{given.out}.{seed}",
                *own,
                "--workers",
                "1",
                "--seed",
                str(seed),
                "--limit-s",
                str(given.limit_s),
            ]
        )
        for seed in range(given.seed, given.seed + given.workers)
    ]
    parts = [Path(f"{given.out}.{seed}") for seed in range(given.seed, given.seed + given.workers)]
    return tell(given.out, waited(started, parts, given.limit_s + 2 * given.call_s), parts)


def waited(started: list[subprocess.Popen[bytes]], parts: list[Path], limit_s: float) -> list[object]:
    """Wait for the workers, print now and then what they wrote, and return their exit statuses."""
    begins = time.monotonic()
    while any(process.poll() is None for process in started) and time.monotonic() - begins < limit_s:
        time.sleep(0.5)
        if (time.monotonic() - begins) % TELL_S < 0.5:
            counts = [count for line in read(parts) for count in line.get("counts", {}).values()]
            bad = sum(line.get("came") in BAD for line in read(parts))
            print(
                f"{time.monotonic() - begins:4.0f} s: {sum(map(sum, map(dict.values, counts)))} calls, {bad} of them bad",
                flush=True,
            )
    ended: list[object] = []
    for process in started:
        late = process.poll() is None
        process.kill()
        ended.append("killed: it did not end" if late else process.wait())
    return ended


def read(parts: list[Path]) -> list[dict[str, Any]]:
    """Return the lines of the workers' files; the last one of a file may not be whole yet."""
    texts = [part.read_text(encoding="utf-8") for part in parts if part.exists()]
    return [json.loads(line) for text in texts for line in text.splitlines(keepends=True) if line.endswith("\n")]


def tell(out: Path, ended: list[object], parts: list[Path]) -> int:
    """Join what the workers wrote, and print the counts and the first calls that went wrong."""
    lines = read(parts)
    out.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    for part in parts:
        part.unlink(missing_ok=True)
    total: dict[str, Counter[str]] = {}
    for line in lines:
        for name, count in line.get("counts", {}).items():
            total.setdefault(name, Counter()).update(count)
    for name, count in total.items():
        print(f"{name:18} {sum(count.values()):6} calls: {dict(count)}")
    bad = [line for line in lines if line.get("came") in BAD]
    for line in bad[:20]:
        print(line)
    print("workers:", Counter(map(str, ended)), "| wrong, raised, lost or endless:", len(bad))
    return 1 if bad or any(status not in (0, 1) for status in ended) else 0


if __name__ == "__main__":
    sys.exit(main())
