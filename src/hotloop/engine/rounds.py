"""Interleaved timing: what happens inside a worker when contenders are timed.

Every round runs all contenders forwards and then backwards (ABBA), so that linear drift cancels; each sample batches
enough calls to be long against timer and wake-up costs; inputs rotate call by call, unless the request wants the caches hot.
Arrays that a kernel both reads and writes are restored before each sample, outside the timed part. Arrays that it only
writes hold the result of another input set when a call begins, see `hotloop.engine.exchange`.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, overload

from hotloop.engine import layout, metered, order
from hotloop.engine.exchange import Exchange
from hotloop.errors import UsageError
from hotloop.host import threads
from hotloop.model.language import language
from hotloop.model.outcome import Sample
from hotloop.ports import COLD, HOT, MODES, Evicting, Round, Timed, TimeRequest
from hotloop.stats.rounds import outrun

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hotloop.engine.bench import Bench
    from hotloop.engine.metered import Watch
    from hotloop.engine.order import Turn
    from hotloop.model.program import Program
    from hotloop.ports import Bound, Dataset

LEAD_NS = 30_000_000
"""Untimed running before a sample, in ns. OpenBLAS's second thread, once asleep, needs several scheduler ticks of 4 ms to run
beside the first one again; calls of 0.3 ms then take 4 to 20 ms, which would flatter everything compared with such a peer."""
REST_NS = 5_000_000
"""Interval at which the CPU time of the process is read until its idle threads have stopped spinning."""
IDLE_SHARE = 0.2
"""CPU time over wall time below which no thread spins any more."""
MAX_CALLS = 4096
"""Most calls in one sample: bounds memory for events of very short kernels."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A program bound to every dataset of the rotation."""

    index: int
    program: Program
    bound: tuple[Sequence[Bound], Sequence[Bound]]
    """Bound to the own output arrays of each set, and to those of another set."""
    exchange: Exchange
    settle_ns: int
    now_ns: Callable[[], int]
    lead_ns: int
    """Untimed running before each sample; 0 if the contenders share one runtime and its threads, or have no threads."""
    inout: bool
    """True when some array is both input and output, so samples must start from restored content."""
    watch: Watch | None = None
    """Energy meter, if energy was requested."""


def run(bench: Bench, request: TimeRequest) -> Timed:
    """Carry out one timing request. Raises UsageError if a contender's backend does not support its mode."""
    if request.mode == HOT:
        request = replace(request, datasets=request.datasets[:1])
    bench.hold(request.programs)
    with _caches(bench, request):
        return _timed(bench, request)


@contextmanager
def _caches(bench: Bench, request: TimeRequest) -> Iterator[None]:
    """Empty the caches before every call within the block if the request is for cold caches."""
    if request.mode not in MODES:
        raise UsageError(f"{request.mode!r} is no way to time; choose one of {', '.join(MODES)}.")
    evicting: list[Evicting] = []
    for name in dict.fromkeys(program.language for program in request.programs if request.mode == COLD):
        backend = bench.backend(name)
        if not isinstance(backend, Evicting):
            raise UsageError(
                f"cold timing is not possible here: the {name} backend cannot empty the device's caches before each "
                "call; use --mode rotated, or an implementation in CUDA or HIP."
            )
        evicting.append(backend)
    try:
        for cache in evicting:
            cache.cold = True
        yield
    finally:
        for cache in evicting:
            cache.cold = False


def _timed(bench: Bench, request: TimeRequest) -> Timed:
    apart = mixed(request.programs)
    contenders = [contender_of(bench, index, request, mixed=apart) for index in range(len(request.programs))]
    batches_ns = [bound_contender.watch.batch_ns for bound_contender in contenders if bound_contender.watch]
    short = replace(request, target_sample_ns=min(request.target_sample_ns, *batches_ns)) if batches_ns else request
    calls = request.calls or even([_calibrate(bench, contender, short) for contender in contenders])
    turns, waiting = order.turns(request), threads.Waiting()
    rounds = list[Round]()
    while len(rounds) < request.rounds and not outrun(rounds, request.hopeless):
        rounds.append(_round(bench, contenders, calls, request, turns[len(rounds)]))
    waited = waiting.share
    phases = tuple({} if request.hopeless else _last(bench, contender, request) for contender in contenders)
    return Timed(tuple(rounds), calls, phases, waited)


