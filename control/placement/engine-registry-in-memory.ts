import type { PlacementRequest } from './engine-places.ts';
import type { ChosenEngine, EngineNode, EngineRegistry, EngineReport, PlacementRefusal } from './engine-registry.ts';
import { LEASE_MS, RESERVATION_MS } from './lease.ts';

interface Known {
  report: EngineReport;
  readonly fence: string;
  /** End of its lease. */
  until: number;
  /** Reservation → until when it waits for its session. */
  readonly pending: Map<string, number>;
}

/**
 * What a process takes above its places when another one dies, as a share of them: its main thread may plan with seven tenths
 * of a core, and has room for so many more. Pictures are reduced meanwhile, which is better than a call that is over.
 */
const RESERVE_FOR_MOVES = 0.25;

/** Ended sessions of which it is known who had them: a client that comes back is told there why its session ended. */
const MAX_SESSIONS_KEPT = 10_000;

/** The engines of one machine, in the memory of the process that supervises theirs. It decides as the scripts in Redis do. */
export class EngineRegistryInMemory implements EngineRegistry {
  readonly #now: () => number;
  readonly #engines = new Map<string, Known>();
  /** Session → engine and fencing number. */
  readonly #owners = new Map<string, { readonly engineId: string; readonly fence: string }>();
  /** Session → resolves when it has arrived on another engine, or is lost. */
  readonly #moving = new Map<string, Promise<void>>();
  #lastFence = 0;

  /** @param now ms, of a clock that is never set back. */
  constructor(now: () => number) {
    this.#now = now;
  }

