"""Compares hotloop's occupancy with what compilers and NVIDIA's calculator say, point by point.

    python benchmarks/occupancy_proof.py [--points 150] [--seed 1] [--triton] [--nvidia [HEADER]] [--json FILE]

AMD: kernels whose inline assembly clobbers chosen registers and that hold chosen amounts of local memory are compiled by
ziglang's clang (`pip install ziglang==0.17.0`), many per file, and the `kernel-resource-usage` remark of each is compared
with the model: once with the convention that this compiler is documented to have (raw LDS bytes), which must match every
point, and once with hotloop's headline figure (LDS rounded to its granule), where every difference must be that rounding.
`--triton` does the same with the newer LLVM inside Triton's wheel, which rounds. `--nvidia` compiles a caller of NVIDIA's
`cuda_occupancy.h` (by default the one in Triton's wheel) for this machine and compares blocks per SM and every limit.
No GPU is needed. The exit code is 1 when anything stays unexplained.
"""

from __future__ import annotations

import ctypes
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import stand

from hotloop.isa.occupancy import amd, nvidia
from hotloop.targets import data
from hotloop.targets.machine import AccumulationFile, AmdMachine, NvidiaMachine
from hotloop.targets.target import Target

CLANG = [sys.executable, "-m", "ziglang", "clang"]
FIELD = re.compile(
    r"remark: \S+\s+(Function Name|TotalSGPRs|VGPRs|AGPRs|Occupancy \[waves/SIMD\]|LDS Size \[bytes/block\]): (\S+)"
)
TRITON_TARGETS = ("gfx908", "gfx90a", "gfx942", "gfx950", "gfx1012", "gfx1030", "gfx1100", "gfx1201", "gfx1250")
SIZES = (1, 32, 64, 96, 128, 192, 256, 320, 384, 512, 640, 768, 1024)


@dataclass(frozen=True, slots=True)
class Said:
    """What a compiler reports about one kernel."""

    vgprs: int
    agprs: int
    sgprs: int
    lds_bytes: int
    waves: int


