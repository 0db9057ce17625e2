"""Damage listings at random, or let them compute something else, and execute them in both back ends: every answer must be a designed one, and the same.

    python benchmarks/emulate_fuzz.py --count 4000 --seed 1 --out fuzz.json

Each damaged listing is executed in NumPy and in C in a process of its own kind (a crash of C ends a worker, not the run). A row is
kept for everything but a designed error or an execution: another exception, a crash, more seconds than one may take; and where
both back ends came to an end with different results though nothing was reported.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import re
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from hotloop.app.code.offline import compile_offline
from hotloop.compilers import executor
from hotloop.compilers.offer import Compiled
from hotloop.emulate.launch import Launch, run
from hotloop.emulate.machine import Options
from hotloop.emulate.program import kernels, load
from hotloop.errors import HotloopError

SOURCES = [Path(__file__).parent / "corpus_kernels", Path(__file__).parents[1] / "examples"]
FOLDER = Path(__file__).parents[1] / "tests" / "golden" / "amdgcn"
WORDS = [
    "v0",
    "s3",
    "v[0:1]",
    "s[0:1]",
    "vcc",
    "vcc_lo",
    "exec",
    "exec_lo",
    "m0",
    "off",
    "0x7fffffff",
    "-1",
    "1.0",
    "null",
    "a0",
    "a[0:3]",
    "v255",
    "s[4:7]",
    "scc",
    "s104",
    "v[0:3]",
    "-|v1|",
    "0.5",
    "lgkmcnt(0)",
    "src_shared_base",
    "ttmp0",
    "v1.h",
    "sext(v1)",
    "64",
    "0xffffffffffff",
    "s[0:15]",
    "v[252:255]",
    "@abc",
    "gpr_idx(SRC0)",
    "s127",
    "[v0,v1]",
]
TAILS = (
    "offset:65535",
    "offset:-4",
    "glc",
    "offen",
    "op_sel:[1,1,1]",
    "row_shr:3",
    "quad_perm:[9,1,2,3]",
    "dst_sel:BYTE_9",
    "clamp",
    "neg:[1,0]",
    "offset0:255",
)


_SCALARS = {2: np.int16(64), 4: np.int32(64), 8: np.int64(64)}


def pool(texts: list[str]) -> list[str]:
    """Return every different instruction of the listings, to be put where it does not belong."""
    lines = (line.split(";")[0].rstrip() for text in texts for line in text.split("\n"))
    return sorted({line for line in lines if line.startswith("\t") and not line.startswith("\t.") and len(line) > 3})


def damaged(text: str, others: list[str], chosen: random.Random) -> str:
    """Return a listing with one to four things changed."""
    lines = text.split("\n")
    code = [n for n, line in enumerate(lines) if line.startswith("\t") and not line.strip().startswith((".", ";"))]
    for _ in range(chosen.randrange(1, 5)):
        place = chosen.choice(code)
        match chosen.randrange(7):
            case 0:
                lines[place] = "\ts_nop 0"
            case 1:
                lines[place] = chosen.choice(others)
            case 2:
                parts = lines[place].split(", ")
                parts[chosen.randrange(len(parts))] = chosen.choice(WORDS)
                lines[place] = ", ".join(parts) if ", " in lines[place] else lines[place] + ", " + parts[0]
                lines[place] = lines[place] if lines[place].startswith("\t") else "\t" + lines[place]
            case 3:
                lines[place] += " " + chosen.choice(TAILS)
            case 4:
                other = chosen.choice(code)
                lines[place], lines[other] = lines[other], lines[place]
            case 5:
                at = chosen.randrange(len(lines[place]) + 1)
                lines[place] = (
                    "\t" + (lines[place][:at] + chosen.choice("0123456789vs[]:,x-@ ") + lines[place][at:]).strip()
                )
            case _:
                parts = lines[place].split(", ")
                lines[place] = ", ".join(parts[:-1]) if len(parts) > 1 else "\ts_waitcnt vmcnt(0)"
    return "\n".join(lines)


def shape(line: str) -> str:
    """Return an instruction's operands without their numbers: what a mnemonic must take to stand in its place."""
    return re.sub(r"\b(?!0x)\d+\b|0x[0-9a-f]+", "0", line.strip().partition(" ")[2])


def wavered(text: str, others: list[str], chosen: random.Random) -> str:
    """Return a listing in which one to four vector or scalar computations compute something else of the same operands, or of others."""
    lines = text.split("\n")
    code = [
        n
        for n, line in enumerate(lines)
        if re.match(
            r"\t(v_(?!cmp|readlane|readfirst)|s_(?!load|cbranch|branch|wait|barrier|end|buffer|getpc|setpc|swappc))",
            line,
        )
    ]
    for place in chosen.sample(code, min(len(code), chosen.randrange(1, 5))):
        line = lines[place].split(";")[0].rstrip()
        alike = [other for other in others if shape(other) == shape(line) and other[1:3] == line[1:3]]
        head, _, rest = line.strip().partition(" ")
        match chosen.randrange(3):
            case 0 if alike:
                head = chosen.choice(alike).strip().partition(" ")[0]
            case 1:
                first, *parts = rest.split(", ")
                rest = ", ".join([first, *chosen.sample(parts, len(parts))])
            case _:
                rest = re.sub(r"(?<=, )-?\d+$", lambda _: str(chosen.randrange(-16, 65)), rest)
        lines[place] = f"\t{head} {rest}"
    return "\n".join(lines)


