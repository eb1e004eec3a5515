/**
 * How many sessions are remembered after their end. A client retries for less than a minute; this many sessions are a
 * few minutes of a busy engine.
 */
const REMEMBERED = 10_000;

/** What to tell a client that returns to a session that is over. The oldest are forgotten first. */
export class EndedSessions {
  readonly #texts = new Map<string, string>();

  add(sessionId: string, text: string): void {
    this.#texts.set(sessionId, text);
    if (this.#texts.size <= REMEMBERED) return;
    const [oldest] = this.#texts.keys();
    if (oldest !== undefined) this.#texts.delete(oldest);
  }

  text(sessionId: string): string | undefined {
    return this.#texts.get(sessionId);
  }
}
