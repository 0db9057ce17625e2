"""Sizes that a kernel file forgot: beside the asked one, one, a little more than a power of two, alone in each dimension.

What sizes are legal only the file knows. It says so by what it lists as `awkward`, or in a word (`domain`): sizes that never
change there stay, powers of two stay powers of two, multiples stay multiples, and nothing is smaller than its smallest.
"""

from __future__ import annotations

import re
from math import gcd
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hotloop.model.kernel import Kernel
    from hotloop.model.problem import Problem

POWER, FIXED, ANY = "power of two", "fixed", "any"
_MULTIPLE = re.compile(r"multiple of (\d+)")
_MOST = re.compile(r"at most (\d+)")
_HALVING = re.compile(r"fft|bitonic|radix|butterfly|hadamard|walsh|log2|bit_length|power of two", re.IGNORECASE)
_BEYOND, _MOST_DOUBLED = 257, 1 << 22
_LONG = (1 << 16, 1 << 22, 1 << 20)
"""Sizes are tried beyond each, in this order; beyond the last where the one before it is out of reach."""
_PAST = 65
"""Least number of elements beyond a limit: with a single one a wrong flag would be right by chance half the time. It is odd, and more than a
group."""
_MUCH, _LONG_NS = 4.0, 5e9
"""Growth in size, and estimated time of a call in ns, beyond both of which sizes that hotloop chose are not tried."""
LONG_S = 2.0
"""Time limit in s, by estimate, for the reference of a problem that is much longer than the asked one."""


def multiple(word: str) -> int:
    """Return the number of ``multiple of 4``; 0 for other words."""
    match = _MULTIPLE.fullmatch(word)
    return int(match[1]) if match else 0


def most(word: str) -> int:
    """Return the number of ``at most 1500``; 0 for other words."""
    match = _MOST.fullmatch(word)
    return int(match[1]) if match else 0


def completed(kernel: Kernel, problem: Problem, declared: Sequence[Problem]) -> tuple[Problem, ...]:
    """Return problems that the file does not list, each with one size changed; the smallest first."""
    problems: list[Problem] = []
    for name, asked in problem.sizes.items():
        if isinstance(asked, bool) or not isinstance(asked, int) or asked < 1:
            continue
        values = [int(str(one.sizes[name])) for one in declared] if declared else []
        word = kernel.domain.get(name, "")
        chosen = _values(asked, values, word, kernel.halving)
        problems.extend(problem.replace(**{name: value}) for value in chosen if _fits(value, word))
    return tuple(one for one in dict.fromkeys(problems) if one != problem and one not in declared)


def lengthened(kernel: Kernel, problem: Problem, declared: Sequence[Problem]) -> tuple[Problem, ...]:
    """Return problems with one size beyond 2^16 and beyond 2^16 groups of 64, where that is longer than what is tried anyway.

    Beyond 2^20 comes last, for files whose reference does not reach 2^22 in time. Each is followed by one whose other sizes are the smallest
    of the file. Whether there is time for one is to be asked by `affordable`, whether a longer one makes it needless by `surpassed`.
    """
    found = [one for _, every in _lengths(kernel, problem, declared) for one in every]
    return tuple(dict.fromkeys(found))


def narrowed(kernel: Kernel, problem: Problem, declared: Sequence[Problem]) -> tuple[Problem, ...]:
    """Return of each size the first of these problems whose other sizes are the smallest of the file: enough for what only adds up along it."""
    return tuple(dict.fromkeys(every[1] for _, every in _lengths(kernel, problem, declared) if every))


def _lengths(kernel: Kernel, problem: Problem, declared: Sequence[Problem]) -> Iterator[tuple[str, list[Problem]]]:
    """Yield the sizes by name with their long problems, each followed by the narrow one."""
    for name, asked in problem.sizes.items():
        if isinstance(asked, bool) or not isinstance(asked, int) or asked < 1:
            continue
        values = [int(str(size.sizes[name])) for size in declared]
        word = kernel.domain.get(name, "")
        if word == FIXED or (values and {asked} == set(values) and word != ANY):
            continue
        sizes = [size for size in _long(asked, values, word, kernel.halving) if _fits(size, word)]
        longer = [problem.replace(**{name: size}) for size in sizes]
        yield name, [one for long in longer for one in (long, _narrowed(long, name, declared))]


def _fits(size: int, word: str) -> bool:
    """Tell whether a size is within the limit that a file states, where it states one."""
    return size <= (most(word) or size)


