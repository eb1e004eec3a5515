import type { Logger } from '../../runtime/log.ts';
import type { Timers } from '../../runtime/clock.ts';
import type { TakenPlace } from './engine-places.ts';
import { PlaceRefused } from './place-refused.ts';
import type { EngineIdentity, EngineRegistry } from './engine-registry.ts';
import { ENGINE_RENEW_EVERY_MS } from './lease.ts';
import type { Reservation } from './placement.ts';

export interface EngineLeaseOptions {
  readonly registry: EngineRegistry;
  readonly engine: EngineIdentity;
  /** Sessions that it could have now, those that are live included. */
  readonly places: () => number;
  /** It takes nobody at present although it has places. @defaultValue it never is */
  readonly busy?: () => boolean;
  readonly timers: Timers;
  readonly log: Logger;
}

/** Changes that come together are reported together, ms. */
const REPORT_WITHIN_MS = 20;
/** Owners are renewed some 20 s apart, a third of what they are kept for. */
const RENEWALS_PER_OWNER_RENEWAL = 50;

/**
 * Keeps this engine known to all nodes, with its places and its sessions. While it has its lease it has a fencing
 * number. An engine that lost the lease begins anew with a larger one, and its reservations are void.
 */
export class EngineLease {
  readonly #registry: EngineRegistry;
  readonly #options: EngineLeaseOptions;
  readonly #taken = new Set<TakenPlace>();
  readonly #sessions = new Set<string>();
  #state: 'waiting' | 'serving' | 'draining' | 'closed' = 'waiting';
  #fence: string | null = null;
  #renewals = 0;
  /** One report after the other: an older one must not be the last. */
  #last: Promise<void> = Promise.resolve();
  #timer: unknown;
  #soon: unknown = null;
  #endListening: () => void = () => {};

  constructor(options: EngineLeaseOptions) {
    this.#registry = options.registry;
    this.#options = options;
  }

  get engineId(): string {
    return this.#options.engine.id;
  }

  /** Null: it has no lease. */
  get fence(): string | null {
    return this.#fence;
  }

  /** The node listens: sessions may come. Resolves when the others know, or the registry does not answer. */
  async start(): Promise<void> {
    this.#state = 'serving';
    this.#endListening = this.#registry.onRestart(() => void this.#renew());
    this.#renewLater();
    await this.#renew();
  }

  /** Takes a place that was reserved. @throws PlaceRefused when the reservation is void. */
  async take(reservation: Pick<Reservation, 'id' | 'fence'>): Promise<TakenPlace> {
    // It counts from now on: a report that leaves before the answer comes must contain it.
    const place = this.hold();
    const { id, fence } = reservation;
    if (await this.#registry.claim(this.engineId, fence, id).catch(() => false)) return place;
    place.giveBack();
    throw new PlaceRefused();
  }

  /** Counts a session that has no reservation. */
  hold(): TakenPlace {
    let sessionId: string | null = null;
    const place: TakenPlace = {
      startedAs: async (id) => {
        if (!this.#taken.has(place)) return;
        sessionId = id;
        this.#sessions.add(id);
        await this.#own([id]);
      },
      giveBack: () => {
        if (!this.#taken.delete(place)) return;
        if (sessionId !== null) this.#sessions.delete(sessionId);
        this.#reportSoon();
      },
    };
    this.#taken.add(place);
    this.#reportSoon();
    return place;
  }

  /** No session comes any more; those that are here stay. */
  async drain(): Promise<void> {
    if (this.#state !== 'serving') return;
    this.#state = 'draining';
    await this.#renew();
  }

  /** The others forget this engine at once. The connection stays open. */
  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    const { timers } = this.#options;
    timers.clearTimeout(this.#timer);
    timers.clearTimeout(this.#soon);
    this.#endListening();
    await this.#last;
    if (this.#fence !== null) await this.#registry.leave(this.engineId, this.#fence).catch(() => {});
    this.#fence = null;
  }

  #renewLater(): void {
    this.#timer = this.#options.timers.setTimeout(() => {
      void this.#renew();
      this.#renewLater();
    }, ENGINE_RENEW_EVERY_MS);
  }

  #reportSoon(): void {
    if (this.#soon !== null || this.#state === 'closed' || this.#state === 'waiting') return;
    this.#soon = this.#options.timers.setTimeout(() => {
      this.#soon = null;
      void this.#renew();
    }, REPORT_WITHIN_MS);
  }

  #renew(): Promise<void> {
    this.#last = this.#last.then(() => this.#renewOnce());
    return this.#last;
  }

  /** Never rejects: the next one may work, and the connection says when it is broken. */
  async #renewOnce(): Promise<void> {
    if (this.#state === 'closed') return;
    try {
      const before = this.#fence;
      let fence = await this.#report(before);
      if (fence === null) {
        this.#options.log.warn('this engine lost its lease and begins anew');
        this.#fence = null;
        fence = await this.#report(null);
      }
      this.#fence = fence;
      this.#renewals += 1;
      if (fence !== before || this.#renewals % RENEWALS_PER_OWNER_RENEWAL === 0) await this.#own([...this.#sessions]);
    } catch {
      // As said above.
    }
  }

  #report(fence: string | null): Promise<string | null> {
    const draining = this.#state === 'draining';
    const { engine, places, busy = () => false } = this.#options;
    const report = { ...engine, places: places(), used: this.#taken.size, draining, busy: busy() };
    return this.#registry.renew(report, fence);
  }

  /** Notes that this engine has these sessions. Never rejects: they are noted again with the next renewals. */
  async #own(sessionIds: readonly string[]): Promise<void> {
    if (this.#fence === null || sessionIds.length === 0) return;
    await this.#registry.own(this.engineId, this.#fence, sessionIds).catch(() => {});
  }
}
