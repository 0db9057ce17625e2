"""Rewrites of Triton text on other people's kernels: where each applies and why not, and what the compilers make of them. No GPU.

    PYTHONPATH=src python3 benchmarks/rewrites.py --package FOLDER/liger_kernel --package FOLDER/fla
    PYTHONPATH=src python3 benchmarks/rewrites.py --capture PROGRAM.capture --target gfx942

The first goes through every jitted function that asks for its program's number; the second compiles the captured launches as they are and with each
rewrite, and tells registers, spilled registers, and instructions that load and store global memory. Prints JSON, one line for each package or kernel.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from hotloop.rewrite.jitted.catalogue import rewrites
from hotloop.rewrite.jitted.form import RefusedError, Script

PTX = {"loads": re.compile(r"\b(?:ld\.global|cp\.async)[.:\w]*"), "stores": re.compile(r"\bst\.global[.\w]*")}
GCN = {"loads": re.compile(r"^\s*(?:global|buffer)_load\w*", re.MULTILINE), "stores": re.compile(r"^\s*(?:global|buffer)_store\w*", re.MULTILINE)}  # fmt: skip


def scripts(folder: Path) -> Iterator[Script]:
    """Yield the launched functions of a package's files."""
    for path in sorted(folder.rglob("*.py")):
        try:
            text = path.read_text()
            tree = ast.parse(text)
        except (SyntaxError, UnicodeDecodeError):
            continue
        for statement in tree.body:
            jitted = isinstance(statement, ast.FunctionDef) and any(
                "jit" in ast.unparse(d) for d in statement.decorator_list
            )
            if isinstance(statement, ast.FunctionDef) and jitted and "program_id" in ast.unparse(statement):
                yield Script(text, statement.name)


def applied(folder: Path) -> dict[str, object]:
    """Return for each rewrite to how many kernels it applies, and its usual reasons where it does not."""
    every = list(scripts(folder))
    rows: dict[str, object] = {}
    for rewrite in rewrites():
        fits, reasons = 0, Counter[str]()
        for script in every:
            try:
                fits += rewrite.apply(script, rewrite.values[1]).text != script.text
            except RefusedError as reason:
                reasons[re.sub(r"[\w.]+\[[^]]*\]|line \d+", "…", str(reason))[:90]] += 1
        rows[rewrite.name] = {"applies": fits, "refused": dict(reasons.most_common(4))}
    return {"package": folder.name, "kernels": len(every), "rewrites": rows}


def compiled(capture: Path, name: str, target: str) -> Iterator[dict[str, object]]:
    """Yield what a compiler makes of a captured launch, as it is and with each rewrite that its sizes allow."""
    from hotloop.app.captured import load
    from hotloop.backends.triton import BACKEND
    from hotloop.compilers import pretended
    from hotloop.model.device import Device
    from hotloop.ports import BuildError

    kernel = load.load(capture, name, 60.0)
    implementation = kernel.implementations[0]
    device = Device(
        name=target,
        kind="gpu",
        backend="triton",
        runtime="",
        runtime_key="",
        target=target,
        compute_units=132,
        max_workgroup=1024,
    )
    backend = BACKEND()
    pretended.for_device(target)
    backend.pretend(device)
    base = implementation.start
    for parameter in (None, *implementation.space.parameters):
        names = {rewrite.name for rewrite in rewrites()}
        if parameter is not None and parameter.name not in names:
            continue
        change = {} if parameter is None else _change(implementation, kernel.problem, device, parameter)
        row: dict[str, object] = {"kernel": name, "target": target, **change}
        try:
            program = implementation.plan(kernel.problem, base.replace(**change), device)
            backend.build(program)
            made = next(iter(backend._compiled[_key(program)].values()))  # noqa: SLF001 - what was made is asked of nobody else
            yield row | told(made)
        except (ValueError, BuildError) as reason:
            yield row | {"refused": str(reason).splitlines()[0][:120]}


def _change(implementation: object, problem: object, device: object, parameter: object) -> dict[str, object]:
    """Return a rewrite's first value with what its guard needs, as the loop would propose it."""
    offers = implementation.offers(problem, implementation.start, device)  # type: ignore[attr-defined]
    changes = next((offer.changes for offer in offers if offer.rule == parameter.name), None)  # type: ignore[attr-defined]
    return dict(changes) if changes else {parameter.name: parameter.values[1]}  # type: ignore[attr-defined]


def _key(program: object) -> str:
    from hotloop.drivers.triton import _key as key

    return key(program)  # type: ignore[arg-type]


def told(made: object) -> dict[str, object]:
    """Return registers, spills, loads and stores of a compiled kernel."""
    asm = made.asm  # type: ignore[attr-defined]
    if "ptx" in asm:
        counts = {what: dict(Counter(_width(match) for match in p.findall(asm["ptx"]))) for what, p in PTX.items()}
        return counts | registers(asm["cubin"])
    text = asm["amdgcn"]
    counts = {what: dict(Counter(match.strip() for match in p.findall(text))) for what, p in GCN.items()}
    found = {w: int(m[1]) for w in ("vgpr_count", "vgpr_spill_count") if (m := re.search(rf"\.{w}:\s+(\d+)", text))}
    return counts | {"registers": found.get("vgpr_count"), "spilled": found.get("vgpr_spill_count")}


def _width(text: str) -> str:
    if text.startswith("cp.async"):
        return "async"
    vector = re.search(r"\.v(\d)", text)
    bits = re.search(r"\.[bfsu](\d+)$", text)
    return f"{int(vector[1]) if vector else 1}x{bits[1] if bits else '?'}"


def registers(cubin: bytes) -> dict[str, object]:
    """Return registers and bytes of stack of the only function of a cubin, as its notes say."""
    from io import BytesIO

    from elftools.elf.elffile import ELFFile

    file = ELFFile(BytesIO(cubin))
    info = next((section.data() for section in file.iter_sections() if section.name == ".nv.info"), b"")
    return {"registers": _note(info, 0x2F), "stack_bytes": _note(info, 0x12)}


def _note(info: bytes, kind: int) -> int | None:
    """Return the value of a note of form, kind, length (8), function, value: 0x2F registers, 0x12 least stack."""
    at = info.find(bytes((4, kind, 8, 0)))
    return int.from_bytes(info[at + 8 : at + 12], "little") if at >= 0 else None


def main() -> int:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--package", type=Path, action="append", default=[])
    parser.add_argument("--capture", type=Path, action="append", default=[])
    parser.add_argument("--kernel", action="append", default=[])
    parser.add_argument("--target", default="sm_90")
    given = parser.parse_args()
    for folder in given.package:
        print(json.dumps(applied(folder)), flush=True)
    from hotloop.captures import folder as folders

    for capture in given.capture:
        for kernel in folders.read(capture).kernels:
            if kernel.language == "triton" and (not given.kernel or kernel.name in given.kernel):
                for row in compiled(capture, kernel.name, given.target):
                    print(json.dumps(row), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
