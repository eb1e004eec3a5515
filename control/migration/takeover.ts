import type { RestorableSession } from '../../engine/index.ts';
import type { Logger } from '../../runtime/log.ts';
import type { Timers } from '../../runtime/clock.ts';
import type { EngineLease } from '../placement/engine-lease.ts';
import type { JournalsInRedis } from './journals-in-redis.ts';
import { ENGINE_RENEW_EVERY_MS, HANDED_OVER_MS, PROBE_MS } from '../placement/lease.ts';
import type { MovesInRedis, ReadJournal, ReturnedSession, SilentEngine, TakenSession } from './moves-in-redis.ts';

export interface TakeoversOptions {
  readonly moves: MovesInRedis;
  readonly journals: JournalsInRedis;
  readonly lease: EngineLease;
  readonly client: { probe(url: string, withinMs: number): Promise<'answers' | 'refused' | 'silent'> };
  /** Goes on with a session here. Rejects when that is not possible. */
  readonly restore: (past: RestorableSession) => Promise<void>;
  /** Gets ready for a session that will come: this is its past so far. Rejects when it cannot go on here. */
  readonly expect: (past: RestorableSession) => Promise<void>;
  /** It has not come. Never throws. */
  readonly expectNoMore: (sessionId: string) => void;
  /** Sessions that nobody could go on with are over. Never throws. */
  readonly giveUp: (sessionIds: readonly string[]) => void;
  /** Tells the node at this address that it has something to take. Never throws. */
  readonly tell: (url: string) => void;
  readonly timers: Timers;
  readonly log: Logger;
}

/** Each replay takes a part of a second of the thread on which other sessions live. */
const REPLAYS_AT_ONCE = 2;

/** Looks for engines that died, and goes on with sessions that this engine is to take. */
export class Takeovers {
  readonly #options: TakeoversOptions;
  readonly #arriving = new Map<string, Promise<void>>();
  /** Journals of sessions that will be handed over to this engine. */
  readonly #expected = new Map<string, { readonly journal: ReadJournal; readonly timer: unknown }>();
  /** Those that are to be put back, until Redis knows. */
  readonly #returned = new Map<string, ReturnedSession>();
  readonly #replays = Array.from({ length: REPLAYS_AT_ONCE }, () => Promise.resolve());
  #replay = 0;
  #timer: unknown;
  #looking: Promise<void> | null = null;
  #state: 'open' | 'closed' = 'open';

