"""A ladder on an NVIDIA card: every rung verified, compared in pairs with the one below, and explained by what moved."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from importlib import import_module
from math import log
from pathlib import Path
from queue import SimpleQueue
from statistics import median
from typing import Any

from hotloop.app.events import Listener, Silent, Stage
from hotloop.app.ladder import data
from hotloop.app.ladder.card import code, counts
from hotloop.app.ladder.card.worker import Worker
from hotloop.app.session import Options
from hotloop.errors import MachineError, NoDeviceError, UsageError
from hotloop.host import settings, toolchain
from hotloop.model.ladder import Ladder, Rung
from hotloop.model.record import Record, Scalar
from hotloop.model.verdict import Comparison
from hotloop.report.ladder.cardview import CardRungView, CardView, PeerView, moved
from hotloop.stats.paired import PairedTest

ROUNDS = 25
_DRIVERS = ("nvidia[0-9]*", "dxg")
"""Device files of NVIDIA's driver, and of a GPU under WSL."""
_WORDS = ("nvidia", "cuda", "sm_")
_WORKERS = 6
"""Processes that compile and verify side by side; PyTorch, Triton and a context for each."""


def wanted(family: str, options: Options) -> bool:
    """Tell whether a family's ladder is to be run on an NVIDIA card: there is one, and nothing else was asked for."""
    asked = (options.device or settings.DEVICE.get() or "").casefold()
    here = any(found for pattern in _DRIVERS for found in Path("/dev").glob(pattern))
    named = not asked or any(word in asked for word in _WORDS) or bool(data.card_targets(family) and asked in _names())
    return bool(data.card_targets(family)) and here and named


def _names() -> str:
    """Return the names of the cards, as the driver's own files tell them."""
    found = Path("/proc/driver/nvidia/gpus").glob("*/information")
    return "\n".join(path.read_text(errors="replace").casefold() for path in found)


# -- compiled ---------------------------------------------------------------------------------------------------------


def compiled(family: str, target: str, rungs: Sequence[str] = (), listener: Listener | None = None) -> CardView:
    """Compile the rungs of a family's ladder for a card that is not here, and hold them to their bounds.

    Raises:
        UsageError: no such ladder or rung.
    """
    ladder, heard = data.card_ladder(family, target), listener or Silent()
    made: dict[str, code.Code] = {}
    with tempfile.TemporaryDirectory(prefix="hotloop-") as folder:
        for rung in ladder.chosen(tuple(rungs)):
            heard.notify(Stage(f"compiling {rung.name} for {target}"))
            made[rung.name] = code.offline(ladder, rung, target, Path(folder))
    rows: dict[str, CardRungView] = {}
    for rung in ladder.chosen(tuple(rungs)):
        rows[rung.name] = _row(ladder, rung, made[rung.name], made)
    return CardView(ladder=ladder, target=target, rungs=tuple(rows.values()), no_counters="compiled only")


def _row(ladder: Ladder, rung: Rung, found: code.Code, others: Mapping[str, code.Code]) -> CardRungView:
    below = others.get(rung.after)
    return CardRungView(
        rung=rung,
        kernel=ladder.implementation(rung) or "",
        config=str(Record(ladder.changes(rung))),
        sizes=str(Record(ladder.varied(rung))),
        failure=found.failure,
        absent=found.absent,
        facts=found.facts,
        compiler=found.compiler,
        violations=code.violations(found, rung.bounds),
        over=rung.after,
        moved=moved(rung, found.facts, below.facts) if below else (),
    )


# -- measured ---------------------------------------------------------------------------------------------------------


def climb(
    family: str,
    shape: str,
    options: Options,
    listener: Listener,
    *,
    rungs: Sequence[str] = (),
    margin: float = 0.02,
    counters: bool = True,
    keep: Callable[[CardView], None] | None = None,
) -> CardView:
    """Run a family's ladder on the NVIDIA card of this machine.

    Args:
        family: kernel family.
        shape: ``name=value,...`` of the ladder's problem; empty: as it is.
        options: seed, limit of one answer.
        listener: is told what happens.
        rungs: only these and those they stand on; empty: all.
        margin: below which two rungs are the same.
        counters: False leaves Nsight Compute out.
        keep: gets what there is before the counters are, which take longest and may be cut short.

    Raises:
        UsageError: no such ladder, shape or rung.
        NoDeviceError: no NVIDIA card, or none that the ladder is for.
        MachineError: PyTorch or Triton is missing.
    """
    for package in ("torch", "triton"):
        if toolchain.package(package) is None:
            raise MachineError(f"running a ladder on an NVIDIA card needs {package}; pip install 'hotloop[torch]'.")
    with tempfile.TemporaryDirectory(prefix="hotloop-") as folder:
        card = Worker(Path(folder), options.limit_s)
        try:
            device = card.ask({"ask": "device"})
            if "failed" in device:
                raise NoDeviceError(
                    f"{device['failed']}; the ladder can be compiled: --target {data.card_targets(family)[0]}."
                )
            if device["target"] not in data.card_targets(family):
                raise NoDeviceError(f"{family} has no ladder for {device['name']} ({device['target']}).")
            ladder = _sized(data.card_ladder(family, device["target"]), shape)
            return _Climb(ladder, device, card, options, listener, margin).run(
                tuple(rungs), counters=counters, keep=keep
            )
        finally:
            card.close()


