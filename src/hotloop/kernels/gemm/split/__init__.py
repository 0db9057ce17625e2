"""The kernels in Triton that cut k among programs: in `split` the last program at a tile adds, in `meet` all of them do."""

from __future__ import annotations

from hotloop.kernels.gemm.shared.tiles import traits
from hotloop.kernels.gemm.split.plan import plan, plan_meet
from hotloop.kernels.gemm.split.space import MEET_SPACE, MEET_START, SPACE, START, simplicity
from hotloop.model.kernel import Implementation

SPLIT = Implementation("split", "triton", SPACE, START, plan, simplicity, traits)
MEET = Implementation("meet", "triton", MEET_SPACE, MEET_START, plan_meet, simplicity, traits)
