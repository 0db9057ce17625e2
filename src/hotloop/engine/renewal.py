"""Timing of a program on inputs new to it, interleaved with calls of a rival, or of itself, on known inputs."""

from __future__ import annotations

import secrets
import time
from typing import TYPE_CHECKING

from hotloop.engine import layout
from hotloop.engine.rounds import clocked, contender_of, prepared
from hotloop.model.outcome import Sample
from hotloop.ports import KNOWN_PLACES, Round, Timed, TimeRequest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hotloop.engine.bench import Bench
    from hotloop.ports import Bound, RenewRequest

_AWAKE_NS = 10_000_000
"""Time for which a GPU works before a sample: bringing new content takes the host long, and an idle GPU lowers its clocks."""


def renew(bench: Bench, request: RenewRequest) -> Timed:
    """Time calls on known inputs, of the rival or the program itself (contender 0), and calls on new inputs (contender 1).

    The buffers of the last input sets receive the new inputs; the other sets keep theirs, and whatever a program may have
    stored about them. Before each sample all inputs are written again, known ones too, so that both find the same cache
    state; outputs hold results that are right for other inputs. A program that really computes keeps its lead over the rival
    and takes as long for new inputs as for known ones. Before each sample the program runs on the known inputs several
    times, because it may store results only after repeated calls.
    """
    programs = (request.rival, request.program)
    timing = TimeRequest(programs=programs, datasets=request.datasets, rounds=1)
    bench.hold(programs)
    for content in request.fresh if bench.kind(request.program.language) == "gpu" else ():
        bench.bring(request.program, content)  # pinning takes long, and a GPU forgets where pages lie meanwhile
    renewal = _Renewal(bench, timing, request)
    rounds = tuple(renewal.round(index) for index in range(request.rounds))
    for dataset in request.datasets[-request.calls :]:
        bench.fill(request.program, dataset, dataset)
    return Timed(rounds, (request.known_calls, request.calls))


def _apart(sequence: Sequence[Bound], spoils: Sequence[Bound], begin: int) -> Sample:
    """Run calls, each after memory that outlives one was overwritten, and return the time of the calls alone."""
    try:
        for index, launch in enumerate(sequence):
            spoils[index % len(spoils)].enqueue()
            launch.enqueue()
        spent_ns = sum(launch.finish() or 0.0 for launch in sequence)
    finally:
        spoils[0].finish()
    return Sample(wall_ns=max(spent_ns, 1.0), calls=len(sequence), device_ns=spent_ns, dataset=begin)


class _Renewal:
    """Alternating calls on sets that keep their inputs and on sets whose buffers receive new inputs."""

    def __init__(self, bench: Bench, timing: TimeRequest, request: RenewRequest) -> None:
        self._bench, self._timing, self._request = bench, timing, request
        self._contenders = tuple(contender_of(bench, index, timing, mixed=False) for index in (0, 1))
        self._lent = len(timing.datasets) - request.calls
        last = max(0, self._lent - request.known_calls)
        self._places = [secrets.randbelow(last + 1) for _ in range(KNOWN_PLACES)]
        self._known = 0
        self._gpu = bench.kind(request.program.language) == "gpu"
        patterns = (
            (secrets.randbits(32), None) if request.spoil else ()
        )  # what a call left, changed, must not help the next one
        made = [bench.spoil((request.program, request.rival), pattern, whole=True) for pattern in patterns]
        self._spoils = [spoil for spoil in made if spoil is not None]

    def round(self, index: int) -> Round:
        """Take one sample of each kind, after calls on the known inputs in which a program may store its results."""
        at = index * self._request.calls
        self._known = self._places[index % KNOWN_PLACES]
        self._fill(0, at)
        for _ in range(-(-self._request.met // (1 if index < KNOWN_PLACES else 4))):
            self._sample(0)
        samples = []
        for kind in ((0, 1), (1, 0))[index % 2]:
            for _ in range(self._request.warm):  # so that buffers, threads and code are equally warm for both
                self._sample(1 - kind)
                self._sample(kind)
            self._fill(kind, at)
            samples.append((kind, self._sample(kind, spoils=self._spoils, after=index % 2)))
            if kind:
                self._keep(at)
        return Round(tuple(samples))

    def _fill(self, kind: int, at: int) -> None:
        """Write the inputs of a sample again: the known ones, or new ones from index `at` on."""
        begin, fresh = self._begin(kind), self._request.fresh[at : at + self._request.calls]
        targets = self._request.datasets[begin : begin + self._calls(kind)]
        for target, source in zip(targets, fresh if kind else targets, strict=True):
            self._bench.fill(self._request.program, target, source)
            if self._spoils:  # else what is left there must not pass for what belongs to new content
                self._bench.restore_scratch(self._contenders[kind].program, target)
                self._bench.poison(
                    self._contenders[kind].program, target
                )  # results can hold a table in their last bits

    def _sample(self, kind: int, spoils: Sequence[Bound] = (), after: int | None = None) -> Sample:
        """Run the calls of a sample; `after`: which contender a GPU is to run last before them."""
        begin, sets, contender = self._begin(kind), len(self._timing.datasets), self._contenders[kind]
        if kind:
            sequence = list(contender.bound[0][begin:])
            contender.exchange.release(range(begin, sets))
        else:
            sequence = prepared(self._bench, contender, self._timing, begin, self._calls(kind))
        if self._gpu and after is not None:
            self._wake(kind, after)
        return _apart(sequence, spoils, begin) if spoils else clocked(contender, sequence, begin, sets)

    def _wake(self, kind: int, last: int) -> None:
        """Run both contenders in turn for a while, on the buffers of the other kind, and end with the contender `last`.

        So samples of both kinds find a GPU at the same clocks, and its caches with the same lines of another set: what one program
        leaves there, or another does not, would count for or against the calls that follow it (a softmax that tells the cache to
        keep nothing was refused for it on an H200).
        """
        place, until_ns = self._known if kind else self._lent, time.monotonic_ns() + _AWAKE_NS
        for contender in self._contenders:
            contender.exchange.own(place)
        turn = [self._contenders[which].bound[0][place] for which in (1 - last, last)]
        while True:
            for other in turn:
                other.enqueue()
                other.finish()
            if time.monotonic_ns() >= until_ns:
                return

    def _begin(self, kind: int) -> int:
        return self._lent if kind else self._known

    def _calls(self, kind: int) -> int:
        return self._request.calls if kind else self._request.known_calls

    def _keep(self, at: int) -> None:
        """Keep the outputs of calls on new inputs that are to be verified."""
        for place in range(self._request.calls):
            if at + place in self._request.judged:
                file = layout.timed_file(self._request.fresh[at + place], 0)
                self._bench.save(self._request.program, self._request.datasets[self._lent + place], file)
