"""A fixed, realistic run: ten moves on a GEMM with wins, a tie, a loss, refusals, peers and remaining findings."""

from __future__ import annotations

import math

import pytest

from hotloop.model.check import CaseResult, CheckReport
from hotloop.model.device import Ceilings, Device
from hotloop.model.evidence import Absent, Evidence, Fact, Provenance
from hotloop.model.finding import Finding, Gain
from hotloop.model.outcome import CompileFailed, Conditions, Measured, NotApplicable, Sample, WrongResult
from hotloop.model.problem import Work
from hotloop.model.space import Config
from hotloop.model.step import Decision, PeerResult, Step
from hotloop.model.verdict import Comparison, Verdict
from hotloop.report.view import RunRecord, SearchSummary

DEVICE = Device(
    name="AMD EPYC 7B13", kind="cpu", backend="opencl", runtime="Intel(R) OpenCL 2026.22", runtime_key="intel",
    driver="2026.22.1", target="x86-64-avx2", compute_units=2, vector_bits=256, vector_registers=16,
    llc_bytes=32 * 2**20,
)  # fmt: skip
CEILINGS = Ceilings(
    flops_per_s=104e9,
    bytes_per_s=21.5e9,
    launch_ns=14_200.0,
    flops_by_width=((1, 13.1e9), (4, 52.3e9), (8, 104e9)),
    source="measured on intel:AMD EPYC 7B13",
)
PASSED = CheckReport(
    (CaseResult(problem="gemm[m=1024]", distribution="normal", seed=1, passed=True, worst_ratio=0.12),)
)
FAILED = CheckReport(
    (
        CaseResult(problem="gemm[m=1024]", distribution="normal", seed=1, passed=True, worst_ratio=0.2),
        CaseResult(
            problem="gemm[m=127 n=61 k=33]", distribution="integers", seed=2, passed=False,
            reason="c[120, 4] is 0 instead of -17", max_err=17.0, worst_ratio=8.1e5,
        ),
        CaseResult(
            problem="gemm[m=1 n=1 k=1]", distribution="normal", seed=3, passed=False, reason="c[0, 0] was never written",
        ),
    )
)  # fmt: skip
LOG = """gemm.cl:41:17: error: use of undeclared identifier 'accum'
   41 |     vstore8(accum[i], 0, c + at);
      |             ^
1 error generated."""


def measured(call_ns: float) -> Measured:
    samples = tuple(Sample(wall_ns=4 * call_ns * (1 + d), calls=4) for d in (0.0, -0.004, 0.006, -0.002, 0.003))
    return Measured(
        samples=samples,
        conditions=Conditions("d0", clock="wall", mode="rotated", load_average=0.42, cpu_share=0.97),
        check=PASSED,
    )


def compared(verdict: Verdict, speedup: float, half: float, reason: str = "") -> Comparison:
    return Comparison(
        verdict=verdict, speedup=speedup, low=speedup * (1 - half), high=speedup * (1 + half), confidence=0.95,
        margin=0.02, log_ratios=(math.log(speedup),) * 12, noise=0.008, reason=reason,
    )  # fmt: skip


def evidence(call_ns: float, fma_share: float, bits: float) -> Evidence:
    return Evidence(
        (
            Fact("time.call_ns", call_ns, "ns", Provenance.MEASURED, "wall clock, 5 samples"),
            Fact("roof.fraction", 20.65e6 / call_ns, "1", Provenance.DERIVED, "floor over time"),
            Fact("roof.flops_per_s", 2.147483648e9 / call_ns * 1e9, "flop/s", Provenance.DERIVED),
            Fact("static.fma_share", fma_share, "1", Provenance.STATIC, "capstone, hot loop of gemm"),
            Fact("static.vector_bits", bits, "bit", Provenance.STATIC, "capstone"),
            Fact("work.bytes", 12_582_912, "B", Provenance.DERIVED, "problem"),
        ),
        (Absent("time.device_ns", "the runtime offers no device clock"),),
    )


def step(index, technique, change, outcome, decision, reason, **rest) -> Step:
    rest.setdefault("why", "")
    return Step(
        index=index, technique=technique, change=change, implementation="direct", outcome=outcome, decision=decision,
        reason=reason, config=Config(MWG=32, NWG=32, VW=index), elapsed_s=3.2, **rest,
    )  # fmt: skip


