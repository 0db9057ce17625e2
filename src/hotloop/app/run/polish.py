"""Budgeted search over configurations: every one verified, timed beside the incumbent, finalists for a duel."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from hotloop.app.events import Searched
from hotloop.app.run import aim, seeds
from hotloop.app.run.devices import asking, lanes
from hotloop.app.run.devices.queue import MOST, Queue, begin, compiled_ahead
from hotloop.app.run.kept.searched import Summary
from hotloop.errors import SpentError
from hotloop.host import memory, threads
from hotloop.model.energy import Point
from hotloop.model.finding import Gain, Move
from hotloop.model.kernel import Variant
from hotloop.model.outcome import Measured, NotApplicable, Outcome
from hotloop.model.space import Config
from hotloop.ports import Numerous
from hotloop.search.elsewhere import FEWEST
from hotloop.search.foretold import Foretold
from hotloop.search.strategy import named
from hotloop.search.threads import single_threaded
from hotloop.stats.energy import per_call

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.app.run.attempt import Attempts
    from hotloop.model.step import Step
    from hotloop.search.strategy import Strategy

PHASE_S = 20.0
"""Shortest phase of a search before its finalists are confirmed."""
_INFORMED = "surrogate"
"""The strategy that reads predictions and what the kernel did elsewhere."""
RECENT = 3
"""Number of latest looks by which it is judged what one takes."""
MOST_FINALISTS = 3
_WORTH_A_DUEL = 1.0
"""A finalist must have looked at least as fast as the incumbent in its quick look."""


@dataclass(frozen=True, slots=True)
class Found:
    """The end of a search."""

    finalists: tuple[Variant, ...]
    """Fastest in their quick looks, best first."""
    promised: float
    """Speedup that the best one showed in its quick look: a lucky draw until it has won a duel."""
    summary: Summary
    times_ns: tuple[tuple[Config, float | None], ...] = ()
    """Every configuration that was tried, with its time of one call as far as the quick look tells; None: it failed."""
    look_s: float = 0.0
    """What the latest looks took at most, in s; 0: there were none, or several at a time."""


def search(
    desk: Desk,
    attempts: Attempts,
    incumbent: Variant,
    incumbent_ns: float,
    until_s: float,
    timed: Iterable[tuple[Config, float | None]] = (),
    strategy: str = "surrogate",
    most: int | None = None,
    elsewhere: Sequence[Mapping[Config, float | None]] = (),
    foretold: Foretold | None = None,
) -> Found:
    """Try configurations until the desk has spent `until_s` seconds, `most` were evaluated, or none is left.

    `timed` are configurations with their time over the incumbent's (None: failed), so that nothing is tried twice; `elsewhere`
    are times in ns on other devices or problems, which order what is tried first; of `foretold`, predicted times here, the
    best is tried before anything else unless they are doubted, and the strategy is told all of them.
    """
    guessed = foretold or Foretold()
    space = incumbent.implementation.space
    made = named(strategy)(
        space,
        desk.search_seed,
        start=(incumbent.config, *guessed.best),
        elsewhere=elsewhere,
        applies=lambda config: attempts.applies(Variant(incumbent.implementation, config)),
        foretold=guessed,
    )
    made.tell(incumbent.config, 1.0)
    for config, ratio in timed:
        if config != incumbent.config and space.valid(config):
            made.tell(config, ratio)
    return tried(desk, attempts, incumbent, incumbent_ns, until_s, made, most)


def phases(
    strategies: Sequence[str],
    elsewhere: Sequence[Mapping[Config, float | None]] = (),
    foretold: Foretold | None = None,
) -> tuple[str, ...]:
    """Return the strategies of a search's phases in turn; where there are tables to read, one that reads them begins.

    A phase takes half of the time that is left: a strategy that only polishes the incumbent would leave unused until then what is known.
    A plan that only polishes keeps doing so beside what other devices and problems showed.

    >>> table = {Config(A=number): 1.0 for number in range(8)}
    >>> phases(("local", "surrogate"), [table]), phases(("local",), [table]), phases(("local",), foretold=Foretold(table))
    (('surrogate', 'local'), ('local',), ('surrogate', 'local'))
    """
    others = _INFORMED in strategies and any(sum(map(bool, table.values())) >= FEWEST for table in elsewhere)
    informed = others or len((foretold or Foretold()).times_ns) >= FEWEST
    return (_INFORMED, *(name for name in strategies if name != _INFORMED)) if informed else tuple(strategies)


def tried(
    desk: Desk,
    attempts: Attempts,
    incumbent: Variant,
    incumbent_ns: float,
    until_s: float,
    strategy: Strategy,
    most: int | None = None,
) -> Found:
    """Look at what a strategy asks for until the desk has spent `until_s` seconds, `most` were evaluated, or it has nothing left."""
    record = _Record(incumbent_ns)
    try:
        with memory.settled(), single_threaded():  # here, too: each proposal would set and reset the threads
            exhausted = _evaluated(desk, attempts, incumbent, strategy, record, until_s, most)
    except SpentError:  # what the looks before showed counts
        exhausted = False
        desk.remember(
            f"left a look of {attempts.glance_key(incumbent, incumbent)} {record.evaluated}", float, lambda: 0.0
        )
    search = record.found(incumbent, exhausted=exhausted)
    if isinstance(desk.engine, Numerous):
        begin(attempts, search.finalists)
    return search


def _evaluated(
    desk: Desk,
    attempts: Attempts,
    incumbent: Variant,
    strategy: Strategy,
    record: _Record,
    until_s: float,
    most: int | None,
) -> bool:
    """Evaluate what a strategy asks for; tell whether it has nothing left to ask."""
    gpu, language = desk.device.kind == "gpu", incumbent.implementation.language
    size = lanes.window(desk, language, lambda count: compiled_ahead(attempts, incumbent, count) if gpu else MOST)
    if size > 1:
        with threads.brisk():
            return _together(desk, attempts, incumbent, strategy, record, until_s, most, size)
    queue = Queue(attempts, incumbent, strategy)
    look_s = 0.0  # a first one's time is kept back already, and what was answered last may have been no look
    while desk.spent_s + look_s < until_s and (most is None or record.evaluated < most):
        asked = queue.next()
        if asked is None:
            return True
        attempt = attempts.glance(incumbent, Variant(incumbent.implementation, asked))
        strategy.tell(asked, attempt.ratio)
        record.add(asked, attempt.outcome, attempt.ratio)
        desk.tell(Searched(record.evaluated, record.failed, record.best))
        look_s = desk.latest_s
        record.looks_s.append(look_s)
    return False


def _together(
    desk: Desk,
    attempts: Attempts,
    incumbent: Variant,
    strategy: Strategy,
    record: _Record,
    until_s: float,
    most: int | None,
    size: int,
) -> bool:
    """Do what `_evaluated` does with `size` configurations out at a time, on all devices there are."""
    crew = lanes.Crew(attempts, incumbent, lanes.lanes(desk.engine))
    ahead = asking.Window(crew, incumbent, strategy, size)
    exhausted = late = False
    try:
        while True:
            if not late and desk.spent_s + ahead.rest_s >= until_s:
                late = True
                crew.leave()
            elif not (late or exhausted):
                exhausted = ahead.fill(size if most is None else most - record.evaluated)
            if (answered := ahead.next(attempts)) is None:
                break
            asked, attempt = answered
            strategy.tell(asked, attempt.ratio)
            record.add(asked, attempt.outcome, attempt.ratio)
            desk.tell(Searched(record.evaluated, record.failed, record.best))
        crew.close(wait=True)
        return exhausted
    finally:
        crew.close()


def known(
    desk: Desk, steps: Iterable[Step], searched: Mapping[Config, float | None], incumbent: Variant, outcome: Outcome
) -> list[tuple[Config, float | None]]:
    """Return what steps and searches so far say about other configurations, relative to the incumbent with its outcome."""
    now = aim.cost(desk, outcome)
    costs = dict(searched)
    for step in steps:
        if step.implementation == incumbent.implementation.name:
            costs[step.config] = aim.cost(desk, step.outcome)
    return [(config, cost / now if cost and now else None) for config, cost in costs.items()]


def move(incumbent: Variant, variant: Variant, found: Found) -> Move:
    """Return the move from the incumbent to a finalist of a search."""
    change = seeds.changed(incumbent.config, variant.config)
    why = f"among the best of {found.summary.evaluated} configurations searched around the incumbent"
    return Move(technique="search", variant=variant, change=change, why=why, gain=Gain(1.0, max(1.0, found.promised)))


def joined(earlier: Summary | None, later: Summary) -> Summary:
    """Return two phases of a search as one."""
    if earlier is None:
        return later
    failures = Counter(dict(earlier.failures)) + Counter(dict(later.failures))
    best = min((cost for _, cost in earlier.curve), default=inf)  # a phase knows its own best only
    return Summary(
        evaluated=earlier.evaluated + later.evaluated,
        invalid=earlier.invalid + later.invalid,
        failures=tuple(sorted(failures.items())),
        curve=earlier.curve + tuple((earlier.evaluated + n, cost) for n, cost in later.curve if cost < best),
        exhausted=later.exhausted,
        points=earlier.points + later.points,
    )


class _Record:
    """Bookkeeping of one search."""

    def __init__(self, incumbent_ns: float) -> None:
        self._incumbent_ns = incumbent_ns
        self.evaluated = self.invalid = 0
        self._failures: Counter[str] = Counter()
        self._times: list[tuple[float, Config]] = []
        self._failed: list[Config] = []
        self._curve: list[tuple[int, float]] = []
        self._points: list[Point] = []
        self.looks_s: deque[float] = deque(maxlen=RECENT)
        self.best: float | None = None
        """Least time over the incumbent's, None before the first success."""

    @property
    def failed(self) -> int:
        return sum(self._failures.values())

    def add(self, config: Config, outcome: Outcome, ratio: float | None) -> None:
        if isinstance(outcome, NotApplicable):
            self.invalid += 1
            self._failed.append(config)
            return
        self.evaluated += 1
        if ratio is None or not isinstance(outcome, Measured):
            self._failures[type(outcome).__name__] += 1
            self._failed.append(config)
            return
        if self.best is None or ratio < self.best:
            self.best = ratio
            self._curve.append((self.evaluated, ratio * self._incumbent_ns))
        if joules := per_call(outcome.samples):
            self._points.append(Point(label=str(config), call_ns=outcome.call_ns, joules=joules))
        self._times.append((ratio, config))

    def found(self, incumbent: Variant, *, exhausted: bool) -> Found:
        ranked = sorted(self._times, key=lambda row: row[0])
        chosen = [row for row in ranked[:MOST_FINALISTS] if row[0] < _WORTH_A_DUEL]
        summary = Summary(
            evaluated=self.evaluated,
            invalid=self.invalid,
            failures=tuple(sorted(self._failures.items())),
            curve=tuple(self._curve),
            exhausted=exhausted,
            points=tuple(self._points),
        )
        finalists = tuple(Variant(incumbent.implementation, config) for _, config in chosen)
        times: list[tuple[Config, float | None]] = [
            (config, ratio * self._incumbent_ns) for ratio, config in self._times
        ]
        times += [(config, None) for config in self._failed]
        promised, look_s = 1 / chosen[0][0] if chosen else 1.0, max(self.looks_s, default=0.0)
        return Found(finalists, promised, summary, tuple(times), look_s)