  constructor(options: TakeoversOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = this.#options.timers.setTimeout(() => {
      void this.look();
      this.start();
    }, ENGINE_RENEW_EVERY_MS);
  }

  close(): void {
    this.#state = 'closed';
    this.#options.timers.clearTimeout(this.#timer);
    for (const sessionId of this.#expected.keys()) this.#expectNoMore(sessionId);
  }

  /** Another engine will hand this session over: what has happened so far is read. Rejects when it cannot go on here. */
  async expect(sessionId: string): Promise<void> {
    const { moves, timers, log } = this.#options;
    const began = timers.now();
    const lane = this.#replay++ % REPLAYS_AT_ONCE;
    const reading = this.#replays[lane]!.then(async () => {
      const journal = await moves.read(sessionId);
      this.#expectNoMore(sessionId);
      const timer = timers.setTimeout(() => this.#expectNoMore(sessionId), HANDED_OVER_MS);
      this.#expected.set(sessionId, { journal, timer });
      try {
        await this.#options.expect({ sessionId, entries: journal.entries, state: null, ageMs: null });
        const ms = Math.round(timers.now() - began);
        log.info({ sessionId, entries: journal.entries.length, ms }, 'a session is expected here');
      } catch (error) {
        this.#expectNoMore(sessionId);
        throw error;
      }
    });
    this.#replays[lane] = reading.catch(() => {});
    return reading;
  }

  #expectNoMore(sessionId: string): void {
    const expected = this.#expected.get(sessionId);
    if (expected === undefined) return;
    this.#expected.delete(sessionId);
    this.#options.timers.clearTimeout(expected.timer);
    this.#options.expectNoMore(sessionId);
  }

  /** Resolves when this session is here, or will not come; null: it is not on its way here. */
  arrival(sessionId: string): Promise<void> | null {
    return this.#arriving.get(sessionId) ?? null;
  }

  /** Looks for work now. Never rejects. */
  look(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => (this.#looking = null));
    return this.#looking;
  }

  async #lookOnce(): Promise<void> {
    const { moves, lease, giveUp } = this.#options;
    if (this.#state === 'closed' || lease.fence === null) return;
    // One that arrives has just been taken once more.
    const returned = [...this.#returned.values()].filter(({ sessionId }) => !this.#arriving.has(sessionId));
    await Promise.all(returned.map((session) => this.#putBack(session)));
    const look = await moves.look(lease.engineId).catch(() => null);
    // The connection says when it is broken.
    if (look === null) return;
    for (const engine of look.silent) void this.#ask(engine);
    this.#tell(look.addresses);
    if (look.over.length > 0) giveUp(look.over);
    await Promise.all(look.coming.map((sessionId) => this.take(sessionId)));
  }

  /** Whether an engine lives that has not reported. Never rejects. */
  async #ask(engine: SilentEngine): Promise<void> {
    const { moves, client, giveUp, log } = this.#options;
    try {
      const answer = await client.probe(engine.url, PROBE_MS);
      if (answer === 'answers') {
        log.warn({ engineId: engine.engineId }, 'an engine lives that does not report: does it reach Redis?');
        return await moves.refuteSuspicion(engine);
      }
      const dead = await moves.declareDead(engine);
      if (dead === null) return;
      const { sessions, addresses, over } = dead;
      log.warn({ engineId: engine.engineId, fence: engine.fence, answer, sessions }, 'an engine is gone');
      this.#tell(addresses);
      if (over.length > 0) giveUp(over);
    } catch {
      // As above.
    }
  }

  #tell(addresses: readonly string[]): void {
    for (const url of addresses) this.#options.tell(url);
  }

  /** Nobody has this session: it goes on here if it may. Resolves when it is here, or does not come. Never rejects. */
  take(sessionId: string): Promise<void> {
    const before = this.#arriving.get(sessionId);
    if (before !== undefined) return before;
    const taking = this.#takeOnce(sessionId).finally(() => this.#arriving.delete(sessionId));
    this.#arriving.set(sessionId, taking);
    return taking;
  }

  async #takeOnce(sessionId: string): Promise<void> {
    const { moves, journals, lease, restore, timers, log } = this.#options;
    const { engineId, fence } = lease;
    if (fence === null) return;
    const began = timers.now();
    const ahead = this.#expected.get(sessionId);
    let taken: TakenSession | null = null;
    let moved: Awaited<ReturnType<MovesInRedis['restorable']>>;
    try {
      taken = await moves.take(sessionId, { id: engineId, fence, life: journals.life });
      if (taken === null) return;
      moved = await moves.restorable(taken, ahead?.journal);
    } catch {
      // Also when the answer is missing: by then it may be this engine's, and nobody else would take it.
      return this.#putBack({ sessionId, fence: taken?.fence ?? null, why: 'unread' });
    }
    timers.clearTimeout(ahead?.timer);
    this.#expected.delete(sessionId);
    this.#returned.delete(sessionId);
    const { past, journal } = moved;
    journals.take(sessionId, journal);
    try {
      await restore(past);
      const ms = Math.round(timers.now() - began);
      const entries = { entries: past.entries.length, ahead: ahead?.journal.entries.length ?? 0 };
      log.info({ sessionId, fence: journal.fence, ...entries, ms }, 'a session goes on here');
    } catch (error) {
      log.error({ err: error, sessionId, fence: journal.fence }, 'a session cannot go on here');
      journals.drop(sessionId);
      await this.#putBack({ sessionId, fence: journal.fence, why: 'unable' });
    }
  }

  /** Whoever wants may take it. Until Redis knows, it is told again with each look. Never rejects. */
  async #putBack(returned: ReturnedSession): Promise<void> {
    const { moves, journals, lease } = this.#options;
    const { sessionId, fence } = returned;
    this.#returned.set(sessionId, returned);
    // Without the fence, a session that is live here would be put back.
    const isDone =
      (fence === null && journals.has(sessionId)) ||
      (await moves.putBack(lease.engineId, journals.life, returned).then(
        () => true,
        () => false,
      ));
    if (isDone && this.#returned.get(sessionId) === returned) this.#returned.delete(sessionId);
  }
}
