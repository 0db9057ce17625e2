"""What of a budget is left, and what of it the end of a run needs."""

from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest

from hotloop.app.desk import Desk, MemoryJournal
from hotloop.app.run import foresight
from hotloop.app.run import pace as paces
from hotloop.app.run.pace import END_S, LATE_S, MOST_SHARE, Pace, full_check_s


@dataclass
class Clock:
    now_s: float = 100.0

    def monotonic_s(self):
        return self.now_s

    def utc(self):
        return "2030-01-01T00:00:00+00:00"


@pytest.fixture(autouse=True)
def built(monkeypatch):
    """Compilers are `test_foresight`'s."""
    monkeypatch.setattr(foresight, "building_s", lambda *_given: 0.0)


@dataclass(frozen=True)
class Case:
    problem: str
    added: bool = False


@dataclass
class Workload:
    problem: str = "own"
    seed: int = 1
    at_hand: tuple[Case, ...] = ()
    cases_: tuple[Case, ...] = ()
    known_s: dict = field(default_factory=dict)
    patience_s: float = 1e9
    set_bytes: int = 0
    set_s: float = 0.0
    kernel: object = field(default_factory=lambda: SimpleNamespace(launched=False))
    truth: object = field(default_factory=lambda: SimpleNamespace(confirming_s=0.0))

    def cases(self, level, seed):
        assert (level, seed) == ("full", 1)
        return self.cases_

    def prepared(self, case):
        return case in self.at_hand

    def preparing_s(self):
        return self.known_s


@pytest.fixture(autouse=True)
def alone(monkeypatch):
    """No other process takes time from this one, however busy the machine is."""
    monkeypatch.setattr(paces, "pressure", lambda: 1.0)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def desk(clock):
    return Desk(engine=None, device=SimpleNamespace(kind="cpu"), journal=MemoryJournal(), clock=clock, began_s=90.0)


def spend(desk, clock, name, seconds):
    def make():
        clock.now_s += seconds
        return 1.0

    return desk.remember(name, float, make)


def test_time_between_answers_counts_too(desk, clock):
    spend(desk, clock, "first", 5.0)
    assert desk.spent_s == pytest.approx(15.0)  # ten seconds had passed before the desk was asked anything
    clock.now_s += 3.0
    spend(desk, clock, "second", 1.0)
    assert (desk.spent_s, desk.latest_s) == (pytest.approx(19.0), pytest.approx(4.0))


def test_a_run_that_goes_on_has_spent_what_the_first_one_had(desk, clock):
    spend(desk, clock, "first", 5.0)
    again = Desk(engine=None, device=desk.device, journal=desk.journal, clock=clock, began_s=clock.now_s)
    clock.now_s += 2.0  # starting anew
    spend(again, clock, "first", 50.0)
    assert again.spent_s == desk.spent_s
    spend(again, clock, "second", 1.0)
    assert again.spent_s == pytest.approx(desk.spent_s + 3.0)


@pytest.mark.parametrize(("start_s", "end_s"), [(1.0, END_S), (8.6, 2.58), (60.0, 12.5)])
def test_where_the_start_took_long_the_end_has_more_time(desk, clock, start_s, end_s):
    desk.began_s = clock.now_s
    spend(desk, clock, "start", start_s)
    assert Pace(desk, 100.0).left_s == pytest.approx(100.0 - start_s - end_s)


def test_the_end_is_kept_back_as_far_as_its_parts_took(desk, clock):
    pace = Pace(desk, 100.0)
    spend(desk, clock, "baseline", 4.0)
    pace.compared()
    pace._duels_s.clear()
    pace._duels_s.append(14.0)
    for name in "abc":
        spend(desk, clock, name, 6.0)
        pace.compared()
    assert pace.duel_s == pytest.approx(6.0)  # the latest ones count
    assert pace.room_s == pytest.approx(100.0 - END_S - 32.0 - 6.0)
    assert pace.allows()


