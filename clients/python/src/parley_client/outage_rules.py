"""What to do while nothing arrives from the service. Times in seconds."""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

# The service sends sound every 20 ms, also when nobody speaks. Browsers call 2 s without an answer a disconnection.
SILENCE_S: Final = 2.0
# A path that was only interrupted works again by itself. After this, it is assumed to be gone (another network, a NAT
# that forgot), and a fresh peer connection is offered.
OFFER_AFTER_S: Final = 4.0
# Where the service has said that the session goes on in another process, a silence of some packets is enough.
MOVED_SILENCE_S: Final = 0.2
# So long after that; then a silence is an ordinary outage again.
MOVED_FOR_S: Final = 10.0
# The service accepts an offer each second. A fresh connection needs less than 1 s; checks that are lost while the
# network is still down are repeated after 0.5, 1 and 2 s.
OFFER_EVERY_S: Final = 5.0
# The service keeps a session for 60 s after it has heard its client.
GIVE_UP_AFTER_S: Final = 65.0


class Step(Enum):
    """What an outage asks for."""

    NOTHING = auto()
    WAIT = auto()
    OFFER = auto()
    GIVE_UP = auto()


def next_step(silent_s: float, since_offer_s: float | None, moved: bool = False) -> Step:
    """silent_s: how long nothing has arrived. since_offer_s: time since the last offer of this outage; None: none.
    moved: whether the service has said that the session goes on in another process."""
    if silent_s < (MOVED_SILENCE_S if moved else SILENCE_S):
        return Step.NOTHING
    if silent_s >= GIVE_UP_AFTER_S:
        return Step.GIVE_UP
    if silent_s < (0 if moved else OFFER_AFTER_S) or (since_offer_s is not None and since_offer_s < OFFER_EVERY_S):
        return Step.WAIT
    return Step.OFFER
