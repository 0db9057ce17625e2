"""Plant bugs that somebody wrote down beforehand in sources of public kernels, Triton and HIP, and see which are reported.

    PYTHONPATH=PACKAGES:TORCH EMU_TARGET=gfx942 python benchmarks/emulate_plants.py --sources FOLDER --calls CALLS.toml --hip HIP.toml
        [--plants PLANTS.toml --half first --seed 1] --out rows.json

Calls of Triton kernels stand in a file as for `emulate_edits.py`. A HIP kernel is a piece of a file in FOLDER (`source`, from `begin` to
before `end`), with `head` in front and `swaps` of text, so that it compiles without its library; `given`, `grid`, `group`, `lds` launch it,
`values` are contents of arrays, `suffix = "cl"` makes it OpenCL C, and `right`, the text of a function `right(a)`, returns what
arrays must hold afterwards (NumPy), from what they held before. A plant names its kernel (`of`), its `kind`, `was` and `now`, for Triton the `file` (`call`: the call itself),
and which occurrence (`nth`, from 0). A coin, thrown by the seed and the plant's number, says which half it is in. Every launch is
executed as `hotloop emulate` does it. Rows: `reported`, `remark` (a note only), `changed` (other results, no word), `same`, `refused`.
An argument that is passed twice is one array.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import re
import signal
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import emulate_calls
import emulate_edits
import numpy as np
import torch
import triton
import triton_on_cpu

from hotloop.app.emulate.ask import Request, task_of
from hotloop.app.emulate.execute import Adversary, execute
from hotloop.app.emulate.task import Hollow, Step, Task
from hotloop.compilers import executor, vacant
from hotloop.emulate import program as executable
from hotloop.emulate.errors import Exhausted
from hotloop.errors import HotloopError

TARGET = os.environ.get("EMU_TARGET", "gfx942")
HOW = Adversary(budget=emulate_edits.BUDGET)
LIMIT_S = int(os.environ.get("EMU_LIMIT_S", "90"))


def hook(made: Any, program: Any, launch: Any, row: dict[str, Any]) -> None:
    """Execute a Triton launch as the command does, with what `torch.empty` gave as results to be written."""
    constants, values, again = row.pop("constants"), row.pop("tensors"), row.pop("again")
    sizes = frozenset(v for v in constants.values() if isinstance(v, int) and v > 1 and v & (v - 1))
    tensor = {n: v for n, v in zip(launch.names, values, strict=True) if isinstance(v, torch.Tensor)}
    first = {id(v): n for n, v in reversed(tensor.items())}
    alias = {n: first[id(v)] for n, v in tensor.items()}
    fresh = frozenset(alias[n] for n, v in tensor.items() if emulate_edits.untouched(v))
    arrays = {
        n: emulate_edits.shaped(triton_on_cpu.unpack(v), tuple(tensor[n].shape) if tensor[n].is_contiguous() else None)
        for n, v in zip(launch.names, launch.arguments, strict=True)
        if n in tensor
    }
    views = {
        n for n, v in zip(launch.names, launch.arguments, strict=True) if not isinstance(v, np.ndarray | np.generic)
    }
    step = Step(
        program=program,
        listing=made.asm["amdgcn"],
        arguments=tuple(
            alias[n] if n in arrays and n not in views else v
            for n, v in zip(launch.names, launch.arguments, strict=True)
        ),
        grid=launch.grid,
        workgroup=launch.workgroup,
        shared_bytes=launch.dynamic_lds_bytes,
    )  # fmt: skip
    whole = {n: v for n, v in arrays.items() if n not in views and alias[n] == n}
    hollow = others(step, again)
    asked = {"fresh": fresh - views, "outputs": fresh - views, "inputs": frozenset(whole) - fresh, "sizes": sizes}
    answer = execute(Task(label="", target=TARGET, steps=(step,), arrays=whole, hollow=hollow, **asked), HOW)
    row["fresh"] = sorted(fresh)
    row["findings"] = [
        f"{told.finding.trouble}: {told.finding.text} (line {told.finding.line})" for told in answer.findings
    ]
    row["notes"] = list(answer.notes)
    row["digest"] = hashlib.sha256(b"".join(v.tobytes() for v in answer.arrays.values())).hexdigest()
    for name, value in tensor.items():
        if name in whole and alias[name] == name:
            raw, held = (
                triton_on_cpu.storage(value),
                np.ascontiguousarray(answer.arrays[name]).reshape(-1).view(np.uint8),
            )
            raw[: held.nbytes] = held
    raise emulate_edits.Enough


LOADS = vacant.watch()


def others(step: Step, again: Any) -> Hollow | None:
    """Return the launch from two more builds, where masked loads of the one just compiled leave lanes undefined."""
    places = sorted(set(LOADS.places))
    LOADS.places.clear()
    if not places:
        return None
    steps = []
    for fill in vacant.FILLS:
        LOADS.fill = fill
        made = again()
        code = executable.load(made.asm["amdgcn"], made.metadata.name)
        steps.append(replace(step, program=code, listing=made.asm["amdgcn"], shared_bytes=made.metadata.shared))
    LOADS.fill = ""
    LOADS.places.clear()
    return Hollow(
        text=f"masked loads without other: {places}", file=places[0][0], line=places[0][1], steps=tuple(steps)
    )


def prepare() -> None:
    """Put the executor in the place of Triton's launcher."""
    signal.signal(signal.SIGALRM, emulate_calls.late)
    triton_on_cpu.install()
    triton_on_cpu.jit.JITFunction.run = emulate_edits.started
    triton_on_cpu.HOOK = hook
    emulate_edits.watch_empties()
    torch.set_num_threads(1)
    torch.cuda.device = torch.cuda._DeviceGuard = emulate_calls.Nothing  # type: ignore[assignment,misc,attr-defined]  # noqa: SLF001
    torch.cuda.current_device = lambda: 0
    torch.cuda.is_available = lambda: False
    torch.cuda.synchronize = lambda *_: None
    executor.native()
    triton.knobs.compilation.always_compile = True  # what was kept on disk was watched by nobody