def test_a_slow_baseline_is_called_in_the_last_comparison_however_fast_later_candidates_are(desk, clock):
    pace = Pace(desk, 100.0)
    spend(desk, clock, "the baseline against the first candidate", 10.0)  # ten seconds had passed
    pace.compared(start=True)
    spend(desk, clock, "the baseline against one that does not compile", 30.0)
    pace.compared(timed=False, start=True)
    for name in "abcd":
        spend(desk, clock, name, 2.0)
        pace.compared()
    assert pace.duel_s == pytest.approx(2.0)
    assert pace.reserve_s == pytest.approx(20.0)
    spend(desk, clock, "verification", 60.0)
    assert pace.last_s == pytest.approx(LATE_S + 20.0)


def test_where_two_devices_compare_the_winner_both_comparisons_and_the_way_there_are_kept_back(clock):
    cluster = SimpleNamespace(remarks=[], byte_s=1e-9, lanes=lambda: ("first", "second", "third"))
    desk = Desk(engine=cluster, device=SimpleNamespace(kind="cpu"), journal=MemoryJournal(), clock=clock, began_s=90.0)
    pace = Pace(desk, 100.0)
    pace.expect(Workload(cases_=(Case("own"),), set_bytes=10**9), None, 0.0, "pace")
    spend(desk, clock, "first", 5.0)
    pace.compared()
    assert pace.reserve_s == pytest.approx(0.02 + 2 * (1.5 + 1.0) + 2 * 5.0)
    assert pace.last_s == pytest.approx(pace.left_s - 5.0)


def test_a_comparison_that_does_not_fit_is_not_begun(desk, clock):
    pace = Pace(desk, 40.0)
    spend(desk, clock, "baseline", 10.0)
    pace.compared()
    assert not pace.allows()  # 20 s took the first one, 20 s the last one will take
    assert not pace.allows(end=True)


def test_what_is_made_once_is_not_expected_of_the_next_comparison(desk, clock):
    pace = Pace(desk, 40.0)
    spend(desk, clock, "baseline", 10.0)
    pace.compared(once_s=17.0)
    assert pace.duel_s == pytest.approx(3.0)
    assert pace.allows()


def test_the_baseline_with_all_that_begins_there_is_no_measure_of_the_first_comparison(desk, clock):
    pace, slow = Pace(desk, 40.0), Pace(desk, 40.0)
    spend(desk, clock, "baseline", 10.0)
    pace.compared()
    slow.compared()
    pace.expect(Workload(), None, 1e6, "pace")
    assert pace.duel_s == pytest.approx(0.08 * 40.0 + 60 * 1e-3)
    assert pace.allows()
    slow.expect(Workload(), None, 3e9, "slow")
    assert not slow.allows()  # a kernel that takes three seconds


def test_on_a_gpu_the_first_comparison_and_the_last_need_new_content(desk, clock):
    large = Workload(set_bytes=64 * 2**20, set_s=0.4)
    spend(desk, clock, "baseline", 10.0)
    here, there = Pace(desk, 60.0), Pace(desk, 60.0)
    here.compared()
    there.compared()
    for pace, kind in ((here, "cpu"), (there, "gpu")):
        desk.device.kind = kind
        pace.expect(large, None, 1e4, kind)
    assert there.duel_s == pytest.approx(here.duel_s + 8 * 0.4)
    # The winner met what was left of the baseline's content in its first comparison: for the last one all must be drawn.
    assert there.comparing_s == pytest.approx(there.duel_s + 8 * 0.4)
    assert there.searching_s + 2 * there.duel_s <= there.left_s, "the last comparison will come"


def test_after_a_comparison_a_look_is_expected_to_take_what_looks_took(desk, clock):
    pace = Pace(desk, 40.0)
    spend(desk, clock, "baseline", 10.0)
    pace.compared(once_s=14.0)
    spend(desk, clock, "finalist", 6.0)
    pace.compared()
    assert pace.searching_s < 0.0, "a look may take as long as that comparison, as far as is known"
    pace.looked(0.5)
    assert 0.0 < pace.searching_s == pytest.approx(pace.room_s - 6.0 - 0.5)
    pace.looked(0.0)  # a phase without a look says nothing
    assert pace.searching_s > 0.0


