"""Triton's compiler in a child process: what the front ends for Triton and Gluon have in common."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hotloop.compilers.offer import Compiled, Request, Result
from hotloop.compilers.process import Told, ask
from hotloop.compilers.resources import from_cubin, from_metadata, launched
from hotloop.errors import MissingExtraError
from hotloop.host import disassemble, scratch, toolchain
from hotloop.model.outcome import CompileFailed
from hotloop.targets.target import Target

CHILD = "hotloop.compilers.child"
_TELLING = re.compile(r"\b(?:error|warning|remark|note|LLVM ERROR)\b:|Error:")
_ERROR = re.compile(r":\d+: error: ")
_MOST_LINES = 40
_UNREACHABLE = "no code by Triton"
"""The feature of targets that Triton refuses."""


def refusal(target: Target) -> str:
    """Return why Triton cannot reach a target, or an empty text."""
    if target.has(_UNREACHABLE):
        return f"Triton has no code generator for {target.name}; write HIP or OpenCL C, which clang compiles for it."
    if target.nvidia and not target.at_least(75):
        return f"the ptxas in Triton's wheel starts at sm_75, {target.name} is older."
    return ""


def compile_(request: Request, language: str) -> Result:
    """Compile a kernel of a Python file, or a Triton IR file, in a child process."""
    if toolchain.package("triton") is None:
        raise MissingExtraError(f"compiling {language} kernels", "amd" if request.target.amd else "triton")
    target = request.target
    message = {
        "path": str(request.source.resolve()),
        "kernel": request.kernel,
        "language": language,
        "backend": "hip" if target.amd else "cuda",
        "target": str(target),
        "arch": target.name if target.amd else str(target.capability),
        "wave_size": target.wave_size,
        "parameters": list(request.parameters),
        "search": list(request.search),
        "package": request.package,
        "vacant": request.vacant,
        "passed": [one and (one.kind, one.value) for one in request.passed],
    }
    with scratch.folder() as cache:
        # FMA contraction is spelled out: its default changes between Triton 3.9 and 3.10.
        environment = toolchain.environment(TRITON_CACHE_DIR=cache, TRITON_DEFAULT_FP_FUSION="1")
        reply = ask(CHILD, environment, message, request.limit_s)
    if not isinstance(reply, Told):
        return reply
    answer, messages = reply.answer, _said(reply.said)
    if "failed" in answer:
        return CompileFailed(_log(answer["failed"], messages), _line(answer["failed"]))
    made = _compiled(answer, target)
    notes, folded = tuple(answer.get("notes", ())), tuple(answer.get("folded", ()))
    vacant = tuple((str(file), int(line)) for file, line in answer.get("vacant", ()))
    return replace(made, log=messages, notes=notes, folded=folded, vacant=vacant, duration_ns=reply.took_ns)


def _compiled(answer: Mapping[str, Any], target: Target) -> Compiled:
    binary = base64.b64decode(answer["binary"])
    made = Compiled(
        kernel=answer["symbol"],
        language=answer["language"],
        target=str(target),
        listing=answer["amdgcn"],
        dialect="amdgcn",
        binary=binary,
        resources=from_metadata(answer["amdgcn"], target),
        compiler=answer["compiler"],
        options=tuple(answer["options"]),
    )
    if not target.amd:
        usage = disassemble.usage(binary)
        listing, resources = disassemble.sass(binary), from_cubin(usage, "", target)
        tools = toolchain.provenance({"ptxas": toolchain.ptxas(target.capability)})
        compiler = f"{made.compiler}, {tools}"
        made = replace(made, listing=listing, dialect="sass", resources=resources, ptx=answer["ptx"], compiler=compiler)
    threads = answer["num_warps"] * answer["warp_size"]
    kernels = (launched(kernel, answer["symbol"], answer["shared_bytes"], threads) for kernel in made.resources)
    return replace(made, resources=tuple(kernels))


def _log(failed: str, output: str) -> str:
    """Return a failure's messages, the telling ones first: of a pass that failed the exception says only that one did."""
    has_reason = failed.startswith("RuntimeError:") and _ERROR.search(output)
    return "\n".join(filter(None, (output, failed) if has_reason else (failed, output)))


def _said(tail: str) -> str:
    """Return the messages in what the compiler printed; the IR that MLIR dumps with them would fill screens."""
    return "\n".join([line for line in tail.splitlines() if _TELLING.search(line)][:_MOST_LINES])


def _line(text: str) -> int | None:
    """Return the line of a Triton CompilationError: ``at 12:8:``, counted from the decorated function's ``def``."""
    match = re.search(r"\bat (\d+):\d+:", text)
    return int(match[1]) if match else None