def points(target: AmdMachine, wave: int, mode: str, count: int, rng: random.Random) -> list[amd.AmdRequest]:
    """Return boundary points of every resource first, then random ones."""
    granule, most = target.file(wave).granule, 256  # clang 22 cannot name v256 and above in a clobber (gfx1250)
    made = []
    for n in range(count):
        vgprs = rng.choice(
            (rng.randint(1, most), min(most, granule * rng.randint(1, most // granule) + rng.randint(0, 1)))
        )
        agprs = 0
        if target.agprs is not AccumulationFile.NONE and n % 2:
            agprs = rng.randint(1, most)
        lds = 0
        if n % 3:
            lds = rng.randint(1, target.lds_workgroup_bytes)
            if n % 3 == 1:  # right at, below or above the size at which one group fewer fits
                share = target.unit(mode).lds_bytes // rng.randint(1, 20)
                lds = min(target.lds_workgroup_bytes, share + rng.choice((-1, 0, 1, -target.lds_granule_bytes)))
        sgprs = rng.randint(1, 100) if target.scalars and n % 5 == 0 else 0
        size = rng.choice(SIZES)
        low = rng.randint(1, size) if n % 7 == 6 else None
        made.append(
            amd.AmdRequest(
                vgprs=vgprs,
                agprs=agprs,
                sgprs=sgprs,
                lds_bytes=max(lds, 0),
                workgroup=size,
                workgroup_min=low,
                wave_size=wave,
                mode=mode,
            )
        )
    return made


def module(requests: list[amd.AmdRequest], triple: str) -> str:
    """Return LLVM IR with one kernel per request."""
    lines = [f'target triple = "{triple}"']
    for n, request in enumerate(requests):
        clobbers = [f"~{{v{request.vgprs - 1}}}"]
        clobbers += [f"~{{a{request.agprs - 1}}}"] * bool(request.agprs)
        clobbers += [f"~{{s{request.sgprs - 1}}}"] * bool(request.sgprs)
        if request.lds_bytes:
            lines.append(f"@l{n} = internal addrspace(3) global [{request.lds_bytes} x i8] poison, align 1")
        lines.append(f"define amdgpu_kernel void @k{n}() #{n} {{")
        if request.lds_bytes:
            lines.append(f'  call void asm sideeffect "; $0", "s"(ptr addrspace(3) @l{n})')
        lines.append(f'  call void asm sideeffect "", "{",".join(clobbers)}"()')
        lines.append("  ret void\n}")
        sizes = f"{request.workgroup_min or request.workgroup},{request.workgroup}"
        lines.append(f'attributes #{n} = {{ nounwind "amdgpu-flat-work-group-size"="{sizes}" }}')
    return "\n".join(lines)


def clang(target: str, requests: list[amd.AmdRequest]) -> list[Said]:
    """Compile with ziglang's clang and read the remarks."""
    request = requests[0]
    machine = Target.of(target).machine
    assert isinstance(machine, AmdMachine)
    flags = ["-mwavefrontsize64"] * (request.wave_size == 64 and Target.of(target).wave_sizes[0] == 32)
    flags += ["-mcumode"] * (request.mode == "cu" and len(machine.units) > 1)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "k.ll")
        source.write_text(module(requests, "amdgcn-amd-amdhsa"), encoding="utf-8")
        options = ["-x", "ir", "-nogpulib", "-target", "amdgcn-amd-amdhsa", f"-mcpu={target}", *flags, "-O1", "-S"]
        done = subprocess.run(
            [*CLANG, *options, "-o", f"{folder}/k.s", str(source), "-Rpass-analysis=kernel-resource-usage"],
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        raise SystemExit(f"clang failed for {target}: {done.stderr[-2000:]}")
    return _remarks(done.stderr)


def _remarks(text: str) -> list[Said]:
    kernels: list[dict[str, int]] = []
    for name, value in FIELD.findall(text):
        if name == "Function Name":
            kernels.append({})
        else:
            kernels[-1][name.split()[0]] = int(value)
    return [Said(k["VGPRs"], k.get("AGPRs", 0), k["TotalSGPRs"], k["LDS"], k["Occupancy"]) for k in kernels]


def triton(target: str, requests: list[amd.AmdRequest]) -> list[Said]:
    """Compile with the LLVM inside Triton 3.9's wheel and read its comments; its interface is private."""
    from triton.backends.amd import compiler

    library = compiler._load_amd_codegen(compiler.get_amd_codegen_path())  # noqa: SLF001
    triple = compiler.get_amd_codegen_target_triple(target)
    ir = module(requests, triple).encode()
    options = compiler._AMDGPUCodegenOptions(1, triple.encode(), target.encode(), b"", b"", b"", b"", 1, 0, 0, 0, 0)  # noqa: SLF001
    out, size, error = ctypes.c_void_p(), ctypes.c_size_t(), ctypes.c_void_p()
    pointers = (ctypes.byref(x) for x in (options, out, size, error))
    if library.triton_amdgpu_compile(ir, len(ir), *pointers):
        raise SystemExit(f"Triton's compiler failed for {target}: {ctypes.string_at(error)[:2000]!r}")
    assembly = ctypes.string_at(out, size.value).decode()
    points = []
    for block in assembly.split("; Kernel info:")[1:]:
        values = {k: int(v) for k, v in re.findall(r"^; (\w+): (\d+)", block, re.MULTILINE)}
        sgprs = values.get("TotalNumSgprs", values.get("NumSgprs", 0))
        points.append(
            Said(values["NumVgprs"], values.get("NumAgprs", 0), sgprs, values["LDSByteSize"], values["Occupancy"])
        )
    return points


def judge(target: AmdMachine, request: amd.AmdRequest, said: Said, convention: amd.Convention) -> tuple[str, str]:
    """Return why the headline agrees or not, and why whole work-groups agree with the headline or not."""
    if (said.vgprs, said.agprs, said.lds_bytes) != (max(request.vgprs, said.vgprs), request.agprs, request.lds_bytes):
        return "unexplained: the compiler counts other resources than asked for", ""
    seen = replace(request, vgprs=said.vgprs, sgprs=said.sgprs)
    answer = amd.evaluate(target, seen)
    whole = _whole(target, seen, answer)
    if amd.llvm_waves(target, seen, convention) != said.waves:
        return "unexplained", whole
    if answer.waves == said.waves:
        return "equal", whole
    if convention is amd.Convention.TRITON_39:
        return "this compiler says 8 where size and LDS allow 9 of 10 waves", whole
    if amd.llvm_waves(target, replace(seen, sgprs=0), convention) == amd.llvm_waves(target, replace(seen, sgprs=0)):
        return "this compiler has a table for scalar registers instead of dividing them", whole
    return "this compiler divides raw LDS bytes without the granule", whole


def _whole(target: AmdMachine, request: amd.AmdRequest, answer) -> str:
    resident = -(-answer.groups * answer.group_waves // answer.simds)
    if not answer.groups:
        return "does not launch as a whole work-group"
    if resident == answer.waves:
        return "equal"
    same = replace(target, lds_hardware_granule_bytes=target.lds_granule_bytes)
    again = amd.evaluate(same, request)
    if -(-again.groups * again.group_waves // again.simds) == answer.waves:
        return "hardware LDS granule above the compiler's"
    if request.workgroup_min is not None:
        return "LLVM takes the best of a range of sizes, whole groups the largest"
    if set(answer.limiting_groups) & {"vgprs", "agprs", "sgprs"}:
        return "registers: LLVM does not round to whole work-groups"
    return "unexplained"


def amd_proof(count: int, seed: int, compiler: str) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """Return verdicts on the headline, verdicts on whole work-groups, and points per target."""
    verdicts: Counter[str] = Counter()
    wholes: Counter[str] = Counter()
    places: Counter[str] = Counter()
    build = clang if compiler == "clang" else triton
    convention = amd.Convention.CLANG_22 if compiler == "clang" else amd.Convention.TRITON_39
    for name in data.gpus():
        target = Target.of(name).machine
        if not isinstance(target, AmdMachine) or (compiler == "triton" and name not in TRITON_TARGETS):
            continue
        for file in target.files:
            for unit in target.units:
                if compiler == "triton" and (file, unit) != (target.files[0], target.units[0]):
                    continue
                rng = random.Random(f"{seed}-{name}-{file.wave_size}-{unit.mode}")
                requests = points(target, file.wave_size, unit.mode, count, rng)
                built = build(name, requests)
                assert len(built) == len(requests), (name, len(built), len(requests))
                for request, answer in zip(requests, built, strict=True):
                    verdict, whole = judge(target, request, answer, convention)
                    verdicts[verdict] += 1
                    wholes[whole] += 1
                    places[f"{name} wave{file.wave_size} {unit.mode}"] += 1
                    if "unexplained" in (verdict, whole) or verdict.startswith("unexplained"):
                        print("UNEXPLAINED", name, unit.mode, request, answer, verdict, whole)
    return verdicts, wholes, places


CALLER = r"""
#include <cstring>
#include <climits>
#include <cstdio>
#include "cuda_occupancy.h"
int main() {
  int major, minor, warps, block, regs, barriers, carve; long shared_sm, shared_block, reserve, stat, dyn;
  while (scanf("%d %d %d %ld %ld %ld %d %d %ld %ld %d %d", &major, &minor, &warps, &shared_sm, &shared_block, &reserve, &block, &regs,
               &stat, &dyn, &barriers, &carve) == 12) {
    cudaOccDeviceProp p; cudaOccFuncAttributes a; cudaOccDeviceState s; cudaOccResult r;
    p.computeMajor = major; p.computeMinor = minor; p.maxThreadsPerBlock = 1024; p.maxThreadsPerMultiprocessor = warps * 32;
    p.regsPerBlock = 65536; p.regsPerMultiprocessor = 65536; p.warpSize = 32; p.sharedMemPerBlock = 49152; p.numSms = 1;
    p.sharedMemPerMultiprocessor = shared_sm; p.sharedMemPerBlockOptin = shared_block; p.reservedSharedMemPerBlock = reserve;
    a.maxThreadsPerBlock = 1024; a.numRegs = regs; a.sharedSizeBytes = stat; a.partitionedGCConfig = PARTITIONED_GC_OFF;
    a.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN; a.maxDynamicSharedSizeBytes = dyn; a.numBlockBarriers = barriers;
    s.carveoutConfig = carve;
    int status = cudaOccMaxActiveBlocksPerMultiprocessor(&r, &p, &a, &s, block, dyn);
    printf("%d %d\n", status, status ? -1 : r.activeBlocksPerMultiprocessor);
  }
}
"""


def nvidia_proof(header: Path, count: int, seed: int) -> Counter[str]:
    """Compare blocks per SM with NVIDIA's header."""
    requests: list[tuple[NvidiaMachine, nvidia.NvidiaRequest, int]] = []
    for name in data.names("nvidia"):
        target = Target.of(name).machine
        assert isinstance(target, NvidiaMachine)
        rng = random.Random(f"{seed}-{name}")
        for n in range(count):
            stat = rng.choice((0, rng.randint(0, 49152)))
            dyn = rng.randint(0, target.shared_block_bytes + 512 - stat) if n % 2 else 0
            percent = rng.choice((-1, -1, 0, 25, 50, 100))
            asked = nvidia.NvidiaRequest(
                registers=rng.choice((rng.randint(1, 255), 8 * rng.randint(1, 31) + rng.randint(0, 1))),
                shared_bytes=stat,
                dynamic_shared_bytes=dyn,
                block=rng.choice((rng.randint(1, 1024), *SIZES)),
                carveout_bytes=None if percent < 0 else percent * target.carveouts_bytes[-1] // 100,
                barriers=rng.choice((1, 1, 2, 5)),
            )
            requests.append((target, asked, percent))
    rows = []
    for target, asked, percent in requests:
        digits = target.name.removeprefix("sm_")
        rows.append(
            f"{digits[:-1]} {digits[-1]} {target.warps} {target.carveouts_bytes[-1]} {target.shared_block_bytes} {target.shared_reserve_bytes} "
            f"{asked.block} {asked.registers} {asked.shared_bytes} {asked.dynamic_shared_bytes} {asked.barriers} {percent}"
        )
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder, "caller.cpp"), Path(folder, "caller")
        source.write_text(CALLER, encoding="utf-8")
        subprocess.run(
            [
                sys.executable,
                "-m",
                "ziglang",
                "c++",
                "-O1",
                "-w",
                f"-I{header.parent}",
                "-o",
                str(program),
                str(source),
            ],
            check=True,
        )
        text = subprocess.run([str(program)], input="\n".join(rows), capture_output=True, text=True, check=True).stdout
    verdicts: Counter[str] = Counter()
    for (target, asked, _), line in zip(requests, text.splitlines(), strict=True):
        status, blocks = map(int, line.split())
        if status:
            verdicts["the header knows no answer (sm_103, sm_121 variants or beyond a table)"] += 1
            continue
        answer = nvidia.evaluate(target, asked)
        verdicts["equal" if answer.groups == blocks else "unexplained"] += 1
        if answer.groups != blocks:
            print("UNEXPLAINED", asked, answer, blocks)
    return verdicts


def _print(title: str, verdicts: Counter[str]) -> None:
    print(f"{title}: {sum(verdicts.values())} points")
    for verdict, number in verdicts.most_common():
        print(f"  {number:6} {verdict}")


def main() -> int:
    """Run the comparisons that are asked for."""
    parser = stand.parser(__doc__)
    parser.add_argument("--points", type=int, default=150, help="points per target, wave size and mode")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--triton", action="store_true")
    parser.add_argument("--nvidia", nargs="?", const="", metavar="HEADER")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    verdicts, wholes, places = amd_proof(given.points, given.seed, "clang")
    results = {"clang headline": verdicts, "clang whole work-groups": wholes}
    _print(f"headline against clang's remark ({len(places)} combinations of target, wave size and mode)", verdicts)
    _print("whole work-groups against the headline", wholes)
    if given.triton:
        verdicts, _, places = amd_proof(given.points, given.seed, "triton")
        results["triton headline"] = verdicts
        _print(f"headline against the LLVM in Triton's wheel ({len(places)} targets)", verdicts)
    if given.nvidia is not None:
        header = Path(given.nvidia) if given.nvidia else _bundled_header()
        results["nvidia"] = nvidia_proof(header, given.points, given.seed)
        _print("blocks per SM against cuda_occupancy.h", results["nvidia"])
    stand.keep(given.json, {k: dict(v) for k, v in results.items()})
    return int(any(name.startswith("unexplained") for counter in results.values() for name in counter))


def _bundled_header() -> Path:
    import triton

    return Path(triton.__file__).parent / "backends" / "nvidia" / "include" / "cuda_occupancy.h"


if __name__ == "__main__":
    sys.exit(main())