def test_a_long_end_does_not_take_the_whole_budget(desk):
    workload = Workload(cases_=tuple(Case("own") for _ in range(9)), known_s={"own": 50.0})
    pace = Pace(desk, 100.0)
    pace.expect(workload, None, 1e9, "pace")
    assert pace.reserve_s == MOST_SHARE * 100.0


def test_what_a_full_check_takes_follows_from_the_cases_that_were_prepared():
    own, small, added = Case("own"), Case("small"), Case("small", added=True)
    workload = Workload(at_hand=(own,), cases_=(own, small, added), known_s={"own": 9.0, "small": 0.5})
    assert full_check_s(workload, 1e9) == pytest.approx(2 * 0.02 + 0.5 + 2 * 0.5)
    large = Workload(cases_=(own, Case("own", added=True)), known_s={"own": 9.0}, patience_s=4.0, set_bytes=10**9)
    assert full_check_s(large, 0.0) == pytest.approx(
        2 * 0.02 + 9.0 + 12.0 + 4 * 1.5
    )  # the last case begins before 4 s are over
    never = Workload(cases_=(Case("own"), Case("other")), known_s={"own": 9.0})
    assert full_check_s(never, 1e9) == pytest.approx(2 * 0.02 + 2 * 1.0 + 9.0)


def test_a_share_is_one_of_what_the_baseline_left(desk, clock):
    def spend(key, seconds):
        def work():
            clock.now_s += seconds
            return seconds

        desk.remember(key, float, work)

    pace = Pace(desk, budget_s=40.0)
    spend("baseline", 20.0)  # and 10 s before it
    pace.expect(Workload(), None, call_ns=1.0, key="end")
    assert not pace.beyond(0.5)
    spend("step", 6.0)
    assert pace.beyond(0.5)
    assert not pace.beyond(0.75)


def test_the_last_comparison_of_a_late_run_has_the_time_that_one_takes(desk, clock):
    pace = Pace(desk, 60.0)
    assert pace.last_s == pytest.approx(pace.left_s)
    for _ in range(3):
        spend(desk, clock, f"duel {_}", 6.0)
        pace.compared()
    spend(desk, clock, "verification", 60.0)
    assert pace.left_s < 0
    assert pace.last_s == pytest.approx(LATE_S + pace.duel_s)
    assert pace.duel_s >= 6.0


@pytest.mark.parametrize(("spent_s", "patience_s"), [(20.0, 6.0), (44.0, 4.0), (58.0, 2.0)])
def test_a_late_run_has_less_patience_with_cases_that_nobody_asked_for(desk, clock, spent_s, patience_s):
    pace = Pace(desk, 60.0)
    spend(desk, clock, "all", spent_s - 10.0 - END_S)
    pace._full_s, pace._duels_s[0] = 12.0, 6.0
    assert pace.patience_s == pytest.approx(patience_s)


def test_a_slow_kernel_gets_its_first_comparison_and_what_that_took_replaces_the_assumption(desk, clock):
    pace = Pace(desk, 300.0)
    spend(desk, clock, "baseline", 38.0)  # 48 s are spent
    pace.compared()
    pace.expect(Workload(cases_=(Case("own"),), known_s={"own": 25.0}), None, 1.92e9, "pace")
    assert pace.duel_s == pytest.approx(14 * 1.92 + 2 * 25.0)  # an assumption, and a third of what is left
    assert pace.allows()
    spend(desk, clock, "refused before it was timed", 2.0)
    pace.compared(timed=False)
    assert pace.duel_s > 70.0
    spend(desk, clock, "compared", 20.0)
    pace.compared()
    assert pace.duel_s == pytest.approx(20.0)
    assert pace.allows()


@pytest.mark.parametrize(("spent_s", "begun"), [(20.0, True), (75.0, True), (86.0, False)])
def test_a_first_comparison_is_begun_where_it_fits_and_no_second_one_would(desk, clock, spent_s, begun):
    pace = Pace(desk, 100.0)
    spend(desk, clock, "baseline", spent_s - 10.0)
    pace.compared()
    pace.expect(Workload(), None, 1e9, "pace")
    pace._duels_s.clear()
    pace._duels_s.append(14.0)
    assert pace.allows() is begun
    spend(desk, clock, "compared", 0.0)
    pace.compared()
    pace._duels_s.append(14.0)
    assert pace.allows() is (spent_s < 50)  # a second candidate needs a comparison, and the winner its last one


