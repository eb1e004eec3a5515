import type { SessionEvent } from '../events.ts';
import { eventClass } from './event-class.ts';

interface Waiting {
  readonly event: SessionEvent;
  readonly at: number;
}

/**
 * Events that wait while another one is handled. They only pile up when a command is answered at once, from inside
 * the call that made it; the order of their classes matters then.
 */
export class EventQueue {
  readonly #system: Waiting[] = [];
  #others: Waiting[] = [];

  push(event: SessionEvent, at: number): void {
    (eventClass(event) === 'system' ? this.#system : this.#others).push({ event, at });
  }

  next(): Waiting | undefined {
    return this.#system.shift() ?? this.#others.shift();
  }

  /** After `speech.cut`: what still waits about earlier sound is no longer true. */
  dropSpeech(): void {
    this.#others = this.#others.filter((waiting) => eventClass(waiting.event) !== 'speech');
  }
}
