"""Asking rocprofv3, rocprof v2 and rocprof v1 for counters: one run for each pass of the plan.

Command lines and results, as documented, none run on an AMD GPU yet:

* rocprofv3 (ROCprofiler-SDK 1.x, "Using rocprofv3" and "rocprofv3 I/O control options"): ``-d DIR -o NAME --output-format
  csv`` writes ``DIR/NAME_counter_collection.csv``, ``DIR/NAME_kernel_trace.csv`` and ``DIR/NAME_agent_info.csv``, without
  ``-o`` below a folder of the host's name; an input file with several jobs adds ``pass_1/``. Counters after ``--pmc`` are
  divided by blanks or commas, and the job fails if they do not fit in one pass. ``--kernel-iteration-range`` takes
  ``[2-5]``, counts launches of each kernel from 1, ends included, and filters counters only, never the kernel trace. The
  documentation of later versions calls direct CSV deprecated for some traces, counters and kernels not among them.
* rocprofv2 (its script, ROCm 6): ``-i FILE -d DIR -o NAME --plugin file`` runs the program once for each line with ``pmc``
  and writes below ``DIR/pmc_1``, ``DIR/pmc_2`` ..., names with the process id; a line ``kernel:`` filters. No ``--`` stands
  before the program.
* rocprof v1 ("rocprof command reference"): ``-i FILE --timestamp on -o NAME.csv``; lines ``pmc:``, ``range:``, ``gpu:``,
  ``kernel:``. No ``--`` stands before the program.
"""

from __future__ import annotations

import re
from typing import Final

from hotloop.errors import UsageError
from hotloop.profilers.collector import PATTERN, Collector, InputFile, Refusal, Run, Vendor, Wanted, expression
from hotloop.profiles.planning.needed import default_counters
from hotloop.profiles.planning.plan import Pass, plan, rocprof_files

_FOLDERS: Final = ("/opt/rocm/bin",)
_PROCESS: Final = "_%pid%"
"""Output key of rocprofv3: without it, the processes that a program starts would overwrite each other's files."""
_REFUSALS: Final = (
    (
        re.compile(r"Unable to open /dev/kfd[^\n]*(?:denied|permitted)|/dev/kfd[^\n]*Permission denied", re.IGNORECASE),
        Refusal(
            "this user may not use the AMD GPU", "run 'sudo usermod -aG render,video $USER' and log in again"
        ),
    ),
    (
        re.compile(r"Unable to open /dev/kfd|ROCk module is NOT loaded|no GPU agents?|HSA_STATUS_ERROR_OUT_OF_RESOURCES", re.IGNORECASE),
        Refusal("no AMD GPU can be opened", "load the driver with 'sudo modprobe amdgpu' and see that rocminfo lists the GPU"),
    ),
    (
        re.compile(r"exceeds the capabilities of the hardware|error code 38\b|not collected on agent", re.IGNORECASE),
        Refusal("the counters of one pass do not fit in the hardware", "ask for fewer with --counters; rocprofv3-avail pmc-check tells which fit"),
    ),
    (
        re.compile(r"(?:Invalid|Unknown|unsupported) counter|counter[^\n]{0,60}not (?:found|supported|available)|input metric '[^']*' not", re.IGNORECASE),
        Refusal("the GPU does not have one of the counters", "choose among those that 'rocprofv3-avail list --pmc' shows, with --counters"),
    ),
    (
        re.compile(r"PERMISSION_DENIED|not permitted to (?:access|use) (?:the )?(?:performance )?counters|perfmon[^\n]*denied", re.IGNORECASE),
        Refusal("this user may not read performance counters", "run as root, or in a container started with --cap-add=PERFMON"),
    ),
)  # fmt: skip


def passes(wanted: Wanted) -> tuple[Pass, ...]:
    """Return the passes that collect what is wanted. Raises UnknownNameError, UsageError."""
    if not wanted.architecture:
        raise UsageError("counters of AMD are divided into passes by GPU: give --target, such as --target gfx942.")
    return plan(wanted.counters or default_counters(wanted.architecture), wanted.architecture)


