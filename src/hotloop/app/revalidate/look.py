"""The use case ``hotloop revalidate``: winners are compiled and checked again; same code holds, changed code must win again.

A winner whose machine code is the one that won is verified once and marked as current, which takes seconds. Where the code
changed, it is timed in the same rounds as what could take its place: the best of the shipped table and the peers. Only one that loses is
tuned again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from hotloop.app import session, userfile
from hotloop.app.desk import Desk
from hotloop.app.run import checking, climb, seeds
from hotloop.app.run.contest import contest
from hotloop.app.run.inputs.workload import Workload
from hotloop.app.run.kept import seal
from hotloop.app.run.plan import Plan
from hotloop.errors import HotloopError
from hotloop.model.check import CheckReport
from hotloop.model.codec import decode
from hotloop.model.kernel import Variant
from hotloop.model.outcome import Measured, describe
from hotloop.model.subject import Subject

if TYPE_CHECKING:
    from hotloop.app.events import Listener
    from hotloop.app.run.kept.seal import Seal
    from hotloop.app.session import Options
    from hotloop.model.kernel import Kernel
    from hotloop.model.problem import Problem
    from hotloop.store import Known, Store, Winner


class State(StrEnum):
    """What became of a winner."""

    CURRENT = "current"
    """Nothing that it was measured with has changed."""
    SAME_CODE = "same code"
    """Something changed, but not the code that runs; it is marked as current."""
    HOLDS = "holds"
    """The code changed, and it is still the fastest."""
    LOST = "lost"
    """The code changed, and something else is faster now."""
    BROKEN = "broken"
    """The variant does not compile any more, or computes wrong results."""
    RETUNED = "retuned"
    """The variant lost or broke, and a new one was tuned in its place."""
    ELSEWHERE = "elsewhere"
    """The variant cannot be checked here: its kernel is missing, or no device here runs it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """One winner after the look."""

    winner: Winner
    state: State
    why: str
    before_ns: float
    after_ns: float | None = None
    """Time of a call in this look; None where nothing was timed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """Options of `revalidate` as the user gave them."""

    options: Options
    families: tuple[str, ...] = ()
    """Empty: all."""
    budget_s: float = 60.0
    """Time for each winner that is tuned again, in s."""
    retune: bool = True
    everything: bool = False
    """True: also winners that are current are compiled and checked."""
    margin: float = 0.02


@dataclass(slots=True)
class _Place:
    """Where one winner is looked at."""

    desk: Desk
    store: Store
    kernel: Kernel
    problem: Problem
    variant: Variant
    winner: Winner

    def renew(self, call_ns: float) -> None:
        """Write the winner down as measured under the present versions; `call_ns` is what counts from now on."""
        device = self.desk.device
        self.store.add_winner(
            replace(
                self.winner, device_fingerprint=device.fingerprint, call_ns=call_ns, created="", hotloop="",
                fingerprint=self.variant.fingerprint(self.problem, device),
            )
        )  # fmt: skip


def look(wish: Wish, listen: Callable[[], Listener]) -> Iterator[Looked]:
    """Yield what became of each winner of this machine's devices.

    Raises:
        UsageError: there is no such family.
        StoreError: the store cannot be read.
        NoDeviceError: no device is here.
    """
    families = [userfile.kept_as(userfile.find(family, wish.options.limit_s)) for family in wish.families]
    with session.open_store(wish.options, read_only=True) as store:
        records = [record for record in store.all_best() if not families or record.winner.family in families]
    for record in records:
        looked = _looked(wish, record, listen)
        if looked is not None:
            yield looked


def _looked(wish: Wish, remembered: Known, listen: Callable[[], Listener]) -> Looked | None:
    """Return what became of a winner; None for one of another device."""
    winner = remembered.winner
    try:
        kernel = userfile.find(userfile.spelled(winner.family), wish.options.limit_s)
        implementation = kernel.implementation(winner.implementation)
        options = wish.options.running(implementation)
        with session.desk(options, listen()) as desk:
            if desk.device.key != winner.device:
                return None
            with session.open_store(wish.options) as store:
                problem = kernel.problem.replace(**dict(winner.sizes))
                outcome = _at(
                    wish, _Place(desk, store, kernel, problem, Variant(implementation, winner.config), winner)
                )
    except (HotloopError, ValueError, KeyError) as error:
        return _answer(winner, State.ELSEWHERE, str(error).rstrip("."))
    if outcome.state not in (State.LOST, State.BROKEN) or not wish.retune:
        return outcome
    return _retuned(wish, outcome, kernel, problem, listen)


def _at(wish: Wish, at: _Place) -> Looked:
    winner, device = at.winner, at.desk.device
    same_source = winner.fingerprint == at.variant.fingerprint(at.problem, device)
    if winner.device_fingerprint == device.fingerprint and same_source and not wish.everything:
        return _answer(winner, State.CURRENT, "measured with this source, compiler and driver")
    workload = Workload(at.desk.engine, at.kernel, at.problem, device, at.desk.seed)
    subject = Subject.of(at.variant, at.problem, device)
    verified = checking.check(at.desk, workload, subject, "quick").answer
    if not isinstance(verified, CheckReport) or not verified.passed:
        reason = "it computes something else now" if isinstance(verified, CheckReport) else describe(verified)
        return _answer(winner, State.BROKEN, reason)
    kept, now = _kept(at.store, winner), seal.of(at.desk, workload.program(at.variant))
    if kept is not None and kept.code and kept.code == now.code:
        at.renew(winner.call_ns)
        return _answer(winner, State.SAME_CODE, f"{_changed(kept, now)}, and the machine code is the one that won")
    why = _changed(kept, now) if kept is not None else "no machine code was kept when it won"
    return _contest(wish, at, workload, why)


def _contest(wish: Wish, at: _Place, workload: Workload, why: str) -> Looked:
    """Time a winner in the same rounds as what could take its place."""
    others = seeds.pick(at.kernel, at.problem, at.variant.implementation, at.desk.device, ())
    rivals = [Variant(at.variant.implementation, config) for config in (*others, at.variant.implementation.start)]
    variants = [
        ("winner", at.variant),
        *((f"rival {number}", variant) for number, variant in enumerate(rivals) if variant != at.variant),
    ]
    rows = contest(at.desk, workload, variants).rows
    times = {row.name: row.outcome.call_ns for row in rows if isinstance(row.outcome, Measured)}
    if "winner" not in times:
        failed = next(row.outcome for row in rows if row.name == "winner")
        return _answer(at.winner, State.BROKEN, f"{why}; it was not timed: {describe(failed)}")
    own = {name: ns for name, ns in times.items() if name.startswith(("winner", "rival"))}
    best = min(own, key=lambda name: own[name])
    if own[best] * (1 + wish.margin) < own["winner"]:
        reason = f"{why}; {dict(variants)[best].config} takes {own[best] / own['winner']:.2f} of its time now"
        return _answer(at.winner, State.LOST, reason, own["winner"])
    at.renew(own["winner"])
    return _answer(at.winner, State.HOLDS, f"{why}; it is still the fastest of {len(own)}", own["winner"])


def _retuned(
    wish: Wish, looked: Looked, kernel: Kernel, problem: Problem, listen: Callable[[], Listener]
) -> Looked:  # fmt: skip
    winner = looked.winner
    plan = Plan(
        budget_s=wish.budget_s, implementation=winner.implementation, margin=wish.margin, techniques=False,
        strategies=("local", "surrogate"), seeds=(winner.config,), known_best=True,
    )  # fmt: skip
    request = climb.Request(
        kind="tune",
        kernel=kernel,
        spec=userfile.spelled(winner.family),
        problem=problem,
        plan=plan,
        options=wish.options,
    )
    made = climb.run(request, listen())
    if made.state == "interrupted":  # Ctrl-C is meant for all winners
        raise KeyboardInterrupt
    best = next((step.outcome for step in made.steps if step.index == made.winner), None)
    if not isinstance(best, Measured):
        return replace(looked, why=f"{looked.why}; tuning it again found nothing that works")
    return replace(looked, state=State.RETUNED, after_ns=best.call_ns)


def _kept(store: Store, winner: Winner) -> Seal | None:
    """Return the seal that a winner's run kept, if it kept one."""
    if not winner.run:
        return None
    for entry in store.journal_entries(winner.run):
        if entry.key == seal.KEY:
            try:
                return decode(json.loads(entry.data)["data"], seal.Seal)
            except (ValueError, LookupError, TypeError):
                return None
    return None


def _changed(kept: Seal, now: Seal) -> str:
    """Say what is new."""
    rows = (
        ("runtime", kept.runtime, now.runtime),
        ("driver", kept.driver, now.driver),
        ("hotloop", kept.hotloop, now.hotloop),
    )
    changes = [f"{name} {old or 'unknown'} → {new or 'unknown'}" for name, old, new in rows if old != new]
    return ", ".join(changes) or "the versions are the same"


def _answer(winner: Winner, state: State, why: str, after_ns: float | None = None) -> Looked:
    return Looked(winner=winner, state=state, why=why, before_ns=winner.call_ns, after_ns=after_ns)
