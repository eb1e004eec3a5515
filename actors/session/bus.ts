import type { BusEvent } from './inner-events.ts';

/** An actor, as far as the bus needs it. */
export interface BusMember {
  readonly id: string;
  send(event: BusEvent): void;
  getSnapshot(): unknown;
}

/**
 * Tells every actor of a session everything, one event at a time and in the order in which the actors joined. What an
 * actor tells while it handles an event comes after it. So there is one order of events for all of them, and it
 * depends on nothing but the events.
 */
export class Bus {
  readonly #queue: BusEvent[] = [];
  #members: BusMember[] = [];
  #delivering = false;

  join(member: BusMember): void {
    this.#members.push(member);
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
        const present = this.#members.filter(isActive);
        this.#members = present.slice();
        // Who joins because of this event was not there when it happened.
        for (const member of present) if (isActive(member)) member.send(event);
      }
    } finally {
      this.#delivering = false;
    }
  }

  /** Nobody is told anything any more. */
  close(): void {
    this.#members = [];
    this.#queue.length = 0;
  }
}

function isActive(member: BusMember): boolean {
  return (member.getSnapshot() as { status: string }).status === 'active';
}
