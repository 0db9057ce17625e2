"""Depthwise conv3d of channels last and of float32: every cut of the walking kernels that is worth a look, verified, then timed.

    PYTHONPATH=src python benchmarks/gpu/walks.py OUT.jsonl [--limit-s 150] [--last]

The reference shape comes first with the whole list, then the other shapes of video models with what `worth.trying` says. A cut's
whole result is compared with the direct kernel's, and 24 channels with float64: its largest and mean square error stand beside
PyTorch's. Beside the cuts runs what dispatch chooses without them. Times are medians of graph replays in rounds; `floor_us` is the
compulsory traffic at the rate at which this device copied 1 GiB in the same run, `copied_us` the same at that of a copy of x. Each case is a line as soon as it is measured.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from statistics import median

import torch
from shapes import VIDEOS

from hotloop.dispatch import cuda, launch, pace, place
from hotloop.dispatch.remembered import Answer
from hotloop.drivers import nvrtc
from hotloop.kernels.conv3d_depthwise import choosing
from hotloop.kernels.conv3d_depthwise.cuda import rungs
from hotloop.kernels.conv3d_depthwise.tensors import depthwise_conv3d
from hotloop.kernels.conv3d_depthwise.walking import plan, worth
from hotloop.kernels.conv3d_depthwise.walking.space import CARRY_START, TURN_START
from hotloop.ops import functions

ROUNDS = 7
CHANNELS = 24
"""Compared with float64."""
_GIB = 1 << 30


def listed(shape, first: bool):
    """Return implementations and configurations of the walking kernels for a shape."""
    if not first and not shape.channels_last:
        return worth.trying(shape)
    if shape.channels_last:
        made = [(worth.TURN, config) for config in turned(REFERENCE)] if first else worth.trying(shape)
    else:
        made = [
            (worth.CARRY, CARRY_START.replace(HEIGHT=height, CHANNELS=channels, BLOCKS=blocks, STAGES=stages, PLANES=planes))
            for height, channels, blocks in ((5, 1, 2), (5, 2, 1), (6, 1, 2), (6, 2, 1), (3, 1, 1), (4, 1, 1), (2, 1, 1))
            for stages, planes in itertools.product((3, 4), (20, 30, 60))
        ]  # fmt: skip
    return [one for one in made if fits(shape, one[1])]


def turned(cuts):
    """Yield cuts of the turning kernel for the reference shape."""
    for form, changes in cuts:
        for early, slots, whole, steady in changes:
            yield TURN_START.replace(**form, EARLY=early, SLOTS=slots, WHOLE=whole, STEADY=steady)


REFERENCE = (
    ({"QUADS": 3, "PLANES": 30}, ((1, 2, 0, 0), (1, 2, 0, 1), (1, 2, 2, 1), (3, 2, 2, 1), (1, 2, 1, 1), (2, 2, 2, 1))),
    ({"QUADS": 3, "PLANES": 30}, ((0, 3, 2, 1), (2, 3, 2, 1), (3, 3, 2, 1))),
    ({"QUADS": 2, "PLANES": 20}, ((2, 4, 3, 1), (2, 3, 3, 1))),
    ({"QUADS": 4, "PLANES": 30}, ((1, 2, 0, 0),)),
)
"""Forms, and of each who moves before multiplying, planes in shared memory, rounds of columns walked whole, and 1 where addresses go on."""


def fits(shape, config) -> bool:
    try:
        return plan.rung_of(shape, config).shared_bytes <= rungs.SHARED_BYTES
    except ValueError:
        return False


def cases(seed):
    """Yield number, told and a call's arguments; with a seed drawn shapes instead of those of video models, but for the first."""
    for number, (channels, size, window, padding) in enumerate([VIDEOS[0], *drawn_shapes(seed)] if seed else VIDEOS):
        for dtype, last in ((torch.bfloat16, True), (torch.float32, False)):
            told = {"channels": channels, "size": size, "window": window, "dtype": str(dtype), "channels_last": last}
            yield number, told, (channels, size, window, padding, dtype, last)


