"""Recorded profiles: input, verdict by hand, verdict of `hotloop explain`; and on which of them each rule about counters fires.

    python benchmarks/verdicts.py > docs/profiles/verdicts.md

The verdicts by hand stand in ``tests/golden/test_verdicts_amd.py``, written down from the counters before the tool was asked;
the recordings lie beside the repository (``shared/samples``, or where HOTLOOP_SHARED says).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "golden"))

from test_firing import FOLDER
from test_firing import HANDS as FAULTS
from test_published import PUBLISHED
from test_verdicts_amd import HANDS, OTHERS, SAMPLES

from hotloop.app.explain.answer import Request, explain
from hotloop.diagnose.engine import rules
from hotloop.errors import UsageError
from hotloop.explain.page import Explanation

_HEAD = """<!-- written by benchmarks/verdicts.py from the recordings; do not edit -->
# Verdicts on recorded profiles

Each row: what was given to `hotloop explain`, the verdict that was written down from the counters by hand before it was asked,
with the reason, and its answer. "undecided" says that what was counted does not tell what limits the kernel; the answer then
names the evidence that would, and the command that brings it. `tests/golden/test_verdicts_amd.py`,
`tests/golden/test_published.py` and `tests/golden/test_firing.py` hold device, verdict and figures of each row.

| input | by hand | why | hotloop | device |
|---|---|---|---|---|
"""
_FIRES = """
## Where rules about counters and traces fire on recorded data

Every kernel of every recording was explained. A rule without a row here has constructed or reported examples only
(`hotloop techniques`, [rules](../rules.md)): it has not yet fired on data that lie here.

| rule | fires on |
|---|---|
"""
_MISSING = """
`benchmarks/gpu/firing.py` profiles a kernel with one fault each on an NVIDIA card; its profiles lie in `tests/golden/ncu`.
The figures of `partial-counters` are those that the authors of ROCm's profiler reported, put into its table; an MI350X convolution's stand in its examples.
"""
_NCU = ("ncu-h100/gemm-raw.csv", "ncu-h100/torch-mix-raw.csv", "ncu-h100/torch-mix-details.csv")


def main() -> int:
    """Print the page."""
    fired: dict[str, list[str]] = {}
    print(_HEAD, end="")
    for hand in HANDS:
        page = _page(hand.folder)
        print(_row(hand.folder, hand.rule, hand.reason, page))
        _count(fired, hand.folder, page)
    for other in OTHERS:
        page = _page(*other.inputs, chip=other.chip)
        shown = " ".join((*other.inputs, *(("--chip", other.chip) if other.chip else ())))
        print(_row(shown, other.rule, other.reason, page))
        _count(fired, shown, page)
    with TemporaryDirectory() as folder:
        for name, (text, rule, reason, *target) in PUBLISHED.items():
            path = Path(folder) / "page.txt"
            path.write_text(text)
            page = explain(Request(inputs=(str(path),), target="".join(target)))
            print(_row(f"published: {name}", rule, reason, page))
            _count(fired, f"published: {name}", page)
    for name, fault in FAULTS.items():
        page = explain(Request(inputs=(str(FOLDER / f"{name}.csv"),), useful_flops=fault.flops))
        print(_row(f"H200: {name}", fault.first, fault.reason, page))
        _count(fired, f"H200: {name}", page)
    for name, page in _kernels():
        _count(fired, name, page)
    print(_FIRES, end="")
    counting = [rule.name for rule in rules() if any(need.startswith(("gpu.", "cpu.")) for need in rule.needs)]
    for rule in counting:
        if rule in fired:
            more = f" and {len(fired[rule]) - 2} more" if len(fired[rule]) > 2 else ""
            print(f"| {rule} | {'; '.join(fired[rule][:2])}{more} |")
    silent = ", ".join(f"`{rule}`" for rule in counting if rule not in fired)
    print(f"\nWithout a firing recording: {silent}." if silent else "\nEach of these rules fires on a recording.")
    print(_MISSING, end="")
    return 0


def _page(*names: str, chip: str = "", kernel: str = "") -> Explanation:
    return explain(Request(inputs=tuple(str(SAMPLES / name) for name in names), chip=chip, kernel=kernel))


def _row(name: str, rule: str, reason: str, page: Explanation) -> str:
    top = page.findings[0] if page.findings else None
    answer = f"{top.rule}, {100 * top.share:.0f} %, {top.confidence}" if top else "undecided"
    return f"| {name} | {rule or 'undecided'} | {reason} | {answer} | {page.subject.device.partition(';')[0]} |"


def _count(found: dict[str, list[str]], name: str, page: Explanation) -> None:
    for finding in page.findings:
        found.setdefault(finding.rule, []).append(name)


def _kernels() -> Iterator[tuple[str, Explanation]]:
    """Yield all kernels of the recordings of Nsight Compute, and those of folders beyond the one that is explained by itself."""
    for name in (*_NCU, "held-in/hpc/openmp-MI300A"):
        for kernel in _page(name).kernels:
            try:
                yield f"{name}: {' '.join(kernel.name.split())[:40].replace('|', ' ')}", _page(name, kernel=kernel.name)
            except UsageError:  # several kernels share the name
                continue


if __name__ == "__main__":
    raise SystemExit(main())
