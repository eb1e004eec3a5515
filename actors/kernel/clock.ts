/**
 * Time as the actors see it. XState's `SimulatedClock` fits, so an hour of conversation is tested in milliseconds.
 * `now()` is in ms from the session's creation on the engine's monotonic clock; it never jumps with the wall clock.
 */
export interface SessionClock {
  now(): number;
  setTimeout(fn: (...args: unknown[]) => void, timeoutMs: number): unknown;
  clearTimeout(id: unknown): void;
}

/** Where ids come from: seeded in a replay, so the same log gives the same ids. */
export interface IdSource {
  /** UUID v4, lower case. */
  uuid(): string;
  /** @returns 12 hexadecimal digits that clients cannot know. The same purpose gives the same ones. */
  secret(purpose: string): string;
}