def compiled(targets: tuple[str, ...]) -> dict[str, str]:
    """Return listings of the benchmarks' own C kernels, which run to their end when nothing is changed."""
    found: dict[str, str] = {}
    for path in sorted(p for folder in SOURCES for p in folder.iterdir() if p.suffix in (".cl", ".hip")):
        for target in targets:
            text = re.sub(r"__launch_bounds__\s*\([^)]*\)", "", path.read_text())
            for kernel in re.findall(r"(?:__kernel|__global__)[^;{]*?\bvoid[^;{(]*?\b(\w+)\s*\(", text):
                made = compile_offline(f"{path}:{kernel}", target)
                if isinstance(made, Compiled) and executed(alone(made.listing, kernel), native=False)[0] == "ran":
                    found[f"{path.name}:{kernel} {target}"] = alone(made.listing, kernel)
    return found


def alone(text: str, kernel: str) -> str:
    """Return a listing with the description of one kernel first, which is the one that is executed."""
    return text if not (names := kernels(text)) or names[0] == kernel else ""


def executed(text: str, native: bool) -> tuple[str, bytes]:
    """Return what became of a listing: "error", "found", "ran" with the arrays, or the name of what is no designed error."""
    arrays = [np.arange(4096, dtype=np.float32) for _ in range(12)]
    try:
        program = load(text, kernels(text)[0]) if kernels(text) else load(text)
        wanted = [one for one in program.descriptor.arguments if not one.hidden]
        given: list[Any] = [_SCALARS.get(one.size, np.int32(64)) if not one.pointer else arrays.pop() for one in wanted]
        shared = 0 if program.descriptor.lds_bytes else 1 << 15
        launch = Launch(
            arguments=given,
            grid=(2, 1, 1),
            workgroup=program.descriptor.workgroup or (64, 1, 1),
            dynamic_lds_bytes=shared,
        )
        done = run(program, launch, Options(budget=8_000), backend=executor.native() if native else None)
    except HotloopError:
        return "error", b""
    except MemoryError:
        return "memory", b""
    except Exception:  # noqa: BLE001 - what this is after
        return "exception: " + traceback.format_exc(limit=-2)[-400:], b""
    if done.findings:
        return "found", b""
    return "ran", b"".join(np.ascontiguousarray(a).tobytes() for a in done.arrays if isinstance(a, np.ndarray))


def _serve(pipe: Any) -> None:
    while (asked := pipe.recv()) is not None:
        pipe.send(executed(*asked))


class Worker:
    """A process that executes; started anew when it is gone."""

    def __init__(self) -> None:
        self.start()

    def start(self) -> None:
        """Start it."""
        self.pipe, theirs = multiprocessing.Pipe()
        self.process = multiprocessing.get_context("spawn").Process(target=_serve, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()

    def ask(self, text: str, native: bool, limit_s: float) -> tuple[str, bytes]:
        """Return its answer, or that it crashed or took too long."""
        self.pipe.send((text, native))
        try:
            if self.pipe.poll(limit_s):
                answer: tuple[str, bytes] = self.pipe.recv()
                return answer
            told = "longer than it may take"
        except EOFError:
            told = "crash"
        self.process.kill()
        self.process.join()
        told += f" ({self.process.exitcode})"
        self.start()
        return told, b""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--limit", type=float, default=60.0)
    parser.add_argument("--wavering", type=float, default=0.7, help="share of listings that are to stay programs")
    parser.add_argument("--targets", default="gfx942,gfx1030,gfx1100,gfx1201", help="of the kernels that are compiled")
    parser.add_argument("--lines", type=int, default=600, help="of a listing at most")
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    names = [path for path in sorted(FOLDER.glob("*.s")) if path.read_text().count("\n") <= chosen.lines]
    texts = {path.name: path.read_text() for path in names}
    whole = compiled(tuple(chosen.targets.split(",")))
    whole |= {name: text for name, text in texts.items() if executed(text, native=False)[0] == "ran"}
    others, worker = pool([*texts.values(), *whole.values()]), Worker()
    counts: Counter[str] = Counter()
    rows, began, number = [], time.monotonic(), 0
    for number in range(chosen.count):
        if time.monotonic() - began > chosen.seconds:
            break
        drawn = random.Random(f"{chosen.seed}-{number}")
        wavers = drawn.random() < chosen.wavering
        name = drawn.choice(list(whole if wavers else texts))
        text = wavered(whole[name], others, drawn) if wavers else damaged(texts[name], others, drawn)
        (one, first), (two, second) = (worker.ask(text, native, chosen.limit) for native in (False, True))
        counts.update((f"NumPy {one.split(':')[0]}", f"C {two.split(':')[0]}"))
        bad = [told for told in (one, two) if told not in ("error", "found", "ran", "memory")]
        if not bad and one == two == "ran" and first != second:
            bad = ["different results"]
        elif not bad and one != two:
            bad = [f"NumPy {one}, C {two}"]
        if bad:
            rows.append({"number": number, "listing": name, "why": bad})
            print(number, name, bad[0][-300:], flush=True)
        if chosen.out:
            told = {
                "seed": chosen.seed,
                "listings": [*texts, *whole],
                "damaged": number + 1,
                "counts": counts,
                "rows": rows,
            }
            chosen.out.write_text(json.dumps(told, indent=1) + "\n")
    worker.process.kill()
    print(number + 1, dict(counts), len(rows), "to look at")


if __name__ == "__main__":
    main()
