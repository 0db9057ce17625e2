"""Builds a corpus of machine-code listings for GPUs that this machine does not have, from the sources in corpus_kernels/.

    python benchmarks/corpus.py FOLDER                       # all of it, two compilers at a time
    python benchmarks/corpus.py FOLDER --only gfx942 --limit 20

The folder gets TARGET/NAME.s (amdgcn) or .sass, beside it .hsaco or .cubin (and .ptx), and index.json: one row per job
with language, target, options, compiler, resources and outcome. Failures are rows too: a compiler that refuses or aborts
is a fact about it. Run it again after a break: jobs whose row has the same compilers and sources are not repeated.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from threading import Lock

import stand

from hotloop.app.code.offline import compile_offline
from hotloop.compilers import clang as _clang
from hotloop.compilers.offer import Compiled
from hotloop.errors import HotloopError
from hotloop.host import toolchain
from hotloop.kernels import gemm as gemm_sources
from hotloop.model.outcome import CompileFailed, Crashed, NotApplicable, TimedOut

SOURCES = Path(__file__).parent / "corpus_kernels"
WORKERS = 2
CDNA = ("gfx90a", "gfx942", "gfx950")
TRITON = (*CDNA, "gfx1100", "gfx1201", "sm_80", "sm_90", "sm_100")
RDNA = ("gfx1012", "gfx1030", "gfx1100", "gfx1201")
SUFFIXES = (".py", ".hip", ".cl", ".cu", ".h")
ENDINGS = {"amdgcn": ".s", "sass": ".sass", "ptx": ".ptx"}


@dataclass(frozen=True)
class Job:
    """One compilation."""

    spec: str
    """As `compile_offline` takes it; files without a folder lie in corpus_kernels."""
    target: str
    parameters: tuple[tuple[str, object], ...] = ()
    optimization: int = 3
    label: str = ""

    @property
    def name(self) -> str:
        """File name of the listing, without an ending."""
        path, _, kernel = self.spec.partition(":")
        parts = [Path(path).name.replace(".py", "").replace(".", "_"), kernel, self.label]
        return "-".join(part for part in parts if part) + (f"-O{self.optimization}" if self.optimization != 3 else "")

    @property
    def key(self) -> str:
        """What it is known by in the index."""
        return f"{self.target.replace(':', '_')}/{self.name}"


def labelled(spec: str, target: str, optimization: int = 3, **parameters: object) -> Job:
    """Return a job whose name tells its parameters."""
    label = "_".join(f"{name.lower()}{value}" for name, value in parameters.items())
    return Job(spec, target, tuple(parameters.items()), optimization, label)


def jobs() -> Iterator[Job]:
    """Yield the whole corpus."""
    yield from triton_jobs()
    yield from gluon_jobs()
    yield from hip_jobs()
    yield from opencl_jobs()
    yield from cuda_jobs()


def triton_jobs() -> Iterator[Job]:
    """Five tile shapes of a matrix product on every target, the other kernels in two sizes."""
    tiles = ("128x128x64_w4_s2", "128x128x32_w8_s3", "256x128x64_w8_s2", "64x64x32_w4_s1", "128x64x32_w4_s2")
    names = [f"matmul_{tile}" for tile in tiles]
    names += [f"{kind}_{block}" for kind in ("softmax", "layernorm", "reduction") for block in (1024, 4096)]
    names += ["attention_64_64x64_causal", "attention_128_128x64"]
    for name, target in product(names, TRITON):
        yield Job(f"triton_kernels.py:{name}", target)
    for name, target in product(("matmul_64x64x32_w4_s1", "softmax_1024"), ("gfx1250", "gfx1151", "sm_86", "sm_120")):
        yield Job(f"triton_kernels.py:{name}", target)


def gluon_jobs() -> Iterator[Job]:
    """The MFMA kernels where their matrix units exist, once where they do not."""
    for kind, tile in product(("base", "double"), ("128x128x32", "64x128x64")):
        for version, target in ((3, "gfx942"), (3, "gfx950"), (4, "gfx950")):
            yield Job(f"gluon_kernels.py:gemm_{kind}_cdna{version}_{tile}", target)
    yield Job("gluon_kernels.py:gemm_base_cdna3_128x128x32", "gfx1100")
    yield Job("gluon_kernels.py:gemm_base_cdna4_128x128x32", "gfx942")
    for wave, target in (
        (64, "gfx90a"),
        (64, "gfx942"),
        (32, "gfx1100"),
        (32, "gfx1201"),
        (32, "sm_80"),
        (32, "sm_90"),
    ):
        yield Job(f"gluon_kernels.py:copy_wave{wave}", target)


def hip_jobs() -> Iterator[Job]:
    """Matrix units on CDNA (and, to see it fail, without them), v_dot2 and a convolution everywhere."""
    for target, shape, lds in product(CDNA, (16, 32), (0, 1)):
        yield labelled("mfma_gemm.hip", target, SHAPE=shape, LDS=lds)
    for target, level in product(CDNA, (1, 3)):
        yield labelled("mfma_gemm.hip", target, level, SHAPE=16, TILES=4)
    yield labelled("mfma_gemm.hip", "gfx1100")
    for target, rows in product(("gfx90a", "gfx942", *RDNA), (1, 4)):
        yield labelled("dot2.hip", target, ROWS=rows)
    yield labelled("dot2.hip", "gfx1010")
    for target, hint, level in product((*CDNA, *RDNA), (0, 1), (1, 3)):
        yield labelled("conv3d.hip", target, level, HINT=hint)
    for target in ("gfx906", "gfx908", "gfx1010", "gfx1151", "gfx1250"):
        yield labelled("conv3d.hip", target)
    yield labelled("mfma_unselectable.hip", "gfx1030")


def opencl_jobs() -> Iterator[Job]:
    """hotloop's own matrix product from textbook tile to large register tile, a sum and a transposition."""
    naive: dict[str, object] = {}
    tiled = {"MWI": 4, "NWI": 4, "VW": 4, "PAD": 4, "KUNROLL": 4}
    large = {**tiled, "MWI": 8, "NWI": 8, "MDIM": 8, "NDIM": 8}
    shallow = {**large, "KWG": 8}
    swizzled = {**tiled, "PAD": 0, "SWZ": 4}
    direct = {**tiled, "PAD": 0, "SA": 0, "SB": 0}
    variants = (naive, tiled, large, shallow, swizzled, direct)
    targets = (
        "gfx90a",
        "gfx942",
        "gfx950",
        "gfx1012",
        "gfx1012:wave64",
        "gfx1030",
        "gfx1100",
        "gfx1201",
        "sm_80",
        "sm_90",
    )
    for target, variant in product(targets, variants):
        yield labelled("gemm", target, **variant)
    for target, level in product(("gfx942", "gfx1012"), (1,)):
        yield labelled("gemm", target, level, **tiled)
    for target, width in product(("gfx942", "gfx1012", "gfx1100", "sm_90"), (1, 4)):
        yield labelled("reduce.cl", target, VW=width)
    for target, pad in product(("gfx942", "gfx1012", "gfx1030", "sm_80"), (0, 1)):
        yield labelled("transpose.cl", target, PAD=pad)