# -- HIP ---------------------------------------------------------------------------------------------------------------


def source(recipe: dict[str, Any], folder: Path) -> str:
    """Return the text of a HIP kernel cut out of its package."""
    text = "".join(
        part[(at := part.index(begin)) : part.index(end, at) if end else None]
        for file, begin, end in recipe["pieces"]
        for part in [(folder / file).read_text(encoding="utf-8")]
    )
    for was, now in recipe.get("swaps", ()):
        assert was in text, was
        text = text.replace(was, now)
    first = "" if recipe.get("suffix") == "cl" else "#include <hip/hip_runtime.h>\n"
    return f"{first}{recipe.get('head', '')}\n{text}"


def launched(recipe: dict[str, Any], text: str) -> dict[str, Any]:
    """Compile and execute a HIP kernel."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, f"kernel.{recipe.get('suffix', 'hip')}")
        file.write_text(text, encoding="utf-8")
        asked = Request(
            text=f"{file}:{recipe['kernel']}" if recipe.get("several") else str(file),
            target=TARGET,
            macros=(),
            given=tuple(recipe["given"]),
            grid=tuple(recipe["grid"]),
            workgroup=tuple(recipe["group"]),
            shared_bytes=recipe.get("lds", 0),
            how=HOW,
        )  # fmt: skip
        try:
            task = task_of(asked)
            values = eval(recipe.get("values", "{}"), {"np": np})
            arrays = {n: np.asarray(values.get(n, v), v.dtype).reshape(v.shape) for n, v in task.arrays.items()}
            answer = execute(replace(task, arrays=arrays), HOW)
        except Exhausted as reason:
            return {
                "kernels": [
                    {"kernel": "", "findings": [one for one in (reason.found,) if one], "reason": f"endless: {reason}"}
                ]
            }
        except HotloopError as reason:
            return {"kernels": [], "failed": str(reason)[:300]}
    found = [f"{t.finding.trouble}: {t.finding.text} (line {t.finding.line})" for t in answer.findings]
    digest = hashlib.sha256(b"".join(v.tobytes() for v in answer.arrays.values())).hexdigest()
    row = {"kernel": "", "findings": found, "notes": list(answer.notes), "digest": digest}
    return {"kernels": [row | ({"wrong": wrong(recipe["right"], arrays, answer.arrays)} if "right" in recipe else {})]}


def wrong(text: str, before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Return the arrays that do not hold what a function of NumPy says."""
    scope: dict[str, Any] = {"np": np}
    exec(text, scope)
    wanted = scope["right"]({name: value.copy() for name, value in before.items()})
    return [
        name
        for name, value in wanted.items()
        if not np.allclose(
            np.asarray(after[name], np.float64).reshape(-1),
            np.asarray(value, np.float64).reshape(-1),
            2e-3,
            2e-4,
            equal_nan=True,
        )
    ]


# -- rows --------------------------------------------------------------------------------------------------------------


def told(sentence: str) -> str:
    """Return a sentence without its lines and registers."""
    return re.sub(r"\(line \d+\)|\b[vs]\d+\b|\d+", "", sentence)