def mixed(programs: Sequence[Program]) -> bool:
    """Return whether contenders have different runtimes whose threads can disturb each other."""
    languages = {program.language for program in programs}
    return len(languages) > 1 and not all(language(name).events for name in languages)


def contender_of(bench: Bench, index: int, request: TimeRequest, *, mixed: bool) -> Contender:
    """Return a program of a request bound to its input sets; `mixed`: other contenders use other threads."""
    program = request.programs[index]
    backend, exchange = bench.backend(program.language), _exchange(bench, program, request.datasets)
    own = _bound(bench, program, request.datasets, request.datasets)
    donors = _shifted(request.datasets, exchange.shift)
    bound = own, (own if not exchange.shift else _bound(bench, program, request.datasets, donors))
    inout = any(slot.output and slot.input for slot in request.datasets[0].slots)
    now_ns = getattr(backend, "now_ns", time.perf_counter_ns)
    settle_ns = backend.settle_ns if mixed else 0
    watch = bench.watch(program.language) if request.metered else None
    return Contender(index, program, bound, exchange, settle_ns, now_ns, LEAD_NS if mixed else 0, inout, watch)


_MANY_LAUNCHES = 64
"""Number of launches from which a program is bound to an input set only when its turn comes: binding takes about as long as a call then, and
long calls use few of the sets."""


class _Lazily(Sequence["Bound"]):
    """A program bound to input sets as they are asked for, which is before a sample and outside its time."""

    def __init__(self, bind: Callable[[int], Bound], sets: int) -> None:
        self._bind, self._places = bind, range(sets)
        self._made: dict[int, Bound] = {}

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> Bound: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Bound]: ...
    def __getitem__(self, place: int | slice) -> Bound | Sequence[Bound]:
        if isinstance(place, slice):
            return [self[index] for index in self._places[place]]
        index = self._places[place]
        if index not in self._made:
            self._made[index] = self._bind(index)
        return self._made[index]


def _bound(bench: Bench, program: Program, targets: Sequence[Dataset], donors: Sequence[Dataset]) -> Sequence[Bound]:
    """Return a program bound to datasets, whose output arrays are those of `donors`."""

    def bind(index: int) -> Bound:
        same = donors[index] is targets[index]
        return bench.bind(program, targets[index], None if same else donors[index])

    lazily = _Lazily(bind, len(targets))
    return lazily if len(program.launches) >= _MANY_LAUNCHES else tuple(lazily)


def _exchange(bench: Bench, program: Program, datasets: Sequence[Dataset]) -> Exchange:
    """Return the exchange of output arrays of a rotation; without arrays that are only written there is no exchange."""
    key = bench.memory(program.language), tuple(dataset.name for dataset in datasets)
    if key not in bench.exchanges:
        pure = any(slot.output and not slot.input for slot in datasets[0].slots)
        bench.exchanges[key] = Exchange(len(datasets) if pure else 1)
    return bench.exchanges[key]


def _shifted(datasets: Sequence[Dataset], shift: int) -> Sequence[Dataset]:
    return [*datasets[shift:], *datasets[:shift]]


_DISTURBED = 1.25
"""A call that took this many times as long as another one of the same contender was disturbed."""
_TRIES, _NEVER_DISTURBED = 3, 25.0
"""Number of warm-up samples that are repeated because another process may have delayed them, and the multiple of the target
duration above which a sample is not explained by such a delay."""
_ALIKE = 1.8
"""Contenders whose call times differ by at most this factor get the same number of calls per sample."""


def _calibrate(bench: Bench, contender: Contender, request: TimeRequest) -> float:
    """Warm up for the requested time and return how many calls, possibly a fraction of one, fill the target duration."""
    spent_ns, calls, shortest_ns, tries = 0.0, 1, float("inf"), 0
    while True:
        _lead(bench, contender, request)
        sample = _sample(bench, contender, request, 0, calls)
        agrees = sample.call_ns <= _DISTURBED * shortest_ns < float("inf")
        spent_ns += sample.wall_ns
        shortest_ns = min(shortest_ns, sample.call_ns)
        long = sample.wall_ns >= request.target_sample_ns
        tries += long
        surely = agrees or tries == _TRIES or sample.wall_ns >= _NEVER_DISTURBED * request.target_sample_ns
        if surely if long else spent_ns >= request.warmup_ns:
            return request.target_sample_ns / max(shortest_ns, 1.0)
        calls = calls if long else min(2 * calls, MAX_CALLS)