  async renew(report: EngineReport, fence: string | null): Promise<string | null> {
    const until = this.#now() + LEASE_MS;
    const known = this.#living(report.id);
    if (fence === null) {
      const number = String((this.#lastFence += 1));
      this.#engines.set(report.id, { report, fence: number, until, pending: new Map() });
      return number;
    }
    if (known?.fence !== fence) return null;
    known.report = report;
    known.until = until;
    return fence;
  }

  async leave(engineId: string, fence: string): Promise<void> {
    if (this.#engines.get(engineId)?.fence === fence) this.#engines.delete(engineId);
  }

  /** Its process has ended. @returns the sessions that it had, and some that were over. */
  ended(engineId: string): string[] {
    const fence = this.#engines.get(engineId)?.fence;
    this.#engines.delete(engineId);
    return [...this.#owners].flatMap(([id, owner]) =>
      owner.engineId === engineId && owner.fence === fence ? [id] : [],
    );
  }

  /** The session is on its way to another engine: whoever asks for its owner waits. @returns it is there, or lost. */
  expect(sessionId: string): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#moving.set(sessionId, promise);
    return () => {
      if (this.#moving.get(sessionId) === promise) this.#moving.delete(sessionId);
      resolve();
    };
  }

  async own(engineId: string, fence: string, sessionIds: readonly string[]): Promise<void> {
    for (const id of sessionIds) {
      this.#owners.delete(id);
      this.#owners.set(id, { engineId, fence });
    }
    for (const id of this.#owners.keys()) {
      if (this.#owners.size <= MAX_SESSIONS_KEPT) break;
      this.#owners.delete(id);
    }
  }

  async claim(engineId: string, fence: string, reservationId: string): Promise<boolean> {
    const known = this.#living(engineId);
    if (known?.fence !== fence) return false;
    const waits = known.pending.get(reservationId) ?? 0;
    known.pending.delete(reservationId);
    if (waits <= this.#now()) return false;
    known.report = { ...known.report, used: known.report.used + 1 };
    return true;
  }

  async reserve(
    reservationId: string,
    { region, policy }: PlacementRequest,
    unwanted: readonly string[],
  ): Promise<ChosenEngine | PlacementRefusal> {
    const open = this.#open();
    // Calls that live come before new ones: a place that one of them waits for is not free.
    if (this.#moving.size > 0 && this.#freePlaces(open) <= this.#moving.size)
      return open.length === 0 ? 'none' : 'full';
    const there = region === null ? open : open.filter(({ report }) => report.region === region);
    const candidates = policy === 'strict' ? there : open;
    if (candidates.length === 0) return 'none';
    const best = this.#best(there, unwanted) ?? this.#best(candidates, unwanted);
    if (best !== null) return this.#keep(best, reservationId);
    return candidates.some(({ report }) => report.busy === true) ? 'busy' : 'full';
  }

  /** The same for a session whose process died. It is taken above the places, too, as far as there is a reserve. */
  async reserveForMove(reservationId: string, unwanted: readonly string[]): Promise<ChosenEngine | 'full' | 'none'> {
    const open = this.#open();
    if (open.length === 0) return 'none';
    const best = this.#best(open, unwanted) ?? this.#best(open, unwanted, RESERVE_FOR_MOVES);
    return best === null ? 'full' : this.#keep(best, reservationId);
  }

  async drop(engineId: string, reservationId: string): Promise<void> {
    this.#engines.get(engineId)?.pending.delete(reservationId);
  }

  async ownerOf(sessionId: string): Promise<EngineNode | null> {
    await this.#moving.get(sessionId);
    const owner = this.#owners.get(sessionId);
    const known = owner === undefined ? null : this.#living(owner.engineId);
    return known === null || known.fence !== owner?.fence ? null : nodeOf(known);
  }

  async findLost(engineId: string, sessionIds: readonly string[]): Promise<readonly string[]> {
    if (this.#living(engineId) !== null) return [];
    const fence = this.#engines.get(engineId)?.fence;
    return sessionIds.filter((id) => {
      const owner = this.#owners.get(id);
      return owner !== undefined && (owner.engineId !== engineId || owner.fence !== fence);
    });
  }

  async engine(engineId: string): Promise<EngineNode | null> {
    const known = this.#living(engineId);
    return known === null ? null : nodeOf(known);
  }

  async anyEngine(): Promise<EngineNode | null> {
    const open = this.#open();
    const best = this.#best(open, []) ?? open[0];
    return best === undefined ? null : nodeOf(best);
  }

  async count(): Promise<{ readonly places: number; readonly free: number }> {
    const open = this.#open();
    return { places: open.reduce((sum, { report }) => sum + report.places, 0), free: this.#freePlaces(open) };
  }

  onRestart(): () => void {
    // It ends with its process, and all engines with it.
    return () => {};
  }

  #living(engineId: string): Known | null {
    const known = this.#engines.get(engineId);
    return known !== undefined && known.until > this.#now() ? known : null;
  }

  #open(): Known[] {
    const now = this.#now();
    return [...this.#engines.values()].filter(({ until, report }) => until > now && !report.draining);
  }

  #freePlaces(engines: readonly Known[]): number {
    return engines.reduce((sum, known) => sum + Math.max(0, known.report.places - this.#taken(known)), 0);
  }

  #keep(known: Known, reservationId: string): ChosenEngine {
    known.pending.set(reservationId, this.#now() + RESERVATION_MS);
    return { engineId: known.report.id, fence: known.fence, url: known.report.url };
  }

  #taken({ report, pending }: Known): number {
    const now = this.#now();
    for (const [id, until] of pending) if (until <= now) pending.delete(id);
    return report.used + pending.size;
  }

  /** The one with the smallest share of its places taken. @param above its places, as a share of them. */
  #best(engines: readonly Known[], unwanted: readonly string[], above = 0): Known | null {
    let best: { readonly known: Known; readonly share: number } | null = null;
    for (const known of engines) {
      const taken = this.#taken(known);
      const most = Math.floor(known.report.places * (1 + above));
      if (taken >= most || unwanted.includes(known.report.id)) continue;
      const share = taken / most;
      if (best === null || share < best.share) best = { known, share };
    }
    return best?.known ?? null;
  }
}

function nodeOf({ report: { id, url } }: Known): EngineNode {
  return { engineId: id, url };
}
