import { addressKey, type Address } from './address.ts';
import { pairPriority } from './candidate-priority.ts';
import type { IceCredentials } from './credentials.ts';
import { nominationMoves, useMoves, type ValidPair } from './selected-pair.ts';
import type { BindingRequest } from './stun.ts';

/**
 * How many addresses of one client may be known at a time. A client checks from each of its networks (cable, Wi-Fi,
 * cellular, VPN; IPv4 and IPv6) and again after each network change; the one that was unused for the longest time is
 * dropped.
 */
export const MAX_ADDRESSES = 16;

export interface Generation {
  readonly number: number;
  readonly credentials: IceCredentials;
  /** The client's, of the offer that they answer. */
  readonly client: IceCredentials;
}

/** Answers whose credentials are valid: the current one and the one before, which packets just before a restart carry. */
const VALID_GENERATIONS = 2;
/**
 * Answers whose credentials are known to be of this session. Who checks with an older one is refused, as if the session
 * were elsewhere; a check that is late by one restart must not be.
 */
const KNOWN_GENERATIONS = 4;

/**
 * The public side of one client's peer connection: which credentials are valid, which addresses the client has proved
 * to own, and which of them our packets go to. Pure bookkeeping; the front does the sending.
 */
export class PublicPath {
  /** The last `KNOWN_GENERATIONS`, oldest first. */
  #generations: Generation[] = [];
  /** By the key of the client's address, in the order of their last checks. */
  readonly #pairs = new Map<string, ValidPair>();
  #selected: ValidPair | null = null;

  /**
   * The next answer has new credentials.
   * @param client the client's, of the offer that is answered. @returns the generation that is forgotten, if any.
   */
  renew(
    credentials: IceCredentials,
    client: IceCredentials,
  ): { readonly current: Generation; readonly forgotten: Generation | null } {
    const current = { number: (this.#generations.at(-1)?.number ?? 0) + 1, credentials, client };
    const forgotten = this.#generations.length === KNOWN_GENERATIONS ? this.#generations[0]! : null;
    this.#generations = [...this.#generations.slice(1 - KNOWN_GENERATIONS), current];
    return { current, forgotten };
  }

  /** Whether checks with the credentials of this generation are answered. */
  isValid(generation: Generation): boolean {
    return this.#generations.slice(-VALID_GENERATIONS).includes(generation);
  }

  get generations(): readonly Generation[] {
    return this.#generations;
  }

  get addresses(): Iterable<string> {
    return this.#pairs.keys();
  }

  /** Where our packets go; null until the client has chosen. */
  get selected(): Address | null {
    return this.#selected?.address ?? null;
  }

  /** The same, if the client has checked it in this generation or a later one. */
  selectedSince(generation: number): Address | null {
    return this.#selected !== null && this.#selected.generation >= generation ? this.#selected.address : null;
  }

  /** Whether our packets go to the address with this key. */
  goesTo(key: string): boolean {
    return this.#selected !== null && addressKey(this.#selected.address) === key;
  }

  /**
   * The generation that a check belongs to: the current one if it carries the new credentials of either side. Chromium
   * continues to check with our old credentials if a pair of its new port was selected before the answer came (it then
   * "skips creating a connection" for the same address; measured after one restart in six in which the old path came
   * back just before the offer).
   * @param authenticated the generation whose password the check knows.
   */
  generationOf(authenticated: Generation, { remoteUfrag }: Pick<BindingRequest, 'remoteUfrag'>): Generation {
    const current = this.#generations.at(-1);
    return current?.client.ufrag === remoteUfrag ? current : authenticated;
  }

  /**
   * Takes an authenticated check from the client.
   * @returns the address that was dropped, if any, and whether our packets now go elsewhere.
   */
  checked(
    generation: Generation,
    { nominates, priority }: Pick<BindingRequest, 'nominates' | 'priority'>,
    address: Address,
    at: number,
  ): { readonly forgotten: string | null; readonly moved: boolean } {
    const key = addressKey(address);
    const before = this.#pairs.get(key);
    const pair: ValidPair = before ?? { address, priority: 0n, generation: 0, nominatedIn: 0, usedAt: null };
    this.#pairs.delete(key);
    this.#pairs.set(key, pair);
    pair.generation = Math.max(pair.generation, generation.number);
    pair.priority = pairPriority(address.protocol, priority);
    const forgotten = this.#dropOldest();
    if (!nominates) return { forgotten, moved: false };
    const moved = nominationMoves(this.#selected, pair, generation.number, at);
    pair.nominatedIn = Math.max(pair.nominatedIn, generation.number);
    pair.usedAt = at;
    if (moved) this.#selected = pair;
    return { forgotten, moved };
  }

  /**
   * The client has sent media from this address, or other data, but no check.
   * @returns whether our packets now go elsewhere.
   */
  used(key: string, at: number): boolean {
    const pair = this.#pairs.get(key);
    if (pair === undefined) return false;
    const moved = useMoves(this.#selected, pair, at);
    pair.usedAt = at;
    if (moved) this.#selected = pair;
    return moved;
  }

  /** The address is no longer this client's. */
  forget(key: string): void {
    if (this.goesTo(key)) this.#selected = null;
    this.#pairs.delete(key);
  }

  #dropOldest(): string | null {
    if (this.#pairs.size <= MAX_ADDRESSES) return null;
    for (const [key, pair] of this.#pairs) {
      if (pair === this.#selected) continue;
      this.#pairs.delete(key);
      return key;
    }
    return null;
  }
}
