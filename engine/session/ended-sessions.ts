/** Sessions remembered after their end. A client's whole retry budget is below a minute; this many are a few minutes of a busy engine. */
const REMEMBERED = 10_000;

/** What to tell a client that comes back to a session that is over. Oldest are forgotten first. */
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
