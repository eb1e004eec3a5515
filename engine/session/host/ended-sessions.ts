import type { Goodbye } from '../../signaling/index.ts';

/**
 * How many sessions are remembered after their end. A client retries for less than a minute; this many sessions are a
 * few minutes of a busy engine.
 */
const REMEMBERED = 10_000;

/** What to tell a client that returns to a session that is over. The oldest are forgotten first. */
export class EndedSessions {
  readonly #goodbyes = new Map<string, Goodbye>();

  add(sessionId: string, goodbye: Goodbye): void {
    this.#goodbyes.set(sessionId, goodbye);
    if (this.#goodbyes.size <= REMEMBERED) return;
    const [oldest] = this.#goodbyes.keys();
    if (oldest !== undefined) this.#goodbyes.delete(oldest);
  }

  forget(sessionId: string): void {
    this.#goodbyes.delete(sessionId);
  }

  goodbye(sessionId: string): Goodbye | undefined {
    return this.#goodbyes.get(sessionId);
  }
}
