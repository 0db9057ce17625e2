"""Nsight Compute's report files through hotloop's reader, against the CSV page of the same report, on a machine with a GPU.

    PYTHONPATH=src python3 tests/device/read_report.py OUT_FOLDER [KERNEL ...]     # ncu, torch and triton are needed

Each kernel (of profile_ncu.py; default gemm and softmax) is profiled once into a report. hotloop reads the report through
NVIDIA's module ncu_report, and the page that ``ncu --import FILE --csv --page raw`` writes of it; every value of one must be
in the other. The page has three decimals at most, so values may differ by half of its last digit, whatever its unit's
prefix. ``OUT_FOLDER`` gets ``report-reader.json``.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import profile_ncu

DEFAULT = ("gemm", "softmax")
LIMIT_S = 60.0
ALIKE = 5e-4
"""Relative difference that printing with few digits makes."""
SHOWN = 12


def run(*command):
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT_S, check=False
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(command[:4])} ...: exit {done.returncode}: {(done.stderr or done.stdout)[-400:]}")
    return done.stdout


def reported(name, folder):
    """Profile one kernel into a report; return it and its page."""
    report, page = folder / f"{name}.ncu-rep", folder / f"{name}-page.csv"
    ncu = profile_ncu.ncu_program()
    run(ncu, "--set", "full", "--clock-control", "none", "--kernel-name", profile_ncu.KERNELS[name][0],
        "--launch-skip", str(profile_ncu.WARMUPS), "--launch-count", str(profile_ncu.LAUNCHES), "--force-overwrite",
        "--export", str(report), sys.executable, profile_ncu.__file__, "--drive", name)  # fmt: skip
    page.write_text(run(ncu, "--import", str(report), "--csv", "--page", "raw"))
    return report, page


def compared(report, page):
    """Return how the two readings of one report differ."""
    from hotloop.profilers.reading import read

    mine, theirs = read(report), read(page)
    rows = {"launches": [len(mine.dispatches), len(theirs.dispatches)], "architecture": [mine.architecture, theirs.architecture],
            "device": [mine.device_name, theirs.device_name], "equal": 0, "rounded": 0, "different": [],
            "only_in_report": [], "only_in_page": [], "geometry": []}  # fmt: skip
    for one, other in zip(mine.dispatches, theirs.dispatches, strict=True):
        for field in ("kernel", "grid_items", "workgroup_items", "lds_bytes", "vgprs", "duration_ns"):
            a, b = getattr(one, field), getattr(other, field)
            if a != b and not (isinstance(a, float) and isinstance(b, float) and abs(a - b) <= ALIKE * abs(b)):
                rows["geometry"].append([field, a, b])
        for name in sorted({*one.counters, *other.counters}):
            a, b = one.counters.get(name), other.counters.get(name)
            if a is None or b is None:
                rows["only_in_page" if a is None else "only_in_report"].append(name)
            elif a == b:
                rows["equal"] += 1
            elif abs(a - b) <= ALIKE * max(abs(a), abs(b)) or abs(a - b) <= 0.005:
                rows["rounded"] += 1
            else:
                rows["different"].append([name, a, b])
    return rows


def api():
    """Return what the module is like, for the reader's author."""
    import ncu_report

    version = getattr(ncu_report, "get_version", lambda: "")()
    return {"file": ncu_report.__file__, "version": str(version)}


def main():
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    out, names = Path(sys.argv[1]), sys.argv[2:] or DEFAULT
    out.mkdir(parents=True, exist_ok=True)
    summary, fine = {}, True
    for name in names:
        began = time.monotonic()
        try:
            report, page = reported(name, out)
            rows = compared(report, page)
            rows["verdicts"] = [
                profile_ncu.explanation(path, profile_ncu.KERNELS[name][0], None)["verdict"] for path in (report, page)
            ]
            rows["report_bytes"] = report.stat().st_size
        except Exception as error:  # the other kernel is still worth its time
            summary[name], fine = {"failed": f"{type(error).__name__}: {error}"}, False
            print(f"== {name}: {summary[name]['failed']}", flush=True)
            continue
        rows["took_s"] = round(time.monotonic() - began, 1)
        same = (
            not (rows["different"] or rows["geometry"] or rows["only_in_page"])
            and rows["launches"] == [profile_ncu.LAUNCHES] * 2
        )
        fine &= same
        summary[name] = {
            key: value[:SHOWN] if key in ("different", "only_in_report", "only_in_page") else value
            for key, value in rows.items()
        }
        summary[name]["counts"] = {
            key: len(rows[key]) for key in ("different", "only_in_report", "only_in_page", "geometry")
        }
        print(f"== {name}: {json.dumps(summary[name])[:1800]}", flush=True)
    try:
        summary["module"] = api()
    except ImportError as error:
        summary["module"] = str(error)
    (out / "report-reader.json").write_text(json.dumps(summary, indent=1) + "\n")
    print("the readings agree" if fine else "the readings do NOT agree", flush=True)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
