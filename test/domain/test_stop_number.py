"""Stop numbers only grow, every stop counts once, and nothing older moves."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from roboinstruct_ros.domain.stop_number import LARGEST, StopNumber

NOW = 1_000_000


def numbers(clock: int = NOW) -> StopNumber:
    return StopNumber(lambda: clock)


def test_a_stop_here_is_newer_than_all_before_whatever_the_clock_says() -> None:
    stops = numbers()
    assert stops.advance() == NOW
    assert stops.advance() == NOW + 1, "the clock stands still"
    slow = numbers(5)
    slow.learn(NOW)
    assert slow.advance() == NOW + 1, "the clock goes wrong"


def test_a_request_that_is_heard_twice_counts_once() -> None:
    stops = numbers()
    assert stops.hear(7) and not stops.hear(7) and stops.current == 7


def test_a_request_that_heartbeats_have_told_of_is_no_second_stop() -> None:
    stops = numbers()
    assert stops.learn(7) and not stops.hear(7) and stops.current == 7


def test_a_request_of_a_sender_that_knows_of_no_stop_is_one_all_the_same() -> None:
    stops = numbers()
    stops.learn(7)
    admission = stops.admit()
    assert stops.hear(0) and admission.is_set() and stops.current == NOW
    assert stops.hear(0) and stops.current == NOW + 1, "anybody may stop as often as they like"


def test_two_such_requests_of_which_each_was_lost_to_one_are_known_to_both_in_the_end() -> None:
    one, other = numbers(NOW), numbers(NOW + 1)
    one.hear(0)
    admission = one.admit()
    other.hear(0)
    assert one.learn(other.current) and admission.is_set()


def test_a_request_with_an_old_number_stops_what_was_admitted_since() -> None:
    stops = numbers()
    stops.learn(7)
    admission = stops.admit()
    assert stops.hear(3) and admission.is_set()
    assert not stops.hear(3), "it was heard already"


def test_a_number_beyond_all_bounds_leaves_room_for_the_next_stop() -> None:
    stops = numbers()
    stops.learn(7)
    assert not stops.learn(LARGEST + 1) and stops.current == 7
    admission = stops.admit()
    assert stops.hear(2**64 - 1) and admission.is_set() and stops.current == NOW
    assert stops.advance() > NOW


def test_what_was_admitted_under_an_older_number_is_set_from_the_start() -> None:
    stops = numbers()
    stops.learn(7)
    assert stops.admit(6).is_set()
    assert not stops.admit(7).is_set() and not stops.admit(0).is_set()
    assert stops.admit(0).number == 7


def test_an_admission_that_is_ahead_lives_until_a_stop_that_is_newer_still() -> None:
    stops = numbers()
    ahead = stops.admit(9)
    stops.hear(7)
    assert not ahead.is_set()
    stops.hear(10)
    assert ahead.is_set()


ways = st.one_of(
    st.tuples(st.just("advance"), st.just(0)),
    st.tuples(st.just("hear"), st.integers(0, 2**64 - 1)),
    st.tuples(st.just("hear"), st.integers(0, 20)),
    st.tuples(st.just("learn"), st.integers(0, 20)),
    st.tuples(st.just("learn"), st.integers(0, 2**64 - 1)),
)


@given(st.lists(ways, max_size=40))
def test_it_only_grows_and_whatever_counts_as_a_stop_ends_what_was_admitted(
    moves: list[tuple[str, int]],
) -> None:
    stops = StopNumber(lambda: 0)
    for way, number in moves:
        before, admission = stops.current, stops.admit()
        counted = stops.advance() > 0 if way == "advance" else getattr(stops, way)(number)
        assert (stops.current > before) == counted == admission.is_set()
        assert way == "learn" or counted or number, "only what was heard before is none"


@given(st.lists(st.integers(1, 50), max_size=10), st.randoms())
def test_who_hears_the_same_stops_in_any_order_agrees_after_one_heartbeat(
    heard: list[int], random: object
) -> None:
    one, other = StopNumber(lambda: 0), StopNumber(lambda: 0)
    for number in heard:
        one.hear(number)
    random.shuffle(heard)  # type: ignore[attr-defined]
    for number in heard:
        other.hear(number)
    one.learn(other.current)
    other.learn(one.current)
    assert one.current == other.current
