import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { SessionJournal, SessionJournals } from '../../engine/index.ts';
import type { Logger } from '../../runtime/log.ts';
import type { Timers } from '../../runtime/clock.ts';
import { END_JOURNAL, GIVE_AWAY, WRITE_JOURNAL } from './journal-scripts.ts';
import { JournalCopy, type TakenJournal } from './journal-copy.ts';
import { JOURNAL_KEPT_MS, MOVE_WITHIN_MS } from '../placement/lease.ts';
import { KEY_PREFIX } from '../store/redis.ts';

/** A script that is to run, and what is made of its answer; null: Redis did not answer. */
interface Asked {
  readonly command: readonly [name: string, ...args: (string | number)[]];
  readonly answered: (answer: unknown) => void;
}

export interface JournalsInRedisOptions {
  readonly redis: Redis;
  /** Of this process, as other processes know it. */
  readonly engineId: string;
  readonly region: string;
  /** Another process has this session: whoever runs it here lets go of it. */
  readonly lost: (sessionId: string) => void;
  readonly timers: Timers;
  readonly log: Logger;
  /** Characters of one session, and of all. @defaultValue see `MAX_JOURNAL_SIZE` and `MAX_JOURNALS` */
  readonly largest?: number;
  readonly most?: number;
}

/**
 * Characters of the journal of one session. Some 45 entries a second of some 100 characters each, sealed, are 16 MB an
 * hour: a conversation of two hours still moves.
 */
const MAX_JOURNAL_SIZE = 32 * 1024 * 1024;
/** Characters of all journals of this process: of Redis' memory, and once more of this process's own. */
const MAX_JOURNALS = 512 * 1024 * 1024;
/** What comes within this time is written together, ms. */
const WRITE_WITHIN_MS = 25;
/** A Redis that does not answer is asked again after this time, ms. */
const RETRY_MS = 250;
/** A journal to which nothing is added is written to so often, ms: else it would expire, and who lost it would not know. */
const TOUCH_EVERY_MS = JOURNAL_KEPT_MS / 6;

/**
 * The journals of the sessions of this process, in Redis. Writes of all sessions go together. Each journal is also kept
 * here as long as its session lives: a Redis that has lost it gets it again. A session whose journal would be too large
 * goes on without one, and dies with this process.
 */
export class JournalsInRedis implements SessionJournals {
  readonly #redis: Redis;
  readonly #options: JournalsInRedisOptions;
  /** Which of the processes of this engine this is: a killed one may start again under its name. */
  readonly life = randomUUID();
  /** Also those that are left, until Redis knows. */
  readonly #open = new Map<string, JournalCopy>();
  /** Sessions that this process is about to go on with. */
  readonly #taken = new Map<string, TakenJournal>();
  /** Those that ended while Redis did not answer, with their fences. */
  readonly #ended = new Map<string, string>();
  #size = 0;
  #timer: { readonly at: number; readonly id: unknown } | null = null;
  #touching: unknown;
  readonly #checkNow = (): void => this.check();