def drawn_shapes(seed):
    """Yield shapes of 16 million to 256 million elements, drawn at random."""
    draw = random.Random(seed)
    for number in range(40):
        window = ((3, 3, 3), (3, 5, 5), (5, 5, 5))[number % 3]
        size = draw.randint(max(4, window[0]), 32), draw.randint(14, 128), draw.randint(14, 128)
        least, most = (count // (8 * size[0] * size[1] * size[2]) for count in (1 << 24, 1 << 28))
        if most >= 8 and least <= 160:
            padding = tuple(extent // 2 for extent in window)
            yield 8 * draw.randint(max(8, least), min(160, most)), size, window, padding


def drawn(channels, size, window, padding, dtype, last):
    x = torch.randn(1, channels, *size, device="cuda").to(dtype)
    x = x.contiguous(memory_format=torch.channels_last_3d) if last else x
    weight, bias = (
        torch.randn(channels, 1, *window, device="cuda").to(dtype),
        torch.randn(channels, device="cuda").to(dtype),
    )
    return depthwise_conv3d(x, weight, bias, padding=padding)


def compiled_ahead(programs) -> None:
    """Compile in threads what dispatch would compile one after the other."""

    def one(program):
        entry = program.launches[0].entry
        return program, nvrtc.compile_text(program.source, "walk", program.options, (entry,), 90), entry

    with ThreadPoolExecutor(16) as pool:
        for program, made, entry in pool.map(one, programs):
            driver = cuda._driver()  # noqa: SLF001 - filled in ahead
            cuda._functions[program.build_key, entry, 0] = driver.function(  # noqa: SLF001
                driver.load(made.binary), made.symbols[entry]
            )


def exact(call, some):
    wide = [
        x[:, some].double() if x.dim() == 5 and x is call.x else x[some].double()
        for x in (call.x, call.weight, call.bias)
    ]
    return torch.nn.functional.conv3d(*wide, padding=call.padding, groups=len(some))


def errors(found, wanted, some):
    apart = (found[:, some].double() - wanted).abs()
    return {"largest": float(apart.max()), "mean_square": float(apart.square().mean())}


def measure(told, number, given, ends):
    operator, call = drawn(*given)
    described = operator.described(call, gradient=False)
    device = place.facts(call.x, "cuda").device
    shape = described.shape
    usual = operator.choose(described, call.x)
    tried = [(usual.implementation, usual.config, usual)]
    for name, config in listed(shape, number == 0):
        tried.append((name, config, replace(usual, implementation=name, config=config, device=device)))
    direct = replace(usual, implementation="cuda", config=choosing.NAIVE, device=device)
    programs = [operator.program(call, one) for *_, one in tried if one.implementation in choosing.IN_CUDA]
    compiled_ahead([*programs, operator.program(call, direct)])
    trusted = operator.run(call, Answer(direct))
    some = torch.linspace(0, shape.c - 1, min(CHANNELS, shape.c), device="cuda").long()
    wanted = exact(call, some)
    theirs = errors(operator.peer(call), wanted, some)
    scale, runs, rows = float(wanted.abs().max()), {}, {}
    for name, config, choice in tried:
        label = f"{name} {config}"
        try:
            answer = Answer(choice)
            made = operator.run(call, answer)
            apart = float((made - trusted).abs().max())
            rows[label] = {"error": errors(made, wanted, some), "from_direct": apart}
            if not apart <= scale * (2**-7 if shape.dtype == "bfloat16" else 1e-5):
                rows[label]["wrong"] = True
                continue
            runs[label] = pace.Replays().timed(lambda answer=answer: operator.run(call, answer))
            rows[label]["ns"] = []
        except Exception as error:  # noqa: BLE001 - a benchmark tells and goes on
            rows[label] = {"failed": f"{type(error).__name__}: {str(error)[:200]}"}
        if time.monotonic() > ends:
            break
    copied = torch.empty_like(call.x)
    runs["copy of x"] = pace.Replays().timed(lambda: copied.copy_(call.x))
    rows["copy of x"] = {"ns": []}
    runs["torch"] = pace.Replays().timed(lambda: operator.own(call))
    rows["torch"] = {"ns": []}
    for _ in range(ROUNDS):
        for label, sample in runs.items():
            if label != "torch" or len(rows[label]["ns"]) < 2:  # takes many times as long
                rows[label]["ns"].append(sample())
    times = {label: median(rows[label]["ns"]) / 1e3 for label in runs}
    best = sorted(times.keys() - {"copy of x", "torch"}, key=times.__getitem__)
    copied_us = times["copy of x"] * shape.compulsory_bytes / (2 * call.x.nbytes)
    return {
        **told, "usual": f"{usual.implementation} {usual.config}", "usual_us": times.get(f"{usual.implementation} {usual.config}"),
        "best": best[:3], "best_us": [times[one] for one in best[:3]], "bytes": shape.compulsory_bytes, "copied_us": copied_us, "torch_error": theirs,
        "rows": rows,
    }  # fmt: skip


def ablated(given) -> dict[str, float]:
    """Return what the best cuts take, in µs, without one part of their work each: what is left out was hidden, or was not.

    Results are wrong, of course; nothing that writes elsewhere is left out.
    """
    operator, call = drawn(*given)
    usual = operator.choose(operator.described(call, gradient=False), call.x)
    device, times = place.facts(call.x, "cuda").device, {}
    parts = {
        "whole": ("", ""),
        "no products": (
            "multiply(sum[kd], j, above, below, taps[kd]);",
            "sum[kd][0] += as_float(above[j] ^ below[j]);",
        ),
        "no writes": ("flush(made + (1 - slot)", "if (step < 0) flush(made + (1 - slot)"),
        "no turning in": ("if (step + 1 < steps) settle(", "if (step < 0) settle("),
        "no reads": ("if (step + AHEAD < steps) fetch(", "if (step < 0) fetch("),
        "no reads, none ahead": ("if (step + 1 < steps) fetch(", "if (step < 0) fetch("),
    }
    for more in ({"AHEAD": 0}, {"AHEAD": 3}):
        config = TURN_START.replace(PLANES=30, TOGETHER=1, **more)
        choice = replace(usual, implementation=worth.TURN, config=config, device=device)
        program = operator.program(call, choice)
        for name, (text, instead) in parts.items():
            if text not in program.source:
                continue
            made = operator.fake(call)
            arrays = operator.arrays(call, made)
            changed = replace(program, source=program.source.replace(text, instead) if text else program.source)
            launches = launch.prepared(changed, device, arrays)
            sample = pace.Replays().timed(lambda launches=launches, arrays=arrays: launches(arrays))
            times[f"{config}: {name}"] = round(median(sample() for _ in range(ROUNDS)) / 1e3, 1)
    return times


def copy_rate() -> float:
    """Return bytes a ns of a copy of 1 GiB, read and written."""
    source, target = (torch.empty(_GIB // 4, device="cuda") for _ in range(2))
    sample = pace.Replays().timed(lambda: target.copy_(source))
    return 2 * _GIB / median(sample() for _ in range(ROUNDS))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--limit-s", type=float, default=150.0)
    parser.add_argument("--last", action="store_true", help="channels last only")
    parser.add_argument(
        "--drawn", type=int, default=0, help="a seed: shapes drawn at random instead of those of models"
    )
    parser.add_argument(
        "--ablate", action="store_true", help="only the reference shape without one part of its work each"
    )
    asked = parser.parse_args()
    torch.manual_seed(7)
    functions.families()
    ends, rate = time.monotonic() + asked.limit_s, copy_rate()
    if asked.ablate:
        with torch.no_grad():
            print(json.dumps(ablated(next(given for _, told, given in cases(0) if told["channels_last"])), indent=1))
        return
    with asked.out.open("a", encoding="utf-8") as sink, torch.no_grad():
        sink.write(
            json.dumps({"device": torch.cuda.get_device_name(), "torch": torch.__version__, "copy_gb_s": rate}) + "\n"
        )
        for number, told, given in cases(asked.drawn):
            if asked.last and not told["channels_last"]:
                continue
            if time.monotonic() > ends:
                print("not reached:", told)
                continue
            try:
                row = measure(told, number, given, ends)
                row["floor_us"] = row["bytes"] / rate / 1e3
            except Exception as error:  # noqa: BLE001
                row = {**told, "failed": f"{type(error).__name__}: {str(error)[:300]}"}
            sink.write(json.dumps(row) + "\n")
            sink.flush()
            bad = [label for label, one in row.get("rows", {}).items() if "failed" in one or "wrong" in one]
            shown = {name: value for name, value in row.items() if name not in ("rows", "best")}
            print(
                shown,
                "share of the floor:",
                round(row["floor_us"] / row["best_us"][0], 3) if row.get("best_us") else None,
            )
            print("   wrong or failed:", [(label, row["rows"][label]) for label in bad][:5] or "none", flush=True)
            for label, one in sorted(row.get("rows", {}).items(), key=lambda pair: median(pair[1].get("ns") or [9e9])):
                if one.get("ns"):
                    taken_us = median(one["ns"]) / 1e3
                    print(f"   {taken_us:8.1f} us {row['floor_us'] / taken_us:6.3f} {label}")
            torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