def _narrowed(long: Problem, name: str, declared: Sequence[Problem]) -> Problem:
    """Return a problem whose other sizes are the smallest that a file names: one row of millions, where many take too long."""
    least = {
        other: min(value, *(int(str(one.sizes[other])) for one in declared))
        for other, value in long.sizes.items()
        if other != name and isinstance(value, int) and not isinstance(value, bool) and declared
    }
    return long.replace(**least)


def _long(asked: int, declared: list[int], word: str, halving: bool) -> Iterator[int]:  # noqa: FBT001
    every = [asked, *declared]
    powers = all(extent & (extent - 1) == 0 for extent in every) and (bool(declared) or halving)
    step = multiple(word) or (gcd(*every) if declared else 1)
    for least in _LONG:
        if least <= max(every):
            continue
        if word == POWER or (powers and word != ANY and not multiple(word)):
            yield least
        else:
            yield least + _PAST if word == ANY else -(-(least + _PAST) // step) * step


def affordable(asked: Problem, other: Problem, asked_s: float) -> bool:
    """Tell whether a problem is small, or its reference takes seconds at most although work may grow with the square of a size."""
    longer = [(value, other.sizes[name]) for name, value in asked.sizes.items()]
    near = all(
        now <= max(2 * value, _BEYOND) + _BEYOND
        for value, now in longer
        if isinstance(value, int) and isinstance(now, int) and now > value > 0
    )
    return near or asked_s * growth(asked, other) ** 2 <= LONG_S


def surpassed(asked: Problem, other: Problem, tried: Iterable[Problem]) -> bool:
    """Tell whether a long problem is needless, because one that is as long in each size was tried.

    >>> from hotloop.model.problem import Problem
    >>> from hotloop.model.record import Record
    >>> asked, long, longer = (Problem("sum", Record(n=n)) for n in (1000, _LONG[2] + 1, _LONG[1] + 1))
    >>> surpassed(asked, long, [longer]), surpassed(asked, long, [long]), surpassed(asked, longer, [long])
    (True, False, False)
    """
    least = _LONG[0] if growth(other, asked) > 1 else _LONG[-1]
    if growth(asked, other) == 1 or max(value for value in other.sizes.values() if isinstance(value, int)) < least:
        return False
    return any(one != other and growth(one, other) == 1 for one in tried)


def growth(asked: Problem, other: Problem) -> float:
    """Return by how many times another problem is larger: the product over the sizes that are longer."""
    ratio = 1.0
    for name, value in asked.sizes.items():
        now = other.sizes[name]
        if isinstance(value, int) and isinstance(now, int) and value > 0:
            ratio *= max(1.0, now / value)
    return ratio


def endless(asked: Problem, other: Problem, times: Iterable[tuple[Problem, float]]) -> bool:
    """Return whether a call on sizes that hotloop chose may take seconds, assuming quadratic growth with the data size.

    `times`: calls of what ran so far, in ns; those on problems that are nowhere smaller than the asked one tell. The longer
    one of them was, the less of the growth is assumed. Sizes that are smaller make a call shorter in proportion.
    """
    if growth(asked, other) <= _MUCH:
        return False
    expected_ns = [ns * growth(ran, other) ** 2 / growth(other, ran) for ran, ns in times if growth(ran, asked) == 1]
    return min(expected_ns, default=0.0) > _LONG_NS


def halves(text: str) -> bool:
    """Tell whether a file speaks of what only powers of two can be: it may have forgotten to list any.

    >>> halves("a radix-2 FFT"), halves("saxpy")
    (True, False)
    """
    return bool(_HALVING.search(text))


def _values(asked: int, declared: list[int], word: str, halving: bool) -> Iterator[int]:  # noqa: FBT001
    every = [asked, *declared]
    if word == FIXED or (declared and len(set(every)) == 1 and word != ANY):
        return
    least = 1 if word == ANY or not declared else min(every)
    factor = multiple(word)
    step = factor or (gcd(*every) if declared else 1)
    powers = all(extent & (extent - 1) == 0 for extent in every) and (bool(declared) or halving)
    if word == POWER or (powers and word != ANY and not factor):
        chosen = [1, 2, asked // 2, 2 * asked]
    elif step > 1 and word != ANY:
        chosen = [step, asked - step, asked + step, -(-_BEYOND // step) * step]
    else:
        chosen = [1, 2, asked - 1, asked + 1, _BEYOND if asked > _BEYOND else 2 * asked + 1]
    yield from (
        extent
        for extent in chosen
        if least <= extent <= max(2 * asked, _BEYOND) and extent != asked and extent <= _MOST_DOUBLED
    )
