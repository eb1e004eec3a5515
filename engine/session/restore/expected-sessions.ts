import type { Timers } from '../../../runtime/clock.ts';
import type { RestorableSession } from '../journal/journal.ts';
import type { Logger } from '../../../runtime/log.ts';
import type { Face, SessionSink } from '../../ports.ts';
import type { OpenLog } from '../host/open-log.ts';
import type { ReplayedSession } from './replay-journal.ts';
import { Standby } from './standby.ts';

/** Clients check their path every 2.5 s, and are sent away then. A session that does not come by now stays where it is, ms. */
const EXPECTED_MS = 15_000;

/** An avatar that was never drawn here takes seconds, and an engine that is to stop has only some, ms. */
const FACE_WITHIN_MS = 1_500;

export interface ExpectedSessionsParts {
  readonly face: Pick<Face, 'prepare'>;
  readonly sink: SessionSink;
  readonly log: Logger;
  readonly timers: Timers;
}

/** Sessions that another process is about to hand over: their past is read, and their faces are drawn, before they come. */
export class ExpectedSessions {
  readonly #parts: ExpectedSessionsParts;
  readonly #expected = new Map<string, { readonly reading: Promise<Standby>; readonly timer: unknown }>();

  constructor(parts: ExpectedSessionsParts) {
    this.#parts = parts;
  }

  /** Resolves when all so far is read. @throws SessionRestoreError, or that its face cannot be drawn. */
  async expect(past: RestorableSession): Promise<void> {
    const { sessionId } = past;
    this.#forget(sessionId);
    const reading = this.#read(past);
    const timer = this.#parts.timers.setTimeout(() => this.#forget(sessionId), EXPECTED_MS);
    this.#expected.set(sessionId, { reading, timer });
    try {
      await reading;
    } catch (error) {
      this.#forget(sessionId);
      throw error;
    }
  }

  /** The session is here now. @param loggedLines of its log that are stored. @throws SessionRestoreError */
  async take(
    past: RestorableSession,
    loggedLines: number,
  ): Promise<{ readonly replayed: ReplayedSession; readonly log: OpenLog }> {
    const { sessionId } = past;
    const expected = this.#expected.get(sessionId);
    this.#parts.timers.clearTimeout(expected?.timer);
    this.#expected.delete(sessionId);
    const standby = (await expected?.reading.catch(() => null)) ?? null;
    if (standby !== null && standby.isBeginningOf(past) && standby.recall(loggedLines)) return standby.finish(past);
    standby?.close();
    return new Standby(past, this.#parts, loggedLines).finish(past);
  }

  close(): void {
    for (const sessionId of this.#expected.keys()) this.#forget(sessionId);
  }

  async #read(past: RestorableSession): Promise<Standby> {
    const standby = new Standby(past, this.#parts);
    const { avatar, videoWidth, videoHeight } = standby.head.config;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = this.#parts.timers.setTimeout(() => resolve(), FACE_WITHIN_MS);
    try {
      // One that cannot be drawn here is refused; one that takes long comes later than the voice.
      const face = this.#parts.face.prepare(avatar.engineKey, videoWidth, videoHeight);
      await Promise.all([standby.read(past.entries), Promise.race([face, late])]);
      return standby;
    } catch (error) {
      standby.close();
      throw error;
    } finally {
      this.#parts.timers.clearTimeout(timer);
    }
  }

  #forget(sessionId: string): void {
    const expected = this.#expected.get(sessionId);
    if (expected === undefined) return;
    this.#expected.delete(sessionId);
    this.#parts.timers.clearTimeout(expected.timer);
    void expected.reading.then(
      (standby) => standby.close(),
      () => undefined,
    );
  }
}
