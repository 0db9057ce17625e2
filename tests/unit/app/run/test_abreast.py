"""What a device does while the next of it is prepared."""

from threading import Event, get_ident

import pytest

from hotloop.app.run.abreast import abreast


def test_an_item_is_acted_on_while_the_next_is_made_and_both_keep_their_order():
    made, done, log = Event(), [], []

    def items():
        for number in range(3):
            log.append(("made", number, get_ident()))
            if number == 1:
                made.set()
            yield number

    def act(number):
        assert number or made.wait(60)  # the second is made although the first has not ended
        done.append(number)
        return -number

    assert [(item, answer()) for item, answer in abreast(items(), act, lambda _: False)] == [(0, 0), (1, -1), (2, -2)]
    assert done == [0, 1, 2]
    assert {thread for _, _, thread in log} == {get_ident()}  # where a user's endless function can be stopped


def test_what_is_alone_waits_for_the_answers_before_it_and_is_not_begun_unasked():
    begun = []

    def act(number):
        begun.append(number)
        return number

    every = abreast([0, 1, 2], act, lambda number: number == 1)
    assert next(every)[1]() == 0
    assert next(every)[0] == 1
    assert begun == [0]  # nobody asked
    assert next(every)[1]() == 2
    assert begun == [0, 2]


def test_what_cannot_be_made_does_not_hide_the_answer_before_it():
    def items():
        yield 1
        raise ValueError("the next one")

    every = abreast(items(), lambda number: number, lambda _: False)
    assert next(every)[1]() == 1
    with pytest.raises(ValueError, match="the next one"):
        next(every)


def test_nothing_is_under_way_once_nobody_wants_more():
    ended = []
    every = abreast([1, 2, 3], ended.append, lambda _: False)
    assert next(every)[0] == 1
    every.close()
    assert ended == [1, 2]
