"""Properties of configuration search, against brute force on small random spaces."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from hotloop import registry
from hotloop.model.space import Config, Constraint, Parameter, Space
from hotloop.search.catalogue import catalogue
from hotloop.search.grid import Grid
from hotloop.search.neighbours import near_and_far
from hotloop.search.repair import repair

NAMES = "abcd"


@st.composite
def spaces(draw) -> Space:
    width = draw(st.integers(1, 4))
    parameters = tuple(
        Parameter(name, tuple(range(draw(st.integers(1, 4)))), ordinal=draw(st.booleans())) for name in NAMES[:width]
    )
    constraints = []
    for _ in range(draw(st.integers(0, 3))):
        read = draw(st.lists(st.sampled_from(NAMES[:width]), max_size=3, unique=True))
        salt, share = draw(st.integers(0, 10**6)), draw(st.integers(1, 5))
        shown = tuple(read) or tuple(NAMES[:width])

        def holds(config: Config, shown=shown, salt=salt, share=share) -> bool:
            return hash((salt, *(config[name] for name in shown))) % 5 < share

        constraints.append(Constraint("arbitrary", holds, tuple(read)))
    return Space(parameters, tuple(constraints))


def everything(space: Space) -> list[Config]:
    combinations = product(*(p.values for p in space.parameters))
    configs = (Config(dict(zip((p.name for p in space.parameters), values, strict=True))) for values in combinations)
    return [config for config in configs if space.valid(config)]


def configs(space: Space) -> st.SearchStrategy[Config]:
    return st.fixed_dictionaries({p.name: st.sampled_from(p.values) for p in space.parameters}).map(Config)


@given(spaces())
def test_catalogue_is_brute_force(space):
    listed = catalogue(Grid(space))
    assert listed is not None
    found = list(listed)
    assert len(found) == len(set(found)) == listed.count
    assert set(found) == set(everything(space))


@given(spaces(), st.data())
def test_repair_is_the_nearest_or_impossible(space, data):
    wanted = data.draw(configs(space))
    fixed = data.draw(st.lists(st.sampled_from([p.name for p in space.parameters]), unique=True))
    grid = Grid(space)

    def cost(config: Config) -> tuple[int, int]:
        pairs = zip(grid.encode(wanted), grid.encode(config), strict=True)
        return sum(grid.distance(i, *pair) for i, pair in enumerate(pairs)), len(wanted.changes_to(config))

    possible = [config for config in everything(space) if not set(wanted.changes_to(config)) & set(fixed)]
    mended = repair(grid, wanted, fixed)
    if mended is None:
        assert not possible
    else:
        assert mended in possible
        assert cost(mended) == min(map(cost, possible))


@given(spaces(), st.data())
def test_neighbours_are_the_valid_configurations_one_parameter_away(space, data):
    centre = data.draw(configs(space))
    grid = Grid(space)
    here = grid.encode(centre)
    near, far = ([grid.decode(row) for row in rows] for rows in near_and_far(grid, here))

    alone = {config for config in everything(space) if len(centre.changes_to(config)) == 1}
    assert len(near) + len(far) == len(alone)
    assert set(near) | set(far) == alone
    assert all(grid_steps(grid, here, config) <= 1 for config in near)
    assert all(grid_steps(grid, here, config) > 1 for config in far)


def grid_steps(grid, here, config):
    """Return how far an ordinal parameter has moved."""
    there = grid.encode(config)
    return max((abs(here[i] - there[i]) for i in range(len(grid.names)) if grid.ordinal[i]), default=0)


@settings(max_examples=25)
@given(spaces(), st.sampled_from(registry.names("hotloop.search.strategies")), st.integers(0, 99), st.data())
def test_strategies_visit_every_valid_configuration_once(space, name, seed, data):
    valid = everything(space)
    strategy = registry.load("hotloop.search.strategies", name, "STRATEGY")(space, seed)
    seen = []
    while len(seen) <= len(valid) and (config := strategy.ask()) is not None:
        seen.append(config)
        strategy.tell(config, data.draw(st.none() | st.floats(1.0, 1e9)))
    assert len(seen) == len(set(seen))
    assert set(seen) == set(valid)
