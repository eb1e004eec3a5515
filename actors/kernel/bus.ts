import type { BusEvent } from './inner-events.ts';

/** An actor, as far as the bus needs it. */
export interface BusMember {
  readonly id: string;
  send(event: BusEvent): void;
  getSnapshot(): unknown;
}

interface Seat {
  readonly member: BusMember;
  /**
   * Types of the events that its machine handles in any state. A VAD window comes 31 times a second, to two of twelve.
   */
  readonly handles: ReadonlySet<string>;
}

/**
 * Tells every actor of a session everything that it handles, one event at a time and in the order in which the actors
 * joined. What an actor tells while it handles an event comes after it. So there is one order of events for all of
 * them, and it depends on nothing but the events.
 */
export class Bus {
  readonly #queue: BusEvent[] = [];
  #seats: Seat[] = [];
  #delivering = false;

  join(member: BusMember): void {
    const { logic } = member as BusMember & { readonly logic: { readonly events: readonly string[] } };
    this.#seats.push({ member, handles: new Set(logic.events) });
  }

  tell(event: BusEvent): void {
    this.#queue.push(event);
  }

  /** Delivers what was told, and what is told meanwhile. */
  drain(): void {
    if (this.#delivering) return;
    this.#delivering = true;
    try {
      for (let event = this.#queue.shift(); event !== undefined; event = this.#queue.shift()) {
        // Who joins because of this event was not there when it happened.
        const present = this.#seats.filter(({ handles }) => handles.has(event.type));
        for (const { member } of present) if (isActive(member) && wouldAct(member, event)) member.send(event);
        if (event.type !== 'vad.window') this.#seats = this.#seats.filter(({ member }) => isActive(member));
      }
    } finally {
      this.#delivering = false;
    }
  }

  /** Nobody is told anything any more. */
  close(): void {
    this.#seats = [];
    this.#queue.length = 0;
  }
}

/**
 * Nearly all windows change nothing. To ask an actor for that costs a third of sending the window; an hour of a session
 * is replayed in seconds, and another process that goes on with it has no more than these.
 */
function wouldAct(member: BusMember, event: BusEvent): boolean {
  return event.type !== 'vad.window' || (member.getSnapshot() as { can(event: BusEvent): boolean }).can(event);
}

function isActive(member: BusMember): boolean {
  return (member.getSnapshot() as { status: string }).status === 'active';
}