def test_no_ceilings_are_measured_where_the_start_took_long_and_a_budget_that_would_do_is_told(desk, clock):
    spend(desk, clock, "start", 0.0)  # ten seconds had passed
    usual, short = Pace(desk, 100.0), Pace(desk, 20.0)
    assert usual.ceilings_s == pytest.approx(15.0)
    assert not usual.short_start()
    assert short.ceilings_s == 0.0
    assert Pace(desk, 30.0).baseline_s == pytest.approx(
        19.0
    )  # until 2 s after the budget, less what the end needs beyond that
    assert Pace(desk, 1.0).baseline_s == pytest.approx(10.0)  # as long as the start, which spent it all
    assert Pace(desk, 10.0).baseline_s == 0.0  # a budget that is more than a trial is kept
    assert short.short_start().startswith("the start took 10 s of the budget of 20 s")
    assert short.short_start().endswith("at least --budget 30")
    short._duels_s[0], short._full_s = 20.0, 10.0
    assert short.enough_s == pytest.approx(10.0 + 20.0 + 10.0 + 20.0 + 2.5)
    assert str(short).endswith("--budget 70 would do")


@pytest.mark.parametrize(("launched", "each_s"), [(True, 3.0), (False, 0.0)])
def test_other_launches_of_a_launched_kernel_are_expected_to_take_as_long_as_its_own(launched, each_s):
    made = Workload(cases_=(Case("other"),), known_s={"own": 3.0}, kernel=SimpleNamespace(launched=launched))
    assert full_check_s(made, 0.0) == pytest.approx(0.02 + each_s)


def test_what_was_refused_says_only_at_least_how_long_a_comparison_takes(desk, clock):
    pace = Pace(desk, 100.0)
    spend(desk, clock, "compared", 6.0)
    pace.compared(once_s=10.0)
    for name in "abc":
        spend(desk, clock, f"{name} does not compile", 0.1)
        pace.compared(timed=False)
    assert pace.duel_s == pytest.approx(6.0)
    spend(desk, clock, "wrong in its last case", 9.0)
    pace.compared(timed=False)
    assert pace.duel_s == pytest.approx(9.0)


def test_beside_others_the_first_comparison_and_the_end_are_expected_to_take_longer(desk, clock, monkeypatch):
    spend(desk, clock, "baseline", 10.0)
    alone, beside, again = Pace(desk, 40.0), Pace(desk, 40.0), Pace(desk, 40.0)
    for pace in (alone, beside, again):
        pace.compared()
    for pace, pressed in ((alone, 1.0), (beside, 2.5)):
        monkeypatch.setattr(paces, "pressure", lambda pressed=pressed: pressed)
        pace.expect(Workload(cases_=(Case("own"),) * 9), None, 1e6, f"pace {pressed}")
        assert pace.duel_s == pytest.approx(pressed * 0.08 * 40.0 + 60 * 1e-3)
        assert pace._full_s == pytest.approx(pressed * 9 * 0.02 + 9 * 2e-3)
    monkeypatch.setattr(paces, "pressure", lambda: 9.0)
    again.expect(Workload(), None, 1e6, "pace 1.0")
    assert again.duel_s == pytest.approx(0.08 * 40.0 + 60 * 1e-3)  # as recorded


def test_a_peer_is_not_expected_to_take_what_looks_at_a_lead_took(desk, clock):
    pace = Pace(desk, 300.0)
    pace.expect(Workload(), None, 1e6, "pace")
    spend(desk, clock, "a step with minutes of looks", 160.0)
    pace.compared()
    assert pace.duel_s > pace.left_s
    assert pace.allows_peer()
    spend(desk, clock, "the end", 110.0)
    assert not pace.allows_peer()  # 24 s for a program and its rounds are not left
