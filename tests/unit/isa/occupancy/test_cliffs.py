from hotloop.isa.occupancy.cliffs import Step, cliff, last_at_least, steps


def figure(value):
    return max(0, 8 - (value + 9) // 10)  # 8 at 0, 7 for 1-10, 6 for 11-20 ...


def test_steps_are_the_whole_staircase():
    assert list(steps(figure, 0, 25)) == [Step(8, 0), Step(7, 10), Step(6, 20), Step(5, 25)]
    assert list(steps(lambda _: 3, 5, 5)) == [Step(3, 5)]


def test_a_cliff_has_both_sides():
    found = cliff("vgpr", "registers", 13, figure, 0, 100)
    assert (found.figure, found.better, found.fewer) == (6, Step(7, 10), 3)
    assert (found.last, found.room, found.worse) == (20, 7, 5)


def test_no_value_helps_when_something_else_limits():
    found = cliff("lds", "B", 13, lambda value: min(3, figure(value)), 0, 100)
    assert (found.better, found.fewer) == (None, None)
    assert (found.last, found.worse) == (50, 2)


def test_the_end_of_the_range_is_no_cliff():
    found = cliff("lds", "B", 0, lambda _: 4, 0, 100)
    assert (found.better, found.last, found.worse) == (None, 100, None)


def test_bisection_stops_at_the_last_value():
    assert [last_at_least(figure, level, 0, 100) for level in (8, 7, 1)] == [0, 10, 70]
