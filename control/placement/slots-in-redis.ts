import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Logger } from '../../runtime/log.ts';
import type { Timers } from '../../runtime/clock.ts';
import { HttpError } from '../errors/http-error.ts';
import { sessionErrors } from '../errors/session-errors.ts';
import type { SlotLedger, SlotShare, SlotStarts, TakenSlot } from './slot-ledger.ts';
import { LEASE_MS, RENEW_EVERY_MS } from './lease.ts';
import { KEY_PREFIX } from '../store/redis.ts';
import { COUNT, RENEW, TAKE } from './slot-scripts.ts';

interface Scripts {
  parleyTakeSlot(keys: number, ...args: readonly (string | number)[]): Promise<number>;
  parleyRenewSlots(keys: number, ...args: readonly (string | number)[]): Promise<number>;
  parleyCountSlots(keys: 1, share: string): Promise<number>;
}

/** Counts the sessions of all processes that use the same Redis. */
export class SlotsInRedis implements SlotLedger {
  readonly #redis: Redis & Scripts;
  readonly #timers: Timers;
  readonly #now: () => number;
  readonly #log: Logger;
  /** Slots of this process, with the keys of their shares. */
  readonly #held = new Map<string, readonly string[]>();
  readonly #renewNow = (): void => void this.#renew();
  #timer: unknown;

  /** @param now ms since the epoch: the clock by which tokens expire. */
  constructor(redis: Redis, { timers, now, log }: { timers: Timers; now: () => number; log: Logger }) {
    redis.defineCommand('parleyTakeSlot', { lua: TAKE });
    redis.defineCommand('parleyRenewSlots', { lua: RENEW });
    redis.defineCommand('parleyCountSlots', { lua: COUNT });
    this.#redis = redis as Redis & Scripts;
    this.#timers = timers;
    this.#now = now;
    this.#log = log;
    // A Redis that was restarted knows nothing any more.
    redis.on('ready', this.#renewNow);
    this.#renewLater();
  }

  async take(shares: readonly SlotShare[], starts: SlotStarts | null, slot: string = randomUUID()): Promise<TakenSlot> {
    // An answer that gets lost costs a place for one lease, because nobody renews it.
    const answer = await this.#ask(shares, slot, starts);
    if (answer < 0) return { taken: false, share: null };
    if (answer > 0) return { taken: false, share: answer - 1 };
    this.#held.set(slot, keysOf(shares));
    return { taken: true, giveBack: () => this.#giveBack(slot) };
  }

  adopt(shares: readonly SlotShare[], slot: string): () => void {
    this.#held.set(slot, keysOf(shares));
    void this.#renew([slot]);
    return () => this.#giveBack(slot);
  }

  leave(slot: string): void {
    this.#held.delete(slot);
  }

  async isFree(shares: readonly SlotShare[]): Promise<boolean> {
    const answer = await this.#ask(shares, '', null).catch(() => null);
    return answer === 0;
  }

  async count(key: string): Promise<number> {
    return this.#redis.parleyCountSlots(1, `${KEY_PREFIX}slots:${key}`);
  }

  /** Gives back what is still held. Sessions are over by now. The connection stays open. */
  async close(): Promise<void> {
    this.#timers.clearTimeout(this.#timer);
    this.#redis.off('ready', this.#renewNow);
    await Promise.all([...this.#held].map(([slot, keys]) => this.#remove(slot, keys)));
    this.#held.clear();
  }

  async #ask(shares: readonly SlotShare[], slot: string, starts: SlotStarts | null): Promise<number> {
    const keys = keysOf(shares);
    if (starts !== null) keys.push(`${KEY_PREFIX}starts:${starts.tokenId}`);
    const tokenLifeMs = starts === null ? 0 : Math.max(1, Math.ceil(starts.until - this.#now()));
    const room = shares.map(({ limit, reserved = 0 }) => (limit === null ? -1 : Math.max(0, limit - reserved)));
    try {
      return await this.#redis.parleyTakeSlot(
        keys.length,
        ...keys,
        slot,
        LEASE_MS,
        starts?.most ?? 0,
        tokenLifeMs,
        ...room,
      );
    } catch (error) {
      this.#log.error({ err: error }, 'sessions cannot be counted, because Redis does not answer');
      throw new HttpError(sessionErrors.noEngines, {
        message: 'Sessions cannot be counted at present; try again soon.',
      });
    }
  }

  #giveBack(slot: string): void {
    const keys = this.#held.get(slot);
    if (keys === undefined) return;
    this.#held.delete(slot);
    void this.#remove(slot, keys);
  }

  async #remove(slot: string, keys: readonly string[]): Promise<void> {
    // What cannot be removed now is free at the end of its lease.
    await Promise.all(keys.map((key) => this.#redis.zrem(key, slot).catch(() => 0)));
  }

  #renewLater(): void {
    this.#timer = this.#timers.setTimeout(() => {
      void this.#renew();
      this.#renewLater();
    }, RENEW_EVERY_MS);
  }

  async #renew(slots: Iterable<string> = this.#held.keys()): Promise<void> {
    const numbers = new Map<string, number>();
    const pairs: (string | number)[] = [];
    for (const slot of slots) {
      for (const key of this.#held.get(slot) ?? []) {
        const number = numbers.get(key) ?? numbers.size + 1;
        numbers.set(key, number);
        pairs.push(slot, number);
      }
    }
    if (pairs.length === 0) return;
    // The next one may work, and the connection says when it is broken.
    await this.#redis.parleyRenewSlots(numbers.size, ...numbers.keys(), LEASE_MS, ...pairs).catch(() => 0);
  }
}

function keysOf(shares: readonly SlotShare[]): string[] {
  return shares.map(({ key }) => `${KEY_PREFIX}slots:${key}`);
}
