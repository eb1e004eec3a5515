from __future__ import annotations

from parley_client.outage_rules import GIVE_UP_AFTER_S, MOVED_SILENCE_S, OFFER_AFTER_S, OFFER_EVERY_S, SILENCE_S, Step, next_step


def test_a_short_silence_is_no_outage() -> None:
    assert next_step(SILENCE_S - 0.1, None) is Step.NOTHING


def test_a_path_may_come_back_by_itself_first() -> None:
    assert next_step(OFFER_AFTER_S - 0.1, None) is Step.WAIT


def test_then_a_fresh_peer_connection_is_offered_again_and_again() -> None:
    assert next_step(OFFER_AFTER_S, None) is Step.OFFER
    assert next_step(OFFER_AFTER_S + 1, 1) is Step.WAIT
    assert next_step(OFFER_AFTER_S + OFFER_EVERY_S, OFFER_EVERY_S) is Step.OFFER


def test_where_the_session_moves_to_another_process_nothing_is_waited_for() -> None:
    assert next_step(MOVED_SILENCE_S - 0.1, None, moved=True) is Step.NOTHING
    assert next_step(MOVED_SILENCE_S, None, moved=True) is Step.OFFER
    assert next_step(MOVED_SILENCE_S + 1, 1, moved=True) is Step.WAIT


def test_the_end_comes_only_when_the_service_has_given_up_too() -> None:
    assert next_step(GIVE_UP_AFTER_S - 0.1, 1) is Step.WAIT
    assert next_step(GIVE_UP_AFTER_S, 1) is Step.GIVE_UP
    assert GIVE_UP_AFTER_S > 60
