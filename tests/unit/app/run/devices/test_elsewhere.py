"""Which earlier trials a search hears of."""

from hotloop.app.run.devices.elsewhere import MOST_TABLES, tables
from hotloop.model.record import Record
from hotloop.model.space import Config
from hotloop.store import Timing


class Store:
    def __init__(self, rows):
        self.rows = rows

    def timings(self, family, implementation, limit):
        return tuple(self.rows[-limit:])


def rows(run="r", problem="p", device="d", n=64, count=10, ns=10.0):
    return [
        Timing(run=run, problem=problem, sizes=Config(n=n), device=device, config=Config(A=a), call_ns=ns + a)
        for a in range(count)
    ]


def told(*groups, run="mine"):
    return tables(Store([row for group in groups for row in group]), "f", "i", Record(n=64), "d", run)


def test_devices_and_problems_are_tables_of_their_own_and_the_nearest_comes_first():
    made = told(
        rows(device="other", problem="same", ns=100),
        rows(problem="near", n=128, ns=200),
        rows(problem="far", n=4096, ns=300),
    )
    assert [table[Config(A=0)] for table in made] == [200, 100, 300]


def test_the_run_itself_is_left_out_and_so_are_tables_of_few_times():
    assert told(rows(run="mine"), rows(problem="few", count=5)) == ()


def test_only_so_many_are_told():
    assert len(told(*(rows(problem=f"p{n}", n=n) for n in range(1, 20)))) == MOST_TABLES


def test_several_trials_of_a_configuration_count_by_their_median_and_a_failure_only_alone():
    again = [*rows(), *rows(ns=30), *rows(ns=20)]
    failed = [
        Timing(run="r", problem="p", sizes=Config(n=64), device="d", config=Config(A=a), call_ns=None) for a in (0, 99)
    ]
    table = told(again, failed)[0]
    assert table[Config(A=0)] == 20
    assert table[Config(A=99)] is None
