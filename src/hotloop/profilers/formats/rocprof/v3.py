"""rocprofv3's kernel trace and its list of agents, both CSV."""

from __future__ import annotations

from pathlib import Path

from hotloop.profilers.summary import Summary
from hotloop.profilers.tables.csvtext import table
from hotloop.profilers.tables.launchcolumns import LaunchColumns
from hotloop.profiles.profile import DeviceFact, Profile
from hotloop.targets.target import Target

_REASONS = {
    "counters": "a kernel trace has times only; a run with --pmc has counters",
    "wave_size": "rocprofv3 does not write it into this table",
    "vgprs": "this version of rocprofv3 writes no registers into a kernel trace",
    "agprs": "this version of rocprofv3 writes no registers into a kernel trace",
    "sgprs": "this version of rocprofv3 writes no registers into a kernel trace",
}


def read_kernel_trace(path: Path) -> Profile:
    """Return the dispatches with their times; the trace is not in the order of the launches. Raises ProfileError."""
    summary = Summary()
    with table(path) as opened:
        launch = LaunchColumns(opened.columns, dict(_REASONS))
        for row in opened.rows:
            summary.add(launch.dispatch(row))
        notes = tuple(opened.notes)
    return Profile(tool="rocprofv3", source=path.name, format="kernel trace (CSV)", dispatches=summary.dispatches(), span_ns=summary.span_ns(),
                   kernels=summary.kernels(), absent=summary.absent(launch.reasons), notes=notes)  # fmt: skip


def read_agents(path: Path) -> Profile:
    """Return what ``*_agent_info.csv`` says of each processor, as written. Raises ProfileError."""
    facts, graphics, products = list[DeviceFact](), set[str](), set[str]()
    with table(path) as opened:
        node, kind, name, product = (opened.index(c) for c in ("Node_Id", "Agent_Type", "Name", "Product_Name"))
        for row in opened.rows:
            device = "" if node is None else f"Agent {row[node].strip()}"
            facts.extend(
                DeviceFact(device, c, cell.strip()) for c, cell in zip(opened.columns, row, strict=True) if cell.strip()
            )
            if kind is not None and row[kind].strip().upper() == "GPU" and name is not None:
                graphics.add(row[name].strip())
                products.add("" if product is None else row[product].strip())
        notes = tuple(opened.notes)
    architecture = graphics.pop() if len(graphics) == 1 else None
    called = products.pop() if len(products) == 1 else ""
    return Profile(tool="rocprofv3", source=path.name, format="agents (CSV)", facts=tuple(facts), device_name=called or None,
                   architecture=architecture if architecture and Target.of(architecture).amd else None, notes=notes)  # fmt: skip