def cuda_jobs() -> Iterator[Job]:
    """A register-tiled matrix product and a sum."""
    for target, work, level in product(("sm_80", "sm_90", "sm_100"), (4, 8), (1, 3)):
        yield labelled("sgemm.cu", target, level, WORK=work)
    for target in ("sm_80", "sm_90", "sm_100"):
        yield Job("reduce.cu", target)


class Index:
    """The rows so far, on disk after every job."""

    def __init__(self, folder: Path, stamp: str) -> None:
        self.path, self.stamp, self._lock = folder / "index.json", stamp, Lock()
        rows = json.loads(self.path.read_text())["jobs"] if self.path.exists() else []
        self.rows = {row["name"]: row for row in rows}

    def done(self, job: Job) -> bool:
        """Tell whether a job has a row of these compilers and sources."""
        return self.rows.get(job.key, {}).get("stamp") == self.stamp

    def add(self, row: dict) -> None:
        """Keep a row; the file is replaced in one go."""
        with self._lock:
            self.rows[row["name"]] = {**row, "stamp": self.stamp}
            partial = self.path.with_suffix(".partial")
            partial.write_text(json.dumps({"jobs": [self.rows[name] for name in sorted(self.rows)]}, indent=1) + "\n")
            partial.replace(self.path)


def digest_of_sources() -> str:
    """Return a short digest of everything of hotloop's that ends up in a listing."""
    folders = (SOURCES, _clang.HEADERS, Path(gemm_sources.__file__).parent / "sources")
    files = sorted(path for folder in folders for path in folder.rglob("*") if path.suffix in SUFFIXES)
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:12]