def rocprofv3_runs(wanted: Wanted, folder: str) -> tuple[Run, ...]:
    """Return a run for undisturbed times, then one for each pass."""
    single = [name for name in wanted.counters if "[" in name]
    if single:
        raise UsageError(f"rocprofv3 counts no single instance such as {single[0][:60]}: ask for NAME_sum.")
    listed = passes(wanted)
    common = ("--output-format", "csv", "-d", folder)
    times = Run(
        name="times",
        arguments=("--kernel-trace", *common, "-o", f"times{_PROCESS}", "--", *wanted.command),
        results=("**/times_*_kernel_trace.csv", "**/times_*_agent_info.csv"),
    )
    return times, *(_v3_pass(wanted, counters, place, len(listed), common) for place, counters in enumerate(listed, 1))


def _v3_pass(wanted: Wanted, counted: Pass, place: int, number: int, common: tuple[str, ...]) -> Run:
    name = f"pass{place}"
    chosen = ("--kernel-include-regex", expression(wanted.kernel).pattern) if wanted.kernel else ()
    launches = ("--kernel-iteration-range", f"[{wanted.skip + 1}-{wanted.skip + wanted.most}]")
    return Run(
        name=f"pass {place} of {number}",
        arguments=(
            "--pmc",
            *counted.counters,
            *chosen,
            *launches,
            *common,
            "-o",
            f"{name}{_PROCESS}",
            "--",
            *wanted.command,
        ),
        results=(f"**/{name}_*_counter_collection.csv", f"**/{name}_*_agent_info.csv"),
        counters=counted.counters,
        filtered=True,
    )


def rocprofv2_runs(wanted: Wanted, folder: str) -> tuple[Run, ...]:
    """Return one run for each pass; the tables hold times, too."""
    return tuple(
        Run(
            name=f"pass {place} of {number}",
            arguments=(
                "-i", f"{folder}/{file.name}", "--plugin", "file", "-d", f"{folder}/pass{place}", "-o", "pass", *wanted.command,
            ),
            results=(f"pass{place}/**/*.csv",),
            files=(file,),
            counters=counters.counters,
        )
        for place, number, counters, file in _with_files(wanted)
    )  # fmt: skip


def rocprofv1_runs(wanted: Wanted, folder: str) -> tuple[Run, ...]:
    """Return one run for each pass, with time stamps."""
    return tuple(
        Run(
            name=f"pass {place} of {number}",
            arguments=("-i", f"{folder}/{file.name}", "--timestamp", "on", "-o", f"{folder}/pass{place}.csv", *wanted.command),
            results=(f"pass{place}.csv",),
            files=(file,),
            counters=counters.counters,
        )
        for place, number, counters, file in _with_files(wanted)
    )  # fmt: skip


def _with_files(wanted: Wanted) -> list[tuple[int, int, Pass, InputFile]]:
    listed = passes(wanted)
    kernel = "" if wanted.kernel.startswith(PATTERN) else wanted.kernel
    texts = rocprof_files(listed, kernel)
    return [
        (place, len(listed), counters, InputFile(f"pass{place}.txt", text))
        for place, (counters, text) in enumerate(zip(listed, texts, strict=True), 1)
    ]


COLLECTORS = (
    Collector(
        name="rocprofv3", vendor=Vendor.AMD, rank=0, program="rocprofv3", folders=_FOLDERS,
        install="run 'sudo apt install rocprofiler-sdk' (ROCm 6.2 or later), or put /opt/rocm/bin on PATH",
        runs=rocprofv3_runs, refusals=_REFUSALS,
    ),
    Collector(
        name="rocprofv2", vendor=Vendor.AMD, rank=1, program="rocprofv2", folders=_FOLDERS,
        install="run 'sudo apt install rocprofiler', or put /opt/rocm/bin on PATH",
        runs=rocprofv2_runs, refusals=_REFUSALS,
    ),
    Collector(
        name="rocprof", vendor=Vendor.AMD, rank=2, program="rocprof", folders=_FOLDERS,
        install="run 'sudo apt install rocprofiler', or put /opt/rocm/bin on PATH",
        runs=rocprofv1_runs, refusals=_REFUSALS,
    ),
)  # fmt: skip
