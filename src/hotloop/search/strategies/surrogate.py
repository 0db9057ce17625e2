"""The default strategy: a Gaussian process learns log time from the results and proposes what may improve most.

1. Start points, then a few configurations far from all others, until there is something to learn from. Where the same kernel was tuned
   elsewhere, its best there come first, with a few of the others among them, which show whether that source is any good.
   Predicted times for this very device are such a source, too, and are followed more closely at first: what is tried then is
   what they and the process expect to be fastest, and neither the few others nor moves of the best come between.
   Predictions that are doubted are silent until a few results are there, and followed from then on as far as these speak for them.
2. The process is fitted again each time the number of results has grown by a fifth; between fits it is only updated.
   Its prior already expects that the tuning parameters' sizes act through ratios (see `hotloop.search.features`); once successes
   are many, slow ones are believed less (see `hotloop.search.doubt`).
3. The next configuration has the largest expected improvement of the (compressed) log time times its chance to work, which
   votes of near results tell until something failed, and sizes from then on (see `hotloop.search.demand`).
   Every third proposal is the most promising one-parameter move of the best configuration that has an untried one instead: that
   needs no model and keeps the search useful where the model is wrong.

Every choice is a function of the seed and the results in order, so a search resumes by being told its results again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.search.acquisition import compressed, log_expected_improvement
from hotloop.search.catalogue import distinct
from hotloop.search.doubt import MANY, noise_factors
from hotloop.search.elsewhere import FEWEST, WITNESSES, Elsewhere, left_variance
from hotloop.search.features import Features
from hotloop.search.gaussian import Posterior, Weights, fit, screen, standardised
from hotloop.search.neighbours import around_all
from hotloop.search.pool import Pool
from hotloop.search.sampler import Sampled
from hotloop.search.threads import single_threaded

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from hotloop.model.space import Config, Space
    from hotloop.search.foretold import Foretold
    from hotloop.search.grid import Positions

_DESIGN = 8
"""Number of results, start points included, before the model chooses the next configurations."""
_FEWEST = 3
"""Least number of successful results that a fit needs."""
_GROWTH = 1.2
_LOCAL_EVERY = 3
_SPREAD_OVER = 20
"""Random candidates among which the one farthest from all others is taken for the design."""
_POOL = 8192
"""Size of a space up to which all configurations are predicted; of larger ones a random pool is drawn at each fit."""
_DRAWN = 6144
_RANDOM_SHARE = 1024
_PROMISING_SHARE = 1024
_HUBS = 8
"""Best configurations whose one-parameter moves are always in the pool, and tried where those of better ones are used up."""
_CONTRAST = (3, 5)
"""Proposals that are far from all others although there are sources: whether the sources' best are fast shows beside others only."""
_WITNESSED = 4
"""Successful results that doubted predictions are judged by before they have a say; they lie far from each other and show an order."""
_FOLLOWED = 24
"""Successful results up to which predicted times that are believed are followed."""
_LEAST_VARIANCE, _LEAST_DEVIATION = 1e-9, 1e-9
_FITTED = 100
"""Results that a fit looks at: the better half of them the best ones, the others random."""


Predicted = tuple["NDArray[np.floating]", "NDArray[np.floating]"]
"""Mean and deviation of each candidate's log time."""


