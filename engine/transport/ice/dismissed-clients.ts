import type { IceCredentials } from './credentials.ts';

/** A client that is not refused by then gives up: sessions are held for 60 s. */
const REMEMBERED_MS = 60_000;
/** Two for each session of a busy engine that leaves, and some more. The oldest are forgotten first. */
const MOST_REMEMBERED = 4_096;

/**
 * Credentials of sessions that go on elsewhere: who checks with them is refused, and so makes its next offer at once.
 * Pure: times are given.
 */
export class DismissedClients {
  readonly #known = new Map<string, { readonly password: string; readonly until: number }>();

  add({ ufrag, password }: IceCredentials, at: number): void {
    this.#known.set(ufrag, { password, until: at + REMEMBERED_MS });
    if (this.#known.size <= MOST_REMEMBERED) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }

  /** @returns the password that its checks are signed with; null: this user name was not dismissed, or long ago. */
  passwordOf(ufrag: string): string | null {
    return this.#known.get(ufrag)?.password ?? null;
  }

  /** @returns the user names that are forgotten now. */
  sweep(at: number): string[] {
    const forgotten: string[] = [];
    for (const [ufrag, { until }] of this.#known) {
      // They were added in the order of time.
      if (until > at) break;
      this.#known.delete(ufrag);
      forgotten.push(ufrag);
    }
    return forgotten;
  }
}
