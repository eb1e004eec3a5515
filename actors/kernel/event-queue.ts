import type { SessionEvent } from '../events.ts';
import { eventClass } from './event-class.ts';

/**
 * Events that wait while another one is handled. They only pile up when a command is answered at once, from inside
 * the call that made it; the order of their classes matters then.
 */
export class EventQueue {
  readonly #system: SessionEvent[] = [];
  #others: SessionEvent[] = [];

  push(event: SessionEvent): void {
    (eventClass(event.type) === 'system' ? this.#system : this.#others).push(event);
  }

  get isEmpty(): boolean {
    return this.#system.length === 0 && this.#others.length === 0;
  }

  next(): SessionEvent | undefined {
    return this.#system.shift() ?? this.#others.shift();
  }

  /** After `speech.cut`: what still waits about earlier sound is no longer true. */
  dropSpeech(): void {
    this.#others = this.#others.filter((event) => eventClass(event.type) !== 'speech');
  }
}
