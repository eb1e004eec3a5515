import type { Redis } from 'ioredis';
import type { RestorableSession } from '../../engine/index.ts';
import type { EngineNode } from '../placement/engine-registry.ts';
import { JOURNAL_KEPT_MS } from '../placement/lease.ts';
import {
  DECLARE_DEAD,
  CHOOSE,
  FIND_LIVE,
  LOOK,
  PUT_BACK,
  SUSPECT,
  TAKE_SESSION,
  REFUTE_SUSPICION,
  LOCATE_SESSION,
} from './move-scripts.ts';
import type { TakenJournal } from './journal-copy.ts';
import { KEY_PREFIX, type Script } from '../store/redis.ts';

interface Scripts {
  parleyLook: Script<[silent: string[], coming: string[], over: string[], addresses: string[]]>;
  parleyChoose: Script<[] | [engineId: string, url: string]>;
  parleyRefuteSuspicion: Script<number>;
  parleySuspect: Script<number>;
  parleyDeclareDead: Script<[sessions: number, addresses: string[], over: string[]]>;
  parleyTakeSession: Script<[] | [fence: string, entries: string, state: string, ageMs: string, strict: string]>;
  parleyPutBack: Script<number>;
  parleyLocateSession: Script<[] | ['moving'] | ['live', engineId: string, url: string]>;
  parleyFindLive: Script<string[]>;
}

/** An engine whose lease has ended: it is dead, or could not report. */
export interface SilentEngine extends EngineNode {
  readonly fence: string;
}

export interface Look {
  /** Engines that this node is to ask. */
  readonly silent: readonly SilentEngine[];
  /** Sessions that this engine is to take. */
  readonly coming: readonly string[];
  /** Sessions that no engine took in time. */
  readonly over: readonly string[];
  /** Addresses of nodes that have something to take. */
  readonly addresses: readonly string[];
}

/** What becomes of the sessions of an engine that is gone. */
export interface DeadEngine {
  /** How many it had. */
  readonly sessions: number;
  /** Addresses of nodes that have something to take now. */
  readonly addresses: readonly string[];
  /** Sessions, of any engine, that no engine took in time. */
  readonly over: readonly string[];
}

/** A session that this process has now. */
export interface TakenSession {
  readonly sessionId: string;
  readonly fence: string;
  /** How many its journal has. */
  readonly entries: number;
  readonly state: string | null;
  readonly ageMs: number;
  readonly isStrict: boolean;
}

/** A taken session that nobody goes on with here. */
export interface ReturnedSession {
  readonly sessionId: string;
  /** Null: it is not known, nor whether this process has the session at all. */
  readonly fence: string | null;
  /** `unread`: Redis did not answer. Then the same engine may have it again. */
  readonly why: 'unable' | 'unread';
}

/** A journal as far as it was read. */
export interface ReadJournal {
  readonly entries: readonly string[];
  /** Where the rest begins. */
  readonly rest: string;
}

export type SessionLocation =
  | { readonly kind: 'live'; readonly node: EngineNode }
  /** Its engine is gone, and another one will have it soon. */
  | { readonly kind: 'moving' }
  | { readonly kind: 'nowhere' };

/** Entries that are read at once. */
const READ_AT_ONCE = 1000;
const NOTHING_READ: ReadJournal = { entries: [], rest: '-' };

/** How sessions come from one engine to another, in Redis. All functions reject when Redis does not answer. */
export class MovesInRedis {
  readonly #redis: Redis & Scripts;

  constructor(redis: Redis) {
    redis.defineCommand('parleyLook', { lua: LOOK });
    redis.defineCommand('parleyChoose', { lua: CHOOSE });
    redis.defineCommand('parleyRefuteSuspicion', { lua: REFUTE_SUSPICION });
    redis.defineCommand('parleySuspect', { lua: SUSPECT });
    redis.defineCommand('parleyDeclareDead', { lua: DECLARE_DEAD });
    redis.defineCommand('parleyTakeSession', { lua: TAKE_SESSION });
    redis.defineCommand('parleyPutBack', { lua: PUT_BACK });
    redis.defineCommand('parleyLocateSession', { lua: LOCATE_SESSION });
    redis.defineCommand('parleyFindLive', { lua: FIND_LIVE });
    this.#redis = redis as Redis & Scripts;
  }

  /** What there is to do for this engine. Each engine looks as often as it renews its lease. */
  async look(engineId: string): Promise<Look> {
    const [silent, coming, over, addresses] = await this.#redis.parleyLook(1, KEY_PREFIX, engineId);
    const engines: SilentEngine[] = [];
    for (let at = 0; at + 2 < silent.length; at += 3)
      engines.push({ engineId: silent[at]!, fence: silent[at + 1]!, url: silent[at + 2]! });
    return { silent: engines, coming, over, addresses };
  }

