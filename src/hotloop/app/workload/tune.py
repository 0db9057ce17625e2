"""The use case ``hotloop tune --workload``: what is worth it is tuned in the order of what the whole gains.

Every shape is a run of its own in the store, as ``hotloop tune`` makes it: a shape that was tuned before is not tuned again, a run
that was cut off goes on, so the same command goes on where it was stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from hotloop.app import session
from hotloop.app.run import ceilings, climb
from hotloop.app.run.kept import record
from hotloop.app.run.plan import Plan
from hotloop.app.workload import order as orders
from hotloop.app.workload import outcome
from hotloop.errors import HotloopError, StoreError, UsageError
from hotloop.model.energy import Objective
from hotloop.model.kernel import Variant
from hotloop.ports import ROTATED

if TYPE_CHECKING:
    from hotloop.app.events import Listener
    from hotloop.app.session import Options
    from hotloop.app.workload.order import Order, Shape
    from hotloop.app.workload.outcome import Tuned
    from hotloop.model.device import Ceilings, Device
    from hotloop.model.kernel import Implementation, Kernel
    from hotloop.model.problem import Problem
    from hotloop.model.tally import Tally
    from hotloop.report.view import RunRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """Options of `tune --workload` as the user gave them."""

    tally: Tally
    options: Options
    budget_s: float
    """Time for each shape, in s."""
    implementation: str = ""
    """Implementation to tune, for families that have it; empty: the first one of each family that takes the shape on this device."""
    margin: float = 0.02
    least: float = orders.LEAST
    """Part of the whole that a shape must be able to gain."""
    peers: bool = True
    fresh: bool = False
    command: tuple[str, ...] = ()


@dataclass(slots=True)
class _Limits:
    """What this machine's devices could do, measured once for each type."""

    options: Options
    found: dict[tuple[str, str], tuple[Device, Ceilings | None]] = field(default_factory=dict)

    def of(self, implementation: Implementation, problem: Problem) -> tuple[Device, Ceilings | None]:
        """Return the device that runs an implementation, and its ceilings for a problem's type. Raises NoDeviceError."""
        options = self.options.running(implementation)
        dtype = str(problem.sizes.get("dtype", "float32"))
        key = options.language, dtype
        if key not in self.found:
            with session.desk(options) as desk:
                limit = ceilings.measure(desk, ceilings.dtype_of(problem, desk.device))
                self.found[key] = session.select_device(desk.engine, options), limit  # type: ignore[arg-type]
        return self.found[key]


def ordered(wish: Wish) -> Order:
    """Return what would be tuned, in which order, and what not, with reasons; measures the machine's limits.

    Raises:
        UsageError: nothing of the workload is in a kernel family.
        NoDeviceError: no runtime works here.
    """
    if not any(line.family for line in wish.tally.lines):
        raise UsageError(
            "nothing in this workload is an operation of hotloop's kernel families; hotloop explain FILE lists no kernel for it."
        )
    limits = _Limits(wish.options)

    def floor(kernel: Kernel, problem: Problem) -> tuple[float | None, str]:
        implementation, obstacle = _implementation(kernel, problem, wish, limits)
        if implementation is None:
            return None, obstacle
        _, limit = limits.of(implementation, problem)
        work = kernel.work(problem)
        return (limit.floor_ns(work.flops, work.bytes) if limit else None), ""

    return orders.order(wish.tally, orders.shapes(wish.tally, floor), wish.least)


def _implementation(
    kernel: Kernel, problem: Problem, wish: Wish, limits: _Limits
) -> tuple[Implementation | None, str]:  # fmt: skip
    """Return what to tune for a problem here, or why nothing can be."""
    named = [implementation for implementation in kernel.implementations if implementation.name == wish.implementation]
    why = ""
    for implementation in named or kernel.implementations:
        try:
            device, _ = limits.of(implementation, problem)
            Variant(implementation, implementation.start).program(problem, device)
            return implementation, ""
        except (ValueError, HotloopError) as error:
            why = why or f"{implementation.name}: {str(error).rstrip('.')}"
    return None, f"cannot be tuned here ({why})"


def tune(wish: Wish, order: Order, listen: Callable[[Shape], Listener]) -> Iterator[tuple[Tuned, RunRecord | None]]:
    """Yield what each shape brought, as it is known, with the record of its run; None where it was tuned before.

    A run that was stopped by hand ends it: its record says so.
    """
    limits = _Limits(wish.options)
    for shape in order.worth:
        implementation, _ = _implementation(shape.kernel, shape.problem, wish, limits)
        if implementation is None:
            continue
        earlier = None if wish.fresh else _known(wish, shape, limits.of(implementation, shape.problem)[0])
        if earlier is not None:
            yield earlier, None
            continue
        made = climb.run(_request(wish, shape, implementation.name), listen(shape))
        yield outcome.of_record(shape, made, "this run"), made
        if made.state == "interrupted":
            return


def _known(wish: Wish, shape: Shape, device: Device) -> Tuned | None:
    """Return what an earlier run found, where nothing has changed since; None where it must be tuned.

    The best that is known is what is fastest with inputs that rotate.
    """
    if wish.options.objective is not Objective.TIME or wish.options.mode != ROTATED:
        return None
    try:
        with session.open_store(wish.options, read_only=True) as store:
            best = store.best(shape.problem.family, shape.problem.key, device.key, fingerprint=device.fingerprint)
            if best is None or best.stale or not best.winner.run:
                return None
            winner = best.winner
            variant = Variant(shape.kernel.implementation(winner.implementation), winner.config)
            if winner.fingerprint != variant.fingerprint(shape.problem, device):
                return None
            earlier = outcome.of_record(shape, record.read(store, winner.run), f"known since {winner.created[:10]}")
            return replace(earlier, winner_ns=winner.call_ns)
    except (StoreError, ValueError, KeyError, UsageError):
        return None


def _request(wish: Wish, shape: Shape, implementation: str) -> climb.Request:
    plan = Plan(
        budget_s=wish.budget_s,
        implementation=implementation,
        margin=wish.margin,
        peers=wish.peers,
        techniques=False,
        strategies=("local", "surrogate"),
        known_best=True,
    )
    return climb.Request(
        kind="tune",
        kernel=shape.kernel,
        spec=shape.problem.family,
        problem=shape.problem,
        plan=plan,
        options=wish.options,
        command=wish.command,
        fresh=wish.fresh,
    )