def even(wished: Sequence[float]) -> tuple[int, ...]:
    """Return calls per sample from how many fit a sample: the same number for contenders of similar speed.

    On a busy machine a short sample slips between two turns of another process and a long one does not, so that samples
    of unlike length would find a difference between equals.

    >>> even([3.1, 4.2]), even([4.0, 100.0, 2.0]), even([1.4, 1.6, 0.1])
    ((4, 4), (4, 100, 2), (2, 2, 1))
    """
    together: dict[float, float] = {}
    for count in sorted(set(wished), reverse=True):
        together[count] = max((most for most in together.values() if most <= _ALIKE * count), default=count)
    return tuple(max(1, min(MAX_CALLS, round(together[count]))) for count in wished)


def turned(calls: Sequence[int], sets: int) -> tuple[int, ...]:
    """Return calls per sample as whole turns of the rotation where that changes a sample by less than its double.

    >>> turned([19, 48, 7, 6, 1], 13), turned([8], 2)
    ((13, 52, 13, 6, 1), (8,))
    """
    return tuple(max(1, round(count / sets)) * sets if 2 * count >= sets else count for count in calls)


def _round(
    bench: Bench, contenders: list[Contender], calls: tuple[int, ...], request: TimeRequest, turn: Turn
) -> Round:
    queue = contenders + contenders[::-1]
    if turn.odd:  # BAAB after ABBA, so that the first contender alternates, too
        queue = contenders[::-1] + contenders
    samples = []
    for place, contender in enumerate(queue):
        half, count = place // len(contenders), calls[contender.index]
        keeps = turn.kept[half] >= 0 and (request.suspects is None or contender.index in request.suspects)
        behind = _behind(contender, turn.kept[half], count, len(request.datasets)) if keeps else 0
        _lead(bench, contender, request)
        first = (turn.ends[half] + behind - count + 1) % len(request.datasets)
        samples.append((contender.index, _sample(bench, contender, request, first, count)))
        if keeps:
            _run(prepared(bench, contender, request, (first + count) % len(request.datasets), max(0, -behind)))
            _keep(bench, contender, request, turn.kept[half], count, max(0, behind))
        _settle(contender.settle_ns)
    return Round(tuple(samples))


_MORE, _MORE_SHARE = 6, 8
"""Most untimed calls between a sample and the call whose outputs are verified, and the part (1 / this) of a sample that they may take. Where a
sample has no more calls than there are sets any of its own can be verified, which costs nothing and is what was timed."""


def _behind(contender: Contender, kept: int, calls: int, sets: int) -> int:
    """Return how many calls of a sample shall follow the one that is verified, at random; negative: so many untimed ones, of which it is the last.

    A program cannot predict which calls are verified. With a single long call per sample, the random choice of rounds does that.
    """
    most = calls if sets == 1 else calls // _MORE_SHARE
    more = min(_MORE, most) if calls > sets else 0
    places: list[int] = [*range(-more, 0), *contender.exchange.lasting(kept, calls, sets)]
    return secrets.choice(places)


def _run(sequence: Sequence[Bound]) -> None:
    for launch in sequence:
        launch.enqueue()
    for launch in sequence:
        launch.finish()


def _keep(bench: Bench, contender: Contender, request: TimeRequest, index: int, calls: int, behind: int) -> None:
    """Keep the outputs of a set as its latest call left them, `behind` calls before the end of a sample of `calls`."""
    dataset, sets = request.datasets[index], len(request.datasets)
    if contender.inout and (calls > sets or contender.watch is not None):
        # calls of one sample continue from what the previous call of the set left there
        bench.restore_outputs(contender.program, dataset)
        contender.bound[0][index].enqueue()
        contender.bound[0][index].finish()
        contender.exchange.own(index)
        donor = dataset
    else:
        donor = request.datasets[(index + contender.exchange.shift_before(index, behind)) % sets]
    bench.save(contender.program, dataset, layout.timed_file(dataset, contender.index), donor=donor)


