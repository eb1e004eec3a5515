import { randomUUID } from 'node:crypto';
import { systemTimers, type Timers } from '../../../runtime/clock.ts';
import { EventLimits } from '../event-limits.ts';
import type { ServerEvent } from '../server-events.ts';

/** Words of the user that come later than this after their voice, with no answer so far, are not waited for. */
const WORDS_MS = 2_000;

/**
 * What comes of one turn: the words of the user, and an answer, which the model begins by itself and which waits here
 * until it is asked for.
 */
export class GeminiTurn {
  /** The model's message. Null: it says nothing so far. */
  messageId: string | null = null;
  readonly #userItem: string;
  readonly #emit: (event: ServerEvent) => void;
  readonly #timers: Timers;
  readonly #bounds: EventLimits;
  readonly #responseId = randomUUID();
  #state: 'waiting' | 'asked' | 'over';
  #events: ServerEvent[] = [];
  #words = '';
  #user: 'speaking' | 'understood';
  #timer: unknown = null;

  /** @param userItem what the user said; empty: nothing is written down. */
  constructor(userItem: string, emit: (event: ServerEvent) => void, timers: Timers = systemTimers) {
    this.#userItem = userItem;
    this.#emit = emit;
    this.#timers = timers;
    this.#bounds = new EventLimits(() => timers.now());
    this.#state = 'waiting';
    this.#user = userItem === '' ? 'understood' : 'speaking';
    if (userItem !== '') this.#timer = timers.setTimeout(() => this.#understand(), WORDS_MS);
  }

  /** Whether an answer to the user's voice is on its way, and nobody has asked for it. */
  get isWaiting(): boolean {
    return this.#state === 'waiting' && this.#userItem !== '';
  }

  /** The session asks for the answer. */
  ask(tag: string): void {
    this.#state = 'asked';
    this.#emit({ type: 'response', responseId: this.#responseId, tag });
    for (const event of this.#events.splice(0)) this.#pass(event);
  }

  /** More of what the user said is understood. @throws RangeError when the server sends too much. */
  heard(text: string): void {
    if (this.#user === 'understood') return;
    const words = { type: 'user-words', itemId: this.#userItem, text } as const;
    this.#bounds.take(words);
    this.#words += text;
    this.#emit(words);
  }

  /** @throws RangeError when the server sends too much. */
  push(event: (responseId: string) => ServerEvent): void {
    // It answers, so it has heard all.
    this.#understand();
    const made = event(this.#responseId);
    this.#bounds.take(made);
    this.#pass(made);
  }

  end(status: 'completed' | 'cancelled'): void {
    this.#understand();
    if (this.#state === 'over') return;
    this.#pass({ type: 'response-done', responseId: this.#responseId, status, reason: '', tokens: null });
  }

  close(): void {
    this.#timers.clearTimeout(this.#timer);
    this.#state = 'over';
  }

  #pass(event: ServerEvent): void {
    if (this.#state === 'over') return;
    if (this.#state === 'waiting') return void this.#events.push(event);
    this.#emit(event);
    if (event.type === 'response-done') this.#state = 'over';
  }

  #understand(): void {
    if (this.#user === 'understood') return;
    this.#user = 'understood';
    this.#timers.clearTimeout(this.#timer);
    this.#emit({ type: 'user-text', itemId: this.#userItem, text: this.#words.trim() });
  }
}
