from hotloop.isa.missing import folded


def test_what_one_wait_would_mend_is_told_once():
    found = [(16, 96, "first."), (20, 96, "second."), (20, 128, "third."), (400, 500, "another.")]
    assert folded(found) == ("first (the same wait is missing for 2 more)", "another.")


def test_groups_that_meet_later_become_one():
    assert folded([(1, 10, "a"), (2, 20, "b"), (1, 20, "c"), (3, 30, "d")]) == (
        "a (the same wait is missing for 2 more)",
        "d",
    )


def test_nothing_missing():
    assert folded([]) == ()