def _lead(bench: Bench, contender: Contender, request: TimeRequest) -> None:
    """Run untimed until the contender's threads are awake and placed, after another library's threads have run."""
    until_ns = contender.now_ns() + contender.lead_ns
    while contender.now_ns() < until_ns:
        if contender.inout:
            bench.restore_outputs(contender.program, request.datasets[0])
        prepared(bench, contender, request, 0, 1)[0].enqueue()
        contender.bound[0][0].finish()


def _settle(limit_ns: int) -> None:
    """Sleep until no thread of this process spins, at most for `limit_ns`.

    How long OpenBLAS' threads go on after a call differs between machines (30 ms and 110 ms were seen), so the process'
    own CPU time is watched instead of trusting a number.
    """
    until_ns = time.monotonic_ns() + limit_ns
    while time.monotonic_ns() < until_ns:
        cpu_ns, wall_ns = time.process_time_ns(), time.monotonic_ns()
        time.sleep(REST_NS / 1e9)
        if time.process_time_ns() - cpu_ns < IDLE_SHARE * (time.monotonic_ns() - wall_ns):
            return


def _sample(bench: Bench, contender: Contender, request: TimeRequest, first: int, calls: int) -> Sample:
    if contender.inout:
        for dataset in _used(request.datasets, first, calls) if contender.watch is None else request.datasets:
            bench.restore_inout(contender.program, dataset)
    batch = partial(_batch, bench, contender, request, first, calls)
    if contender.watch is None:
        return batch(0)
    window = metered.window(contender.watch, batch, contender.now_ns)
    batch(0)  # verified outputs come from calls that end with the same set as those of the sample
    return window


def _used(datasets: Sequence[Dataset], first: int, calls: int) -> list[Dataset]:
    """Return the datasets that so many calls use, from the first one on."""
    return [datasets[(first + call) % len(datasets)] for call in range(min(calls, len(datasets)))]


def _batch(bench: Bench, contender: Contender, request: TimeRequest, first: int, calls: int, done: int) -> Sample:
    """Time calls of a sample of which `done` calls have run already."""
    sequence = prepared(bench, contender, request, first + done, calls, go_on=done > 0)
    if request.busiest:
        return _busiest(contender, sequence, first + done, len(request.datasets))
    return clocked(contender, sequence, first + done, len(request.datasets))


def _busiest(contender: Contender, sequence: Sequence[Bound], first: int, sets: int) -> Sample:
    """Run calls and return their times, as processor time that of the thread that ran longest."""
    before = threads.ran_ns()
    sample = clocked(contender, sequence, first, sets)
    spent_ns = threads.busiest_ns(before, threads.ran_ns())
    return replace(sample, cpu_ns=float(spent_ns) if spent_ns else None)


def clocked(contender: Contender, sequence: Sequence[Bound], first: int, sets: int) -> Sample:
    """Run calls and return their times."""
    cpu_ns, wall_ns = time.process_time_ns(), contender.now_ns()
    for launch in sequence:
        launch.enqueue()
    device_ns = [launch.finish() for launch in (sequence if sets > 1 else sequence[:1])]
    wall_ns, cpu_ns = contender.now_ns() - wall_ns, time.process_time_ns() - cpu_ns
    timed_ns = [value for value in device_ns if value is not None]
    return Sample(
        wall_ns=float(max(wall_ns, 1)),
        calls=len(sequence),
        device_ns=sum(timed_ns) if timed_ns else None,
        cpu_ns=float(cpu_ns),
        dataset=first % sets,
    )


def prepared(
    bench: Bench, contender: Contender, request: TimeRequest, first: int, calls: int, *, go_on: bool = False
) -> list[Bound]:
    """Return the calls of a sample; each output array holds another set's results, or poison where that is not possible."""
    places, stale = contender.exchange.plan(first, calls, len(request.datasets), go_on=go_on)
    for array in stale:
        bench.poison(contender.program, request.datasets[array])
    return [contender.bound[swapped][place] for place, swapped in places]


def _last(bench: Bench, contender: Contender, request: TimeRequest) -> Mapping[str, float]:
    """Run once more, alone, and return the times of the call's phases as the runtime reports them."""
    if contender.inout:
        bench.restore_outputs(contender.program, request.datasets[0])
    alone = prepared(bench, contender, request, 0, 1)[0]
    alone.enqueue()
    alone.finish()
    return alone.phases()