  constructor(options: JournalsInRedisOptions) {
    const { redis } = options;
    redis.defineCommand('parleyWriteJournal', { lua: WRITE_JOURNAL });
    redis.defineCommand('parleyEndJournal', { lua: END_JOURNAL });
    redis.defineCommand('parleyGiveAway', { lua: GIVE_AWAY });
    this.#redis = redis;
    this.#options = options;
    // A Redis that was restarted knows nothing any more.
    redis.on('ready', this.#checkNow);
    this.#touchLater();
  }

  /** Sessions that could go on elsewhere. */
  get ids(): readonly string[] {
    return [...this.#open].flatMap(([sessionId, { stage }]) => (stage === 'open' ? [sessionId] : []));
  }

  /** This process has taken a session over: its journal will be opened here, and goes on. */
  take(sessionId: string, journal: TakenJournal): void {
    // One that was given away from here, and has come back.
    const before = this.#open.get(sessionId);
    if (before?.stage === 'leaving') this.#forget(sessionId, before);
    this.#taken.set(sessionId, journal);
  }

  /** It could not go on with it. */
  drop(sessionId: string): void {
    this.#taken.delete(sessionId);
  }

  open(sessionId: string): SessionJournal {
    const copy = new JournalCopy(this.#taken.get(sessionId));
    this.#taken.delete(sessionId);
    this.#size += copy.size;
    this.#open.set(sessionId, copy);
    const isOpen = (): boolean => this.#open.get(sessionId) === copy && copy.stage === 'open';
    return {
      append: (entry, urgency) => {
        if (!isOpen()) return;
        copy.append(entry);
        this.#size += entry.length;
        if (this.#isTooLarge(copy)) this.#giveUp(sessionId, copy);
        else this.#writeIn(urgency === 'now' ? 0 : WRITE_WITHIN_MS);
      },
      state: (state, urgency) => {
        if (!isOpen()) return;
        copy.replaceState(state);
        this.#writeIn(urgency === 'now' ? 0 : WRITE_WITHIN_MS);
      },
      flush: async () => {
        if (isOpen()) await this.#flush(sessionId, copy);
      },
      close: () => {
        if (!isOpen()) return;
        this.#forget(sessionId, copy);
        this.#end(sessionId, copy.fence ?? '');
      },
      leave: async () => {
        if (!isOpen()) return;
        copy.stage = 'leaving';
        await this.#flush(sessionId, copy);
        if (this.#isGivenAwayNext(sessionId, copy) && !(await this.#ask([this.#asksToGiveAway(sessionId, copy)])))
          this.#writeIn(RETRY_MS);
      },
    };
  }

  /** Whether this session has a journal here, all of which is in Redis or soon will be. */
  has(sessionId: string): boolean {
    return this.#open.get(sessionId)?.stage === 'open';
  }

  /** This session may not go on in another region. */
  keepInRegion(sessionId: string): void {
    const copy = this.#open.get(sessionId);
    if (copy === undefined) return;
    copy.isStrict = true;
    copy.touch();
    this.#writeIn(WRITE_WITHIN_MS);
  }

  /** Asks at once whether this process still has its sessions. */
  check(): void {
    for (const copy of this.#open.values()) copy.touch();
    this.#writeIn(0);
  }

  /** Stops writing. The connection stays open. */
  close(): void {
    const { redis, timers } = this.#options;
    redis.off('ready', this.#checkNow);
    timers.clearTimeout(this.#touching);
    timers.clearTimeout(this.#timer?.id);
    this.#open.clear();
  }

  #touchLater(): void {
    this.#touching = this.#options.timers.setTimeout(() => {
      this.check();
      this.#touchLater();
    }, TOUCH_EVERY_MS);
  }

  #writeIn(ms: number): void {
    const { timers } = this.#options;
    const at = timers.now() + ms;
    if (this.#timer !== null && this.#timer.at <= at) return;
    timers.clearTimeout(this.#timer?.id);
    const id = timers.setTimeout(() => {
      this.#timer = null;
      void this.#write();
    }, ms);
    this.#timer = { at, id };
  }

  /** All sessions together. Never rejects. */
  async #write(): Promise<void> {
    const writing = [...this.#open].filter(([, copy]) => copy.wantsWrite);
    const leaving = [...this.#open].filter(([sessionId, copy]) => this.#isGivenAwayNext(sessionId, copy));
    const asked = writing.map(([sessionId, copy]) => this.#asks(sessionId, copy));
    for (const [sessionId, copy] of leaving) asked.push(this.#asksToGiveAway(sessionId, copy));
    for (const [sessionId, fence] of this.#ended) asked.push(this.#asksToEnd(sessionId, fence));
    if (asked.length === 0) return;
    if (!(await this.#ask(asked))) this.#writeIn(RETRY_MS);
    else if (writing.some(([sessionId, copy]) => this.#wantsMore(sessionId, copy))) this.#writeIn(0);
  }

  #wantsMore(sessionId: string, copy: JournalCopy): boolean {
    return this.#isGivenAwayNext(sessionId, copy) || (copy.wantsWrite && this.#open.get(sessionId) === copy);
  }

  #isGivenAwayNext(sessionId: string, copy: JournalCopy): boolean {
    return copy.stage === 'leaving' && copy.isStored && this.#open.get(sessionId) === copy;
  }

  async #flush(sessionId: string, copy: JournalCopy): Promise<void> {
    for (;;) {
      // Of several that wait, the first one begins the next write, which has what the others wait for.
      while (copy.written !== null) await copy.written;
      if (this.#open.get(sessionId) !== copy || !copy.wantsWrite) return;
      if (!(await this.#ask([this.#asks(sessionId, copy)]))) return this.#writeIn(RETRY_MS);
    }
  }

  /** @returns false when something was not answered. Never rejects. */
  async #ask(asked: readonly Asked[]): Promise<boolean> {
    const commands = asked.map(({ command }) => [...command]);
    // The connection says when it is broken.
    const answers = await this.#redis
      .pipeline(commands)
      .exec()
      .catch(() => null);
    for (const [index, { answered }] of asked.entries()) {
      const [error, answer] = answers?.[index] ?? [true, null];
      answered(error ? null : answer);
    }
    return answers?.every(([error]) => error === null) ?? false;
  }

  #asks(sessionId: string, copy: JournalCopy): Asked {
    const { engineId, region } = this.#options;
    const { from, entries, state, stored } = copy.takeWrite();
    const fence = copy.fence ?? '';
    const about = [sessionId, engineId, this.life, fence, JOURNAL_KEPT_MS, from, state ?? '', region];
    return {
      command: ['parleyWriteJournal', 1, KEY_PREFIX, ...about, copy.isStrict ? 1 : 0, ...entries],
      answered: (answer) => {
        if (answer === null) return stored(null, null);
        const [count, owner] = answer as readonly [number, string];
        if (count >= 0) return stored(count, owner);
        stored(null, null);
        if (this.#open.get(sessionId) === copy) this.#lostOwnership(sessionId, copy, owner);
      },
    };
  }

  #asksToGiveAway(sessionId: string, copy: JournalCopy): Asked {
    return {
      command: ['parleyGiveAway', 1, KEY_PREFIX, sessionId, this.life, copy.fence ?? '', MOVE_WITHIN_MS],
      answered: (answer) => {
        if (answer !== null && this.#open.get(sessionId) === copy) this.#forget(sessionId, copy);
      },
    };
  }

  #asksToEnd(sessionId: string, fence: string): Asked {
    return {
      command: ['parleyEndJournal', 1, KEY_PREFIX, sessionId, this.life, fence],
      answered: (answer) => {
        if (answer !== null) this.#ended.delete(sessionId);
      },
    };
  }

  #lostOwnership(sessionId: string, copy: JournalCopy, newer: string): void {
    const { log, lost } = this.#options;
    log.warn({ sessionId, fence: copy.fence, newer }, 'another process has this session now');
    this.#forget(sessionId, copy);
    lost(sessionId);
  }

  #isTooLarge(copy: JournalCopy): boolean {
    const { largest = MAX_JOURNAL_SIZE, most = MAX_JOURNALS } = this.#options;
    return copy.size > largest || this.#size > most;
  }

  /** A journal with a hole is of no use: none is left. */
  #giveUp(sessionId: string, copy: JournalCopy): void {
    this.#options.log.warn(
      { sessionId, characters: copy.size, all: this.#size },
      'the journal of a session is too large: the session goes on, and cannot move to another process any more',
    );
    this.#forget(sessionId, copy);
    this.#end(sessionId, copy.fence ?? '');
  }

  #forget(sessionId: string, copy: JournalCopy): void {
    this.#open.delete(sessionId);
    this.#size -= copy.size;
  }

  #end(sessionId: string, fence: string): void {
    this.#ended.set(sessionId, fence);
    this.#writeIn(0);
  }
}
