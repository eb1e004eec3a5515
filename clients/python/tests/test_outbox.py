from __future__ import annotations

from parley_client.outbox import Outbox


def test_what_was_sent_after_the_last_sign_of_life_is_lost() -> None:
    outbox = Outbox()
    outbox.sent("arrived", at=9.9)
    outbox.sent("lost", at=10.1)
    outbox.sent("lost too", at=10.2)
    assert outbox.take_lost(heard_at=10.0) == ["lost", "lost too"]


def test_it_is_sent_again_only_once() -> None:
    outbox = Outbox()
    outbox.sent("lost", at=10.1)
    outbox.take_lost(heard_at=10.0)
    assert outbox.take_lost(heard_at=10.0) == []