  /**
   * Keeps a place on another engine for a session that is about to be handed over. @param life of this process. @param unwanted
   * engines. @returns null when no engine has one, or the session is not here any more.
   */
  async choose(sessionId: string, life: string, unwanted: readonly string[]): Promise<EngineNode | null> {
    const [engineId, url] = await this.#redis.parleyChoose(1, KEY_PREFIX, sessionId, life, ...unwanted);
    return engineId === undefined ? null : { engineId, url: url! };
  }

  /** The engine answers: it has one more lease. */
  async refuteSuspicion({ engineId, fence }: SilentEngine): Promise<void> {
    await this.#redis.parleyRefuteSuspicion(1, KEY_PREFIX, engineId, fence);
  }

  /** The address of this engine refused a connection. */
  async suspect(engineId: string): Promise<void> {
    await this.#redis.parleySuspect(1, KEY_PREFIX, engineId);
  }

  /** The engine does not answer: others get its sessions. @returns null when it has reported meanwhile. */
  async declareDead({ engineId, fence }: SilentEngine): Promise<DeadEngine | null> {
    const [sessions, addresses, over] = await this.#redis.parleyDeclareDead(1, KEY_PREFIX, engineId, fence);
    return sessions < 0 ? null : { sessions, addresses, over };
  }

  /** @param engine with the life of this process. @returns null when another engine has it, or it is over. */
  async take(
    sessionId: string,
    engine: { readonly id: string; readonly fence: string; readonly life: string },
  ): Promise<TakenSession | null> {
    const answer = await this.#redis.parleyTakeSession(
      1,
      KEY_PREFIX,
      sessionId,
      engine.id,
      engine.fence,
      engine.life,
      JOURNAL_KEPT_MS,
    );
    if (answer.length === 0) return null;
    const [fence, entries, state, ageMs, strict] = answer;
    return {
      sessionId,
      fence,
      entries: Number(entries),
      state: state === '' ? null : state,
      ageMs: Number(ageMs),
      isStrict: strict === '1',
    };
  }

  /** The journal as the process before this one left it. @param ahead what was read of it before. */
  async restorable(
    { sessionId, fence, isStrict, state, ageMs, entries: count }: TakenSession,
    ahead: ReadJournal = NOTHING_READ,
  ): Promise<{ readonly past: RestorableSession; readonly journal: TakenJournal }> {
    let { entries } = await this.read(sessionId, ahead);
    // Redis has lost it meanwhile, and got it again.
    if (entries.length !== count && ahead !== NOTHING_READ) ({ entries } = await this.read(sessionId));
    return { past: { sessionId, entries, state, ageMs }, journal: { fence, entries, isStrict } };
  }

  /** This process does not go on with it: whoever wants may take it. Nothing happens if it does not have it any more. */
  async putBack(engineId: string, life: string, { sessionId, fence, why }: ReturnedSession): Promise<void> {
    const isUnable = why === 'unable' ? 1 : 0;
    await this.#redis.parleyPutBack(1, KEY_PREFIX, sessionId, engineId, life, fence ?? '', isUnable);
  }

  async locate(sessionId: string): Promise<SessionLocation> {
    const [kind, engineId, url] = await this.#redis.parleyLocateSession(1, KEY_PREFIX, sessionId);
    if (kind === 'live') return { kind, node: { engineId: engineId!, url: url! } };
    return { kind: kind ?? 'nowhere' };
  }

  /** @returns those of these sessions that live somewhere, or will. */
  async findLive(sessionIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (sessionIds.length === 0) return new Set();
    return new Set(await this.#redis.parleyFindLive(1, KEY_PREFIX, ...sessionIds));
  }

  /** The journal of a session as it is now. In parts: Redis does nothing else while it answers. */
  async read(sessionId: string, { entries: known, rest }: ReadJournal = NOTHING_READ): Promise<ReadJournal> {
    const entries = [...known];
    let from = rest;
    for (let isEnd = false; !isEnd;) {
      const part = await this.#redis.xrange(`${KEY_PREFIX}journal:${sessionId}`, from, '+', 'COUNT', READ_AT_ONCE);
      for (const [, [, text]] of part) entries.push(text!);
      if (part.length > 0) from = `(${part.at(-1)![0]}`;
      isEnd = part.length < READ_AT_ONCE;
    }
    return { entries, rest: from };
  }
}