def compile_job(folder: Path, job: Job) -> dict:
    """Compile, write the files, and return the row."""
    path, colon, kernel = job.spec.partition(":")
    spec = str(SOURCES / path) + colon + kernel if Path(path).suffix else job.spec
    began_s = time.monotonic()
    row = {"name": job.key, "spec": job.spec, "target": job.target, "optimization": job.optimization}
    row["parameters"] = dict(job.parameters)
    try:
        made = compile_offline(spec, job.target, parameters=dict(job.parameters), optimization=job.optimization)
    except HotloopError as error:
        return {**row, "outcome": "Refused", "reason": str(error), "seconds": time.monotonic() - began_s}
    row |= {"outcome": type(made).__name__, "seconds": time.monotonic() - began_s}
    match made:
        case Compiled():
            return row | written(folder / job.key, made)
        case CompileFailed(log=log):
            return row | {"reason": log[:2000]}
        case Crashed(signal=signal, message=message):
            return row | {"reason": message, "signal": signal}
        case TimedOut(limit_s=limit_s):
            return row | {"reason": f"killed after {limit_s:g} s"}
        case NotApplicable(reason=reason):
            return row | {"reason": reason}


def written(base: Path, made: Compiled) -> dict:
    """Write listing, code object and PTX; return what the index says of them."""
    base.parent.mkdir(parents=True, exist_ok=True)
    listing = base.with_name(base.name + ENDINGS[made.dialect])
    listing.write_text(made.listing)
    if made.binary:
        base.with_name(base.name + (".hsaco" if made.dialect == "amdgcn" else ".cubin")).write_bytes(made.binary)
    if made.ptx:
        base.with_name(base.name + ".ptx").write_text(made.ptx)
    return {
        "file": f"{base.parent.name}/{listing.name}",
        "language": made.language,
        "dialect": made.dialect,
        "kernel": made.kernel,
        "options": list(made.options),
        "compiler": made.compiler,
        "listing_bytes": listing.stat().st_size,
        "resources": [asdict(kernel) for kernel in made.resources],
    }


def summary(rows: list[dict]) -> str:
    """Return listings per language and target, then the failures."""
    made = [row for row in rows if row["outcome"] == "Compiled"]
    counts = Counter((row["language"], row["target"]) for row in made)
    languages, targets = sorted({k[0] for k in counts}), sorted({k[1] for k in counts})
    lines = [f"{'':16}" + "".join(f"{language:>9}" for language in languages)]
    lines += [f"{t:16}" + "".join(f"{counts[language, t] or '':>9}" for language in languages) for t in targets]
    size_mb = sum(row["listing_bytes"] for row in made) / 1e6
    lines.append(f"{len(made)} listings, {size_mb:.1f} MB of text; {len(rows) - len(made)} other outcomes:")
    for row in rows:
        if row["outcome"] != "Compiled":
            reason = next((line for line in row["reason"].splitlines() if "error:" in line), row["reason"])
            lines.append(f"  {row['outcome']:13} {row['name']}: {reason.strip()[:150]}")
    return "\n".join(lines)


def main() -> int:
    """Build and print a summary; the exit code is 1 when fewer than 150 listings came out of a whole build."""
    parser = stand.parser(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="jobs whose name contains this text")
    parser.add_argument("--limit", type=int, default=0, help="at most so many new jobs")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    tools = toolchain.provenance({"clang": toolchain.clang(), "ptxas": toolchain.ptxas(), "nvcc": toolchain.nvcc()})
    index = Index(options.folder, f"{tools}; sources {digest_of_sources()}")
    wanted = [job for job in jobs() if options.only in job.key]
    missing = [job for job in wanted if not index.done(job)][: options.limit or None]
    began_s = time.monotonic()
    with ThreadPoolExecutor(WORKERS) as pool:
        waiting = {pool.submit(compile_job, options.folder, job): job for job in missing}
        for count, future in enumerate(as_completed(waiting), 1):
            index.add(row := future.result())
            print(f"[{count}/{len(missing)}] {row['seconds']:6.1f} s  {row['outcome']:13} {row['name']}", flush=True)
    rows = [index.rows[job.key] for job in wanted if job.key in index.rows]
    print(f"\n{summary(rows)}\n{len(missing)} jobs in {time.monotonic() - began_s:.0f} s, {WORKERS} at a time")
    whole = not options.only and not options.limit
    return int(whole and sum(row["outcome"] == "Compiled" for row in rows) < 150)


if __name__ == "__main__":
    sys.exit(main())