def _sized(ladder: Ladder, shape: str) -> Ladder:
    """Return a ladder with other sizes."""
    changed: dict[str, Scalar] = {}
    for part in filter(None, shape.split(",")):
        name, _, value = part.partition("=")
        if name not in ladder.problem or not value.isdigit():
            raise UsageError(f"shape {part!r} is not understood: give NAME=NUMBER of {', '.join(ladder.problem)}.")
        changed[name] = bool(int(value)) if isinstance(ladder.problem[name], bool) else int(value)
    return replace(ladder, problem=Record({**ladder.problem, **changed}))


@dataclass
class _Standing:
    """What is known of a rung so far."""

    rung: Rung
    binaries: list[dict[str, Any] | None]
    """Per sizes: timed, then ragged; None: Triton compiles where it runs."""
    sizes: list[dict[str, Scalar]]
    code: code.Code
    entries: tuple[str, ...] = ()
    errors: tuple[float, ...] = ()
    times_ms: list[float] = field(default_factory=list)
    comparison: Comparison | None = None
    over: str = ""
    samples: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())

    @property
    def good(self) -> bool:
        """True when it ran and was right."""
        return not self.code.failure and not self.code.absent


class _Climb:
    """One walk up a ladder on a card."""

    def __init__(
        self,
        ladder: Ladder,
        device: Mapping[str, Any],
        card: Worker,
        options: Options,
        listener: Listener,
        margin: float,
    ) -> None:
        self.ladder, self.device, self.card, self.listener = ladder, device, card, listener
        self.module, self.seed = data.card_module(ladder), options.seed
        self.test = PairedTest(margin=margin)
        self.known: dict[str, _Standing] = {}

    def run(self, names: tuple[str, ...], *, counters: bool, keep: Callable[[CardView], None] | None) -> CardView:
        """Return all rungs with verdicts."""
        self.tell("compiling and verifying")
        chosen = self.ladder.chosen(names)
        with ThreadPoolExecutor(_WORKERS) as pool:
            self.known = {found.rung.name: found for found in pool.map(self._begun, chosen)}
            self._verify_all(pool)
        for found in self.known.values():
            self._compare(found)
        best = self._view(None, (), "").best
        winner = self.known[best.rung.name] if best else None
        total, peers = self._total(winner), self._peers(winner)
        made = self._view(total, peers, "not yet counted" if counters else "left out")
        if keep is not None:
            keep(made)
        return self._view(total, peers, self._count()) if counters else made

    def _view(self, total: Comparison | None, peers: tuple[PeerView, ...], no_counters: str) -> CardView:
        rows = tuple(self._row(found) for found in self.known.values())
        return CardView(
            ladder=self.ladder, target=str(self.device["target"]), rungs=rows, device=dict(self.device), peers=peers,
            total=total, no_counters=no_counters, top=peers[0].rung if peers else "",
        )  # fmt: skip

    def tell(self, words: str) -> None:
        """Say what comes."""
        self.listener.notify(Stage(words))

    def _begun(self, rung: Rung) -> _Standing:
        """Return a rung with its sizes and, in CUDA C++, its binaries."""
        sizes = [self.ladder.varied(rung)]
        sizes += [{**sizes[0], **ragged} for ragged in self.ladder.ragged] if not self._apart(rung) else []
        if not code.in_cuda(self.ladder):
            return _Standing(rung, [None] * len(sizes), sizes, code.Code())
        found, binaries = code.Code(), []
        for number, each in enumerate(sizes):
            made, binary = code.binary(self.ladder, rung, str(self.device["target"]), each, self.card.folder)
            found = made if not number or made.failure else found
            binaries.append(binary)
        return _Standing(rung, binaries, sizes, found)

    def _apart(self, rung: Rung) -> bool:
        """Tell whether a rung solves a problem of its own, whose kernels the ragged sizes do not suit."""
        return bool(rung.problem) or bool(rung.after and self._apart(self.ladder.rung(rung.after)))

    # -- verification ---

    def _verify_all(self, pool: ThreadPoolExecutor) -> None:
        """Verify rungs side by side: most of that time goes to compilers."""
        good = [found for found in self.known.values() if found.good]
        cards = [self.card, *(self.card.another() for _ in range(min(_WORKERS, len(good)) - 1))]
        free: SimpleQueue[Worker] = SimpleQueue()
        for card in cards:
            free.put(card)

        def one(found: _Standing) -> None:
            card = free.get()
            try:
                self._verify(found, card)
            finally:
                free.put(card)

        try:
            list(pool.map(one, good))
        finally:
            for card in cards[1:]:
                card.close()

    def _verify(self, found: _Standing, card: Worker) -> None:
        answer = card.ask(
            {
                "ask": "verify", "card": self.module, "kernel": self.ladder.implementation(found.rung), "seed": self.seed,
                "config": self.ladder.changes(found.rung), "sizes": found.sizes, "binaries": found.binaries,
            }
        )  # fmt: skip
        if "failed" in answer:
            found.code = replace(found.code, failure=str(answer["failed"]))
            return
        found.errors, found.entries = tuple(answer["errors"]), tuple(answer["entries"])
        if answer["code"]:
            found.code = code.read(answer["code"], str(self.device["target"]), f"triton {self.device['triton']}")
        if not max(found.errors) <= 1.0:
            found.code = replace(found.code, failure=f"wrong result: error {max(found.errors):.3g} times its bound")

    # -- time ---

    def _contender(self, found: _Standing) -> dict[str, Any]:
        return {
            "kernel": self.ladder.implementation(found.rung), "config": self.ladder.changes(found.rung), "binary": found.binaries[0]
        }  # fmt: skip

    def _pair(
        self, sizes: Mapping[str, Scalar], contenders: list[dict[str, Any]]
    ) -> tuple[Comparison | None, tuple[tuple[float, ...], tuple[float, ...]], str]:
        """Return the comparison (above 1: the second one is faster), the times, and why there is none."""
        answer = self.card.ask(
            {"ask": "pair", "card": self.module, "sizes": dict(sizes), "contenders": contenders, "rounds": ROUNDS}
        )
        if "failed" in answer:
            return None, ((), ()), str(answer["failed"])
        for error in answer["errors"]:
            if error is not None and not error <= 1.0:
                return None, ((), ()), f"wrong result when timed: error {error:.3g} times its bound"
        first, second = answer["times_ms"]
        return paired(first, second, self.test), (tuple(first), tuple(second)), ""

    def _compare(self, found: _Standing) -> None:
        below = self.known.get(found.rung.after)
        while below is not None and not below.good:
            below = self.known.get(below.rung.after)
        if below is None or not found.good:
            return
        self.tell(f"{found.rung.name}: comparing with {below.rung.name}")
        found.over = below.rung.name
        comparison, samples, why = self._pair(found.sizes[0], [self._contender(below), self._contender(found)])
        if why:
            found.code = replace(found.code, failure=why)
            return
        found.comparison, found.samples, found.times_ms = comparison, samples, list(samples[1])
        below.times_ms = below.times_ms or list(samples[0])

    def _total(self, best: _Standing | None) -> Comparison | None:
        first = next((f for f in self.known.values() if f.good), None)
        if best is None or first is None or best is first:
            return None
        self.tell(f"comparing {best.rung.name} with {first.rung.name}")
        return self._pair(best.sizes[0], [self._contender(first), self._contender(best)])[0]

    def _peers(self, best: _Standing | None) -> tuple[PeerView, ...]:
        if best is None:
            return ()
        rows = []
        for name in import_module(self.module).PEERS:
            self.tell(f"comparing {best.rung.name} with {name}")
            comparison, samples, why = self._pair(best.sizes[0], [{"peer": name}, self._contender(best)])
            call_ns = 1e6 * median(samples[0]) if samples[0] else None
            rows.append(
                PeerView(
                    name=name,
                    rung=best.rung.name,
                    call_ns=call_ns,
                    comparison=comparison,
                    failure=why,
                    samples_ms=samples,
                )
            )
        return tuple(rows)

    # -- evidence ---

    def _count(self) -> str:
        """Add what Nsight Compute counts; returns why it did not."""
        self.tell("counting with Nsight Compute")
        self.card.close()  # the profiler replays kernels and wants the memory
        good = [found for found in self.known.values() if found.good]
        asked = [
            {"name": f.rung.name, "sizes": f.sizes[0], "entries": list(f.entries), **self._contender(f)} for f in good
        ]
        counted, why = counts.count(self.module, asked, self.card.folder, self.card.changes)
        for found in good:
            more = counted.get(found.rung.name, {})
            found.code = replace(found.code, facts={**found.code.facts, **more})
        return why

    def _row(self, found: _Standing) -> CardRungView:
        below = self.known.get(found.over or found.rung.after)
        row = _row(self.ladder, found.rung, found.code, {found.rung.after: below.code} if below else {})
        call_ns = 1e6 * median(found.times_ms) if found.times_ms else None
        work = import_module(self.module).work(found.sizes[0])
        return replace(
            row,
            errors=found.errors,
            over=found.over,
            call_ns=call_ns,
            flops_per_s=1e9 * work.flops / call_ns if call_ns else None,
            bytes_per_s=1e9 * work.bytes / call_ns if call_ns else None,
            comparison=found.comparison,
            samples_ms=found.samples,
        )


def paired(first: Sequence[float], second: Sequence[float], test: PairedTest) -> Comparison | None:
    """Return the comparison of two contenders from their times in rounds A B B A; all rounds are one look."""
    ratios = [log((first[at] + first[at + 1]) / (second[at] + second[at + 1])) for at in range(0, len(first) - 1, 2)]
    return replace(test, looks=(len(ratios),)).decide(ratios) if ratios else None