class Surrogate(Sampled):
    """Bayesian optimisation of log time over the valid configurations of a space."""

    def __init__(
        self,
        space: Space,
        seed: int,
        start: Sequence[Config] = (),
        elsewhere: Sequence[Mapping[Config, float | None]] = (),
        applies: Callable[[Config], bool] | None = None,
        foretold: Foretold | None = None,
    ) -> None:
        super().__init__(space, seed, start, applies=applies)
        self._features = Features(self._grid)
        known = foretold if foretold and not (foretold.doubted and elsewhere) else None
        tables = (*elsewhere, known.times_ns) if known else elsewhere
        self._elsewhere = Elsewhere(self._grid, self._features, tables)
        self._foretold = known is not None and len(known.times_ns) >= FEWEST
        self._heard_from = _WITNESSED if known and known.doubted else 0
        """Successful results from which the sources have a say."""
        self._beyond: NDArray[np.float64] = np.zeros((0, 0))
        """What the sources expect of the pool, shape (sources, candidates)."""
        self._expected: list[NDArray[np.float64]] = []
        """What the sources expect of each result."""
        self._believed = 0, 1.0
        """Number of results, and the trust in the sources that they speak for."""
        self._worked: list[Positions] = []
        self._log_times: list[float] = []
        self._told: list[Positions] = []
        self._next_fit = _FEWEST
        self._fitted = 0
        """Successful results up to the latest milestone; the fit looks at these only."""
        self._pool: Pool | None = None
        self._learnt = 0
        """Results that the pool knows."""
        self._posterior: Posterior | None = None

    def ask(self) -> Config | None:
        """Return a start point, a design point or the model's proposal; None when the space is exhausted."""
        ledger = self._ledger
        chosen = ledger.start()
        if chosen is None and self._elsewhere and not self._heard_from and len(self._worked) < _FEWEST:
            with single_threaded():
                chosen = self._best_elsewhere()
        elif chosen is None and self._contrasts():
            chosen = self._spread()
        elif chosen is None:
            with single_threaded():
                chosen = self._proposed()
        if chosen is None:
            chosen = self._sampler.unseen(ledger.rng(), ledger)
        if chosen is not None and self._pool is not None:
            self._pool.take(chosen)
        return ledger.issue(chosen)

    def tell(self, config: Config, call_ns: float | None) -> None:
        """Record a result; a second result of the same configuration is ignored."""
        positions = self._ledger.record(config, call_ns)
        if positions is None:
            return
        self._told.append(positions)
        if call_ns is None:
            return
        self._worked.append(positions)
        self._log_times.append(float(np.log(call_ns)))
        if len(self._worked) == self._next_fit:
            self._fitted = len(self._worked)
            self._next_fit = max(self._next_fit + 1, round(_GROWTH * self._next_fit))
            self._posterior = None

    def _best_elsewhere(self) -> Positions | None:
        """Return what all sources together expect to be fastest, before there is anything to learn from here."""
        if self._pool is None:
            everything = self._sampler.catalogue
            whole = everything is not None and everything.count <= _POOL
            rows = (
                everything.table()
                if everything is not None and whole
                else self._sampler.draw(self._ledger.rng(), _DRAWN)
            )
            self._pool = Pool(self._features, rows)
            for positions in self._ledger.seen():
                self._pool.take(positions)
            self._beyond = self._elsewhere.at(self._pool.rows)
        return self._informed_pool().foremost(-self._beyond.mean(0), self._ledger.fits)

    def _contrasts(self) -> bool:
        """Tell whether the next proposal is one of the design, which the model has no say in."""
        asked = len(self._ledger)
        if self._elsewhere and self._trust() > 0.0:
            return asked in _CONTRAST and not self._foretold
        return asked < _DESIGN or len(self._worked) < _FEWEST

    def _follows(self) -> bool:
        """Tell whether predicted times are followed wherever they lead: moves of the best so far would lead elsewhere."""
        return self._foretold and len(self._worked) < _FOLLOWED and self._trust() > 0.0

    def _trust(self) -> float:
        """Return how much of the sources' expectation is believed, judged anew with each of the first results."""
        count = min(len(self._worked), WITNESSES)
        if count < self._heard_from:
            return 0.0
        if self._believed[0] != count:
            scale = np.exp(0.5 * self._features.log_weights)[self._features.groups]
            points = self._features.of(np.array(self._worked[:count], np.int32)) * scale
            trust = self._elsewhere.trust(points, np.array(self._log_times[:count]), self._heard(count))
            if (trust > 0.0) != (self._believed[1] > 0.0):
                self._posterior = None  # fitted to what sources leave, or to the times themselves
            self._believed = count, trust
        return self._believed[1]

    def _spread(self) -> Positions | None:
        """Return the random unseen configuration that lies farthest from everything asked so far."""
        drawn = self._sampler.draw(self._ledger.rng(), _SPREAD_OVER)
        seen = self._ledger.seen()
        far = drawn if not seen else drawn[np.argsort(-self._gaps(drawn, seen), kind="stable")]
        return next((row for row in map(tuple, far.tolist()) if row not in self._ledger), None)

    def _gaps(self, drawn: NDArray[np.int32], seen: Sequence[Positions]) -> NDArray[np.float64]:
        """Return how far each of some configurations is from the nearest of others."""
        scale = np.exp(0.5 * self._features.log_weights)[self._features.groups]
        here = self._features.of(drawn) * scale
        there = self._features.of(np.array(seen, np.int32)) * scale
        return np.asarray(((here[:, None] - there[None]) ** 2).sum(2).min(1))

    def ranked(self, out: Sequence[Config]) -> list[Config]:
        """Return configurations that are out in the order in which they should be measured by what is known now.

        They were asked for when less was known. In the order given until the first configurations, which lie far from each other, are told.
        """
        if len(out) < 2 or len(self._ledger.results) < _DESIGN or len(self._worked) < _FEWEST:
            return list(out)
        with single_threaded():
            improvement = self._improvement(believing=False)
            promise = self._informed_pool().promise(improvement)
        rows = [self._informed_pool().row(self._grid.encode(config)) for config in out]
        promised = [np.inf if row is None else float(promise[row]) for row in rows]
        return [config for _, config in sorted(zip(promised, out, strict=True), key=lambda pair: -pair[0])]

    def _proposed(self) -> Positions | None:
        improvement = self._improvement(believing=True)
        local = len(self._ledger) % _LOCAL_EVERY == 0 and not self._follows()
        centres = self._ledger.fastest(_HUBS) if local else ()
        return self._informed_pool().choose(improvement, centres, self._ledger.fits)

    def _improvement(self, *, believing: bool) -> NDArray[np.float64]:
        """Return the logarithm of what each candidate is expected to improve, in the light of all results.

        `believing` takes what is out for told, so that other configurations are proposed.
        """
        posterior = self._posterior or self._refitted()
        targets, _, _ = standardised(compressed(np.array(self._log_times)))
        noisier = noise_factors(targets, doubted=self._fitted >= MANY)
        for place in range(posterior.count, len(self._worked)):
            point = self._features.of(np.array([self._worked[place]], np.int32))[0]
            posterior.observe(point, float(noisier[place]))
        predicted = self._predicted(posterior, targets)
        if believing:
            predicted = self._believing(posterior, predicted)
        return log_expected_improvement(float(targets.min()), *predicted)

    def _believing(self, posterior: Posterior, predicted: Predicted) -> Predicted:
        """Return predictions as if what is out had been told to be just what is expected of it: others go elsewhere."""
        pool, out = self._pool, self._ledger.out()
        assert pool is not None
        rows = [row for row in map(pool.row, out) if row is not None]
        if not rows:
            return predicted
        believed = posterior.variance_with(pool.seen[rows])
        mean, deviation = predicted
        shrunk = np.sqrt(np.maximum(believed, 0.0) / np.maximum(posterior.variance, _LEAST_VARIANCE))
        return mean, deviation * np.minimum(shrunk, 1.0) + _LEAST_DEVIATION

    def _predicted(
        self, posterior: Posterior, targets: NDArray[np.float64]
    ) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
        """Return mean and deviation of each candidate's log time: by the model, or by the sources and the model of the rest."""
        trust = self._trust() if self._elsewhere else 0.0
        if trust == 0.0:
            return posterior.predict(targets)
        here, there = self._elsewhere.mean(self._heard(len(self._worked)), targets, self._beyond, trust)
        mean, deviation = posterior.predict(targets - here, float(left_variance(trust)))
        return there + mean, deviation

    def _heard(self, count: int) -> NDArray[np.float64]:
        """Return what the sources expected of the first results, shape (sources, count); each is asked for once."""
        fresh = self._worked[len(self._expected) :]
        if fresh:
            self._expected += list(self._elsewhere.at(np.array(fresh, np.int32)).T)
        return np.array(self._expected[:count]).T

    def _informed_pool(self) -> Pool:
        """Return the pool after it has learnt all results."""
        pool = self._pool
        assert pool is not None
        pool.learn([(p, self._ledger.results[p] is not None) for p in self._told[self._learnt :]])
        self._learnt = len(self._told)
        return pool

    def _refitted(self) -> Posterior:
        """Fit to the successful results up to the latest milestone; draw a new pool unless it holds the whole space."""
        observed = np.array(self._worked[: self._fitted], np.int32)
        targets, _, _ = standardised(compressed(np.array(self._log_times[: self._fitted])))
        noisier = noise_factors(targets, doubted=self._fitted >= MANY)
        rng = self._ledger.rng(2, self._fitted)
        if self._elsewhere and (trust := self._trust()) > 0.0:
            expected = self._heard(self._fitted)
            targets = targets - self._elsewhere.mean(expected, targets, expected, trust)[0]
        few = _selection(rng, targets)
        seen = self._features.of(observed)
        weights = fit(self._features, seen[few], standardised(targets[few])[0], noisier[few])
        if self._pool is None or not self._whole():
            self._pool = Pool(self._features, self._candidates(rng, weights, observed, targets))
            self._learnt = 0
            for positions in self._ledger.seen():
                self._pool.take(positions)
            if self._elsewhere:
                self._beyond = self._elsewhere.at(self._pool.rows)
        self._posterior = Posterior(self._features, weights, self._pool.seen, seen, noisier)
        return self._posterior

    def _whole(self) -> bool:
        everything = self._sampler.catalogue
        return everything is not None and everything.count <= _POOL

    def _candidates(
        self, rng: np.random.Generator, weights: Weights, observed: NDArray[np.int32], targets: NDArray[np.float64]
    ) -> NDArray[np.int32]:
        """Return the configurations to choose from: all, or random ones, promising ones and moves of the best."""
        everything = self._sampler.catalogue
        if everything is not None and everything.count <= _POOL:
            return everything.table()
        drawn = self._sampler.draw(rng, _DRAWN if everything is not None else _RANDOM_SHARE)
        means = screen(self._features, weights, self._features.of(observed), targets, self._features.of(drawn))
        promising = np.argsort(means, kind="stable")[:_PROMISING_SHARE]
        hubs = observed[np.argsort(targets, kind="stable")[:_HUBS]].tolist()
        near = around_all(self._grid, [tuple(hub) for hub in hubs])
        return distinct(self._grid, np.concatenate([drawn[:_RANDOM_SHARE], drawn[promising], near]))


def _selection(rng: np.random.Generator, targets: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return which results a fit looks at."""
    order = np.argsort(targets, kind="stable")
    if len(order) <= _FITTED:
        return np.arange(len(order))
    half = _FITTED // 2
    return np.concatenate([order[:half], rng.choice(order[half:], _FITTED - half, replace=False)])


STRATEGY = Surrogate
