import type { SessionResources } from '../../../actors/session-config.ts';
import { systemTimers } from '../../../runtime/clock.ts';
import type { StartedSession } from '../../ports.ts';
import { SessionRestoreError, type RestorableSession } from '../journal/journal.ts';
import type { LiveSessions, SessionHostParts } from '../live-sessions.ts';
import { ExpectedSessions } from '../restore/expected-sessions.ts';

/** How sessions come to this engine from others, and leave it for others. See `Engine`. */
export class SessionMoves {
  readonly #sessions: LiveSessions;
  readonly #expected: ExpectedSessions;
  readonly #log: SessionHostParts['log'];
  /** Sessions whose past is being read. */
  readonly #arriving = new Map<string, RestorableSession>();

  constructor(sessions: LiveSessions, parts: Pick<SessionHostParts, 'face' | 'sink' | 'log'>) {
    this.#sessions = sessions;
    this.#expected = new ExpectedSessions({ ...parts, timers: systemTimers });
    this.#log = parts.log;
  }

  async expect(past: RestorableSession): Promise<void> {
    this.#assertElsewhere(past.sessionId);
    await this.#expected.expect(past);
  }

  async takeOver(past: RestorableSession, resources: SessionResources, loggedLines: number): Promise<StartedSession> {
    const { sessionId } = past;
    this.#assertElsewhere(sessionId);
    this.#arriving.set(sessionId, past);
    const { replayed, log: sessionLog } = await this.#expected.take(past, loggedLines).catch((error: unknown) => {
      if (this.#arriving.get(sessionId) === past) this.#arriving.delete(sessionId);
      throw error;
    });
    if (this.#arriving.get(sessionId) !== past) {
      replayed.actors.stop();
      throw new SessionRestoreError('another process has it');
    }
    this.#arriving.delete(sessionId);
    const host = this.#sessions.start(replayed.head.config, resources, { replayed, log: sessionLog });
    this.#log.info({ sessionId, live: this.#sessions.size }, 'session taken over');
    return { sessionId, startedAt: host.startedAt };
  }

  async handOver(sessionId: string): Promise<boolean> {
    const host = this.#sessions.get(sessionId);
    if (host === undefined || host.handOver === null) return false;
    await host.handOver(() => {
      this.#sessions.forget(sessionId);
      this.#log.info({ sessionId, live: this.#sessions.size }, 'session handed over');
    });
    return !this.#sessions.has(sessionId) && !this.#sessions.hasEnded(sessionId);
  }

  sessionTakenOver(sessionId: string): void {
    this.#arriving.delete(sessionId);
    const host = this.#sessions.get(sessionId);
    this.#sessions.forget(sessionId);
    host?.takenOver();
    if (host !== undefined) this.#log.warn({ sessionId, live: this.#sessions.size }, 'session lost to another process');
  }

  close(): void {
    this.#expected.close();
  }

  #assertElsewhere(sessionId: string): void {
    if (this.#sessions.has(sessionId) || this.#arriving.has(sessionId))
      throw new SessionRestoreError('it is live here');
  }
}
