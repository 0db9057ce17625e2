"""Optimizing for a card that is not here: techniques answer findings, each move is predicted, what is kept is executed first."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from hotloop.app.events import Stage
from hotloop.app.predict import tune
from hotloop.diagnose.engine import diagnose
from hotloop.errors import UsageError
from hotloop.host.clock import SystemClock
from hotloop.model.kernel import Variant
from hotloop.predict.ranking import Climbed, Ranked, Stride
from hotloop.techniques.menu import rank
from hotloop.units import counted

if TYPE_CHECKING:
    from hotloop.app.predict.bench import Bench
    from hotloop.app.predict.tune import Wish
    from hotloop.model.finding import Move
    from hotloop.model.space import Config

_MARGIN = 0.02
"""Predicted gain below which a move is not worth keeping, as in a measured run."""
_MENU_SHARE = 0.75
"""Part of the budget after which the menu gives way to the search."""
_TOGETHER = 6
"""Moves that are predicted before one of them is executed: a prediction takes a second, executing every case several."""
_FINALISTS = 3


def optimize(wish: Wish, margin: float = _MARGIN) -> Climbed:
    """Climb from the start by techniques, then search around; nothing is measured.

    Raises:
        UsageError: the target is no AMD GPU, no chip is known for it, or the start cannot be predicted.
    """
    return _Climb(wish, wish.bench(), margin).run()


@dataclass(slots=True)
class _Climb:
    wish: Wish
    bench: Bench
    margin: float
    begun_s: float = field(default_factory=lambda: SystemClock().monotonic_s())
    strides: list[Stride] = field(default_factory=list)
    tried: set[Config] = field(default_factory=set)

    def run(self) -> Climbed:
        start = self.wish.spec.chosen.start.replace(**dict(self.wish.spec.changes))
        first = self.bench.candidate(start)
        if first.prediction is None:
            raise UsageError(f"{self.wish.spec.text} cannot be predicted for {self.wish.target}: {first.why_not}")
        judged = tune.verified(self.wish, first)
        self.tried.add(start)
        right = bool(judged.verified)
        reason = "where it starts" if right else f"not usable: {judged.why_not}"
        self.strides.append(
            Stride(technique="baseline", change="start", why="", ranked=judged, kept=right, reason=reason)
        )
        if not right:
            return self._answer(reason)
        why = self._menu()
        more = self._search()
        return self._answer("; then ".join(filter(None, (why, more))))

    def _answer(self, reason: str) -> Climbed:
        wish = self.wish
        return Climbed(
            kernel=wish.spec.text, problem=wish.problem.key, target=wish.target, strides=tuple(self.strides),
            tried=len(self.tried), stop_reason=reason,
        )  # fmt: skip

    def _incumbent(self) -> Ranked:
        return next(stride.ranked for stride in reversed(self.strides) if stride.kept)

    def _spent(self) -> float:
        """Return the part of the budget that is used up."""
        return (SystemClock().monotonic_s() - self.begun_s) / self.wish.budget_s

    def _menu(self) -> str:
        """Predict what the techniques propose, some at a time, and execute only the best of them."""
        failures: Counter[str] = Counter()
        moves = self._moves()
        while moves:
            if self._spent() > _MENU_SHARE:
                return "the techniques' share of the budget is used up"
            chosen = sorted(moves, key=lambda one: failures[one.technique])[:_TOGETHER]
            kept = self._round([self._foreseen(move) for move in chosen])
            failures = Counter() if kept else failures + Counter(move.technique for move in chosen)
            moves = self._moves()
        return "no technique is left to try" if len(self.strides) > 1 else "no finding suggests a technique that fits"

    def _round(self, strides: list[Stride]) -> bool:
        """Keep the best predicted one of some moves that is right; what is left behind may be proposed again from there."""
        kept = False
        for stride in sorted(strides, key=lambda step: -(step.speedup or 0.0)):
            if kept and stride.speedup is not None and stride.speedup > 1:
                self.tried.discard(stride.ranked.config)
                self.strides.append(replace(stride, reason="another move of this round is predicted to bring more"))
                continue
            self.strides.append(self._decided(stride))
            kept |= self.strides[-1].kept
        return kept

    def _moves(self) -> tuple[Move, ...]:
        config = self._incumbent().config
        evidence = self.bench.evidence(config)
        variant = Variant(self.bench.implementation, config)
        return rank(
            diagnose(evidence).findings, variant=variant, problem=self.bench.problem, device=self.bench.device,
            evidence=evidence, tried=self.tried,
        )  # fmt: skip

    def _foreseen(self, move: Move) -> Stride:
        self.tried.add(move.variant.config)
        self.wish.listener.notify(Stage(f"predicting {move.technique}: {move.change}"))
        made = self.bench.candidate(move.variant.config)
        return self._rated(
            Stride(
                technique=move.technique, change=move.change, why=move.why, rule=move.rule, gain=move.gain, ranked=made
            )
        )

    def _rated(self, stride: Stride) -> Stride:
        here, now = stride.ranked.prediction, self._incumbent().prediction
        return replace(stride, speedup=now.time_ns / here.time_ns) if here and now else stride

    def _decided(self, stride: Stride) -> Stride:
        """Return a stride with what is done about it: only what is predicted faster is executed, and only what is right kept."""
        here, now = stride.ranked.prediction, self._incumbent().prediction
        if here is None or now is None or stride.speedup is None:
            return replace(stride, reason=stride.ranked.why_not)
        if stride.speedup < 1 + self.margin:
            slower = stride.speedup < 1 - self.margin
            return replace(stride, reason="predicted slower" if slower else "no difference predicted")
        if not here.trusted and now.trusted:
            return replace(stride, reason=f"predicted faster, but not to be trusted: {here.doubts[0]}")
        judged = tune.verified(self.wish, stride.ranked)
        if not judged.verified:
            return replace(stride, ranked=judged, reason=f"wrong when executed: {judged.why_not}")
        return replace(stride, ranked=judged, kept=True, reason="predicted faster, right when executed")

    def _search(self) -> str:
        """Search around the incumbent with what is left of the budget; the best predicted ones are decided about like any move."""
        space = self.wish.spec.chosen.space
        if not space.parameters or self._spent() >= 1:
            return ""
        begin, end_s = self._incumbent().config, self.begun_s + self.wish.budget_s
        candidates = tune.gathered(self.wish, self.bench, begin, end_s)
        fresh = [
            candidate
            for candidate in candidates
            if candidate.config not in self.tried and candidate.prediction is not None
        ]
        self.tried |= {candidate.config for candidate in candidates}
        fresh.sort(key=lambda finalist: finalist.prediction.time_ns if finalist.prediction else 0.0)
        for finalist in fresh[:_FINALISTS]:
            start = self._incumbent().config
            change = ", ".join(
                f"{name} {start[name]} → {finalist.config[name]}" for name in start.changes_to(finalist.config)
            )
            why = f"among the best predicted of {len(candidates)} configurations searched around the incumbent"
            self.strides.append(
                self._decided(self._rated(Stride(technique="search", change=change, why=why, ranked=finalist)))
            )
            if self.strides[-1].kept:
                break
        return f"a search of {counted(len(candidates), 'configuration')}"