def verdict(clean: dict[str, Any], row: dict[str, Any]) -> tuple[str, str]:
    """Return what became of a plant, and the first sentence about it."""
    known = {told(one) for launch in clean["kernels"] for one in launch.get("findings", ())}
    for launch in row["kernels"]:  # what the clean kernel is reported for says nothing about the bug
        launch["findings"] = [one for one in launch.get("findings", ()) if told(one) not in known]
    status, first = emulate_edits.verdict(clean, row)
    if status in ("changed", "same"):
        known = {note for launch in clean["kernels"] for note in launch.get("notes", ())}
        new = [note for launch in row["kernels"] for note in launch.get("notes", ()) if note not in known]
        more = [note for note in new if "copies of one sum" not in note]
        return ("remark", more[0][:240]) if more and status == "changed" else (status, "")
    return status, first


def half(seed: int, number: int) -> str:
    """Throw the coin of a plant."""
    return "first" if random.Random(f"{seed}:{number}").random() < 0.5 else "second"


def taken(chosen: argparse.Namespace, number: int) -> bool:
    """Tell whether a plant was asked for."""
    named = {int(n) for n in chosen.numbers.split(",") if n}
    return chosen.half in ("", half(chosen.seed, number)) and (not named or number in named)


def replaced(text: str, plant: dict[str, Any]) -> str:
    """Return a text with one occurrence replaced."""
    at = -1
    for _ in range(plant.get("nth", 0) + 1):
        at = text.index(plant["was"], at + 1)
    return text[:at] + plant["now"] + text[at + len(plant["was"]) :]


def planted(of: str, plant: dict[str, Any], clean: dict[str, Any], texts: dict[str, Any]) -> dict[str, Any]:
    """Run a kernel with a bug in it."""
    if "recipe" in texts[of]:
        return launched(texts[of]["recipe"], replaced(texts[of]["text"], plant))
    call = texts[of]["text"]
    if plant["file"] == "call":
        return emulate_edits.child(of, replaced(call, plant), LIMIT_S, None)
    file = next(f for f in clean["files"] if f.endswith(plant["file"]))
    return emulate_edits.child(of, call, LIMIT_S, (file, replaced(Path(file).read_text(encoding="utf-8"), plant)))


def kernels(chosen: argparse.Namespace) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the kernels by name with their texts."""
    if chosen.calls:
        for package, texts in tomllib.loads(chosen.calls.read_text()).items():
            yield from ((f"{package} {name}", {"text": text}) for name, text in texts.items())
    if chosen.hip:
        for name, recipe in tomllib.loads(chosen.hip.read_text()).items():
            yield f"hip {name}", {"recipe": recipe, "text": source(recipe, chosen.sources)}


def main() -> None:
    """Write a row for each clean kernel and each plant."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", type=Path, default=Path())
    parser.add_argument("--calls", type=Path)
    parser.add_argument("--hip", type=Path)
    parser.add_argument("--plants", type=Path)
    parser.add_argument("--half", default="")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--numbers", default="", help="only these plants, by number, with commas")
    parser.add_argument("--only", default="")
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    prepare()
    texts = {of: text for of, text in kernels(chosen) if chosen.only in of}
    plants = tomllib.loads(chosen.plants.read_text())["plant"] if chosen.plants else []
    rows = list[dict[str, Any]]()
    for of, text in texts.items():
        mine = [(n, one) for n, one in enumerate(plants) if one["of"] == of and taken(chosen, n)]
        if plants and not mine:
            continue
        clean = (
            launched(text["recipe"], text["text"])
            if "recipe" in text
            else emulate_edits.child(of, text["text"], LIMIT_S, None)
        )
        found = [one for launch in clean["kernels"] for one in launch.get("findings", ())]
        notes = [one for launch in clean["kernels"] for one in launch.get("notes", ())]
        ran = sum("digest" in one for one in clean["kernels"])
        status = "found" if found else "clean" if ran else "not executed"
        if off := [name for one in clean["kernels"] for name in one.get("wrong", ())]:
            status = f"WRONG {off}, {status}"
        elif any("wrong" in one for one in clean["kernels"]):
            status = f"right, {status}"
        why = clean.get("failed", "") or next((one["reason"] for one in clean["kernels"] if "reason" in one), "")
        rows.append(
            {"of": of, "kind": "", "status": status, "launches": ran, "first": (found or [why])[0], "notes": notes}
        )
        print(f"{status}: {of} ({ran}) {why} {found[:2]} {notes[:2]}", flush=True)
        for number, plant in mine:
            status, first = verdict(clean, planted(of, plant, clean, texts))
            rows.append(
                {"number": number, "half": half(chosen.seed, number), **plant, "status": status, "first": first}
            )
            print(
                f"  {status}: {number} {plant['kind']}: {plant['was'][:60]!r} -> {plant['now'][:60]!r} | {first[:160]}",
                flush=True,
            )
            if chosen.out:
                chosen.out.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
        if chosen.out:
            chosen.out.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    print(Counter((one["half"], one["status"]) for one in rows if one["kind"]))


if __name__ == "__main__":
    main()
