import { HttpError } from '../errors.ts';
import type { ReservedPlaces } from '../meetings/reservations.ts';
import { sessionErrors } from './session-errors.ts';

/** A visitor without a key, who starts a session with a token from a widget or a share link. */
export interface SlotVisitor {
  readonly tokenId: string;
  /** ms since the epoch. */
  readonly tokenExpiresAt: number;
  /** As `clientAddress` tells it. */
  readonly address: string;
}

export interface SlotHolder {
  readonly organizationId: string;
  /** Null for callers with an API key, or with a session token from one. */
  readonly visitor: SlotVisitor | null;
  /** The meeting invite that the session is of: it may have a place of its own. @defaultValue none */
  readonly inviteId?: string;
}

export interface SlotLimits {
  /** Sessions of all at the same time. */
  readonly ofAll: () => number;
  /** Sessions of one organization at the same time; null: only the engine limits. */
  readonly perOrganization: number | null;
  /** Sessions of all visitors at the same time; null: only the engine limits. */
  readonly ofVisitors: number | null;
  /** Sessions of visitors of one address at the same time. */
  readonly perAddress: number;
}

/**
 * A page requests a token and starts one session. If answers get lost, the public client starts up to three, and uses
 * one of them. So a token may hold three at a time.
 */
const LIVE_PER_TOKEN = 3;
/** In its whole life a token may start a few more, for a user who hangs up and calls again from the same page. */
const STARTS_PER_TOKEN = 10;

interface Share {
  readonly key: string;
  /** Places of this share that are kept free for others. */
  readonly reserved?: number;
  readonly limit: number | null;
  /** The answer to a caller who gets no slot. */
  readonly refusal: string;
}

/**
 * Who holds how many sessions. A slot is taken before anything of the session is created, and in one step, so that two
 * starts at the same moment cannot both take the last one.
 */
export class SessionSlots {
  readonly #limits: SlotLimits;
  readonly #reserved: ReservedPlaces;
  readonly #now: () => number;
  readonly #held = new Map<string, number>();
  /** By visitor's token, in the order of their first start. */
  readonly #starts = new Map<string, { count: number; readonly expiresAt: number }>();

  constructor(limits: SlotLimits, reserved: ReservedPlaces, now: () => number) {
    this.#limits = limits;
    this.#reserved = reserved;
    this.#now = now;
  }

  /**
   * @returns a function that gives the slot back. @throws HttpError 401 for a token that is used up, 429 when there is
   * no slot left.
   */
  take(holder: SlotHolder): () => void {
    const { visitor } = holder;
    if (visitor !== null && (this.#starts.get(visitor.tokenId)?.count ?? 0) >= STARTS_PER_TOKEN) {
      throw new HttpError('sessionTokenExpired', {
        message: `This token has started its ${STARTS_PER_TOKEN} sessions; ask for a new one.`,
      });
    }
    const shares = this.#sharesOf(holder);
    for (const { key, limit, refusal, reserved = 0 } of shares) {
      if (limit !== null && this.#count(key) + reserved >= limit)
        throw new HttpError(sessionErrors.concurrentSessions, { message: refusal });
    }
    for (const { key } of shares) this.#held.set(key, this.#count(key) + 1);
    if (visitor !== null) this.#noteStart(visitor);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      for (const { key } of shares) this.#giveBack(key);
    };
  }

  /** Whether a session of a caller with a key would get a slot now. */
  isFree(holder: Omit<SlotHolder, 'visitor'>): boolean {
    return this.#sharesOf({ ...holder, visitor: null }).every(
      ({ key, limit, reserved = 0 }) => limit === null || this.#count(key) + reserved < limit,
    );
  }

  #sharesOf({ organizationId, visitor, inviteId }: SlotHolder): readonly Share[] {
    const { ofAll, perOrganization, ofVisitors, perAddress } = this.#limits;
    const shares: readonly Share[] = [
      {
        key: 'all',
        limit: ofAll(),
        reserved: this.#reserved.count(null, inviteId ?? null),
        refusal: 'Every place is taken by a session, or kept free for a meeting that begins soon.',
      },
      {
        key: `organization:${organizationId}`,
        limit: perOrganization,
        reserved: this.#reserved.count(organizationId, inviteId ?? null),
        refusal: 'This organization has as many sessions as it may have at the same time.',
      },
    ];
    if (visitor === null) return shares;
    return [
      ...shares,
      {
        key: 'visitors',
        limit: ofVisitors,
        refusal: 'There are as many conversations with visitors as there may be at the same time; try again later.',
      },
      {
        key: `address:${visitor.address}`,
        limit: perAddress,
        refusal: 'There are as many conversations with this network address as there may be at the same time.',
      },
      {
        key: `token:${visitor.tokenId}`,
        limit: LIVE_PER_TOKEN,
        refusal: 'This token has as many sessions as it may have at the same time.',
      },
    ];
  }

  #noteStart({ tokenId, tokenExpiresAt }: SlotVisitor): void {
    const now = this.#now();
    // All tokens of visitors live equally long, so expired ones are at the front.
    for (const [id, { expiresAt }] of this.#starts) {
      if (expiresAt > now) break;
      this.#starts.delete(id);
    }
    const starts = this.#starts.get(tokenId);
    if (starts === undefined) this.#starts.set(tokenId, { count: 1, expiresAt: tokenExpiresAt });
    else starts.count += 1;
  }

  #count(key: string): number {
    return this.#held.get(key) ?? 0;
  }

  #giveBack(key: string): void {
    const left = this.#count(key) - 1;
    if (left > 0) this.#held.set(key, left);
    else this.#held.delete(key);
  }
}
