"""Nsight Compute's names of the reasons for which warps wait: each is counted in three ways, by metrics with names of their own."""

STALLS = (
    "long_scoreboard", "short_scoreboard", "mio_throttle", "lg_throttle", "tex_throttle", "barrier", "membar", "wait",
    "math_pipe_throttle", "gmma", "no_instruction", "imc_miss", "branch_resolving", "dispatch_stall", "drain", "sleeping", "misc",
    "not_selected", "selected",
)  # fmt: skip
"""Reasons of Nsight Compute's warp states; together they make the latency between two instructions of a warp. What each means stands in
``counters.txt``."""
SAMPLE_COUNT = "smsp__pcsamp_sample_count"


def stall(reason: str) -> str:
    """Return the metric that counts a reason, in cycles between two instructions of a warp."""
    return f"smsp__average_warps_issue_stalled_{reason}_per_issue_active.ratio"


def asked_stall(reason: str) -> str:
    """Return the metric that tells a reason as a share of warps, which people ask for by name."""
    return f"smsp__warp_issue_stalled_{reason}_per_warp_active.pct"


def sampled_stall(reason: str) -> str:
    """Return the metric that counts samples of warps which wait for a reason; one has another name there than elsewhere."""
    return f"smsp__pcsamp_warps_issue_stalled_{reason}{'s' if reason == 'no_instruction' else ''}"