def steps() -> tuple[Step, ...]:
    keep, revert, refuse = Decision.KEEP, Decision.REVERT, Decision.REFUSE
    faster = Verdict.FASTER
    return (
        step(0, "baseline", "", measured(412e6), Decision.BASELINE, "where the loop begins",
             evidence=evidence(412e6, 0.04, 32)),
        step(1, "drop-local-memory", "SA 1 → 0, SB 1 → 0", measured(231e6), keep, "faster by more than the margin of 2 %",
             why="Local memory is ordinary memory here, yet 38 % of the instructions copy into it.",
             rule="local-memory-on-cpu", predicted=Gain(1.1, 2.0), comparison=compared(faster, 1.78, 0.012),
             evidence=evidence(231e6, 0.07, 32)),
        step(2, "vectorize", "VW 1 → 8", measured(62.4e6), keep, "faster by more than the margin of 2 %",
             why="The hot loop multiplies 32 of 256 bits at a time.", rule="narrow-vectors",
             predicted=Gain(2.0, 6.0), comparison=compared(faster, 3.7, 0.009), evidence=evidence(62.4e6, 0.22, 256)),
        step(3, "register-tile", "MWI 1 → 6, NWI 8 → 16", measured(31.2e6), keep, "faster by more than the margin of 2 %",
             why="Each multiply-add needs 1.5 loads; a 6 × 16 tile needs 0.22.", rule="small-register-tile",
             predicted=Gain(1.2, 1.8), comparison=compared(faster, 2.0, 0.011), evidence=evidence(31.2e6, 0.61, 256)),
        step(4, "unroll", "KU 1 → 4", measured(31.05e6), revert, "as fast as before and not simpler",
             why="Loop control is 9 % of the hot loop.", rule="loop-overhead", predicted=Gain(1.02, 1.1),
             comparison=compared(Verdict.SAME, 1.005, 0.008)),
        step(5, "workgroup-size", "WG 1 → 64", measured(33.6e6), revert, "slower than the incumbent",
             why="Only 2 groups run per core.", rule="few-groups", predicted=Gain(1.0, 1.15),
             comparison=compared(Verdict.SLOWER, 0.93, 0.01)),
        step(6, "pack-operands", "PACK_B 0 → 1", measured(27.1e6), keep, "faster by more than the margin of 2 %",
             why="B is read with a stride of 4096 B.", rule="strided-access", predicted=Gain(1.05, 1.3),
             comparison=compared(faster, 1.15, 0.013), evidence=evidence(27.1e6, 0.63, 256)),
        step(7, "register-tile", "MWI 6 → 8, NWI 16 → 24", WrongResult(FAILED), refuse, "wrong results are never timed",
             why="Each multiply-add still needs 0.22 loads.", rule="small-register-tile", predicted=Gain(1.0, 1.2)),
        step(8, "prefetch", "PF 0 → 2", CompileFailed(LOG, 41), refuse, "it does not compile",
             why="Loads wait for the last-level cache.", rule="latency-bound", predicted=Gain(1.0, 1.1)),
        step(9, "nontemporal-stores", "NT 0 → 1", measured(26.9e6), revert, "no clear answer within the budget",
             why="C is written once and not read again.", rule="write-allocate", predicted=Gain(1.0, 1.05),
             comparison=compared(Verdict.UNCLEAR, 1.01, 0.05, "another process held a core")),
        step(10, "polish", "KWG 256 → 384, MC 96 → 72", measured(25.0e6), keep, "survived the paired comparison",
             why="Local search around the incumbent.", comparison=compared(faster, 1.085, 0.01),
             evidence=evidence(25.0e6, 0.66, 256)),
    )  # fmt: skip


PEERS = (
    PeerResult(name="OpenBLAS 0.3.31 Haswell, 2 threads", outcome=measured(24.2e6),
               comparison=compared(Verdict.SLOWER, 0.968, 0.009)),
    PeerResult(name="CLBlast 1.6.3 tuned", outcome=measured(58.3e6), comparison=compared(Verdict.FASTER, 2.33, 0.012)),
    PeerResult(name="PyTorch", outcome=NotApplicable("torch is not installed")),
)  # fmt: skip
FINDINGS = (
    Finding(rule="load-ports", message="2.2 loads per two multiply-adds keep both load ports busy 71 % of the time.",
            share=0.11, evidence=("static.loads_per_fma",), suggests=("register-tile",),
            misleads="When the loads hit the same cache line they can be served together."),
    Finding(rule="clock-drop", message="The FMA ceiling was measured 3 % above the rate held for a whole call.",
            share=0.18, evidence=("roof.flops_share", "time.cpu_share"), suggests=("shorter-calls", "fewer-threads"),
            misleads="On a shared machine the ceiling itself may have been disturbed."),
)  # fmt: skip


def sample() -> RunRecord:
    return RunRecord(
        title="gemm 1024×1024×1024 float32 on AMD EPYC 7B13", kind="optimize",
        command=("pip install 'hotloop[cpu]'", "hotloop optimize gemm --shape 1024x1024x1024 --device intel --seed 7"),
        started="2026-11-03T10:15:00Z", finished="2026-11-03T10:19:12Z", state="finished",
        stop_reason="no finding has a move left that was not tried", device=DEVICE, ceilings=CEILINGS,
        problem="gemm[m=1024 n=1024 k=1024 dtype=float32]", work=Work(flops=2 * 1024**3, bytes=12 * 1024**2),
        steps=steps(), winner=10, peers=PEERS, findings=FINDINGS, noise=0.008,
        conditions=(("hotloop", "0.1.0"), ("compiler flags", "-cl-mad-enable")),
        search=SearchSummary(evaluated=184, invalid=37, failures=(("timed out", 2), ("wrong result", 1)),
                             curve=((0, 27.1e6), (12, 26.6e6), (57, 25.4e6), (131, 25.0e6))),
        overall=None,
    )  # fmt: skip


@pytest.fixture
def record() -> RunRecord:
    return sample()
