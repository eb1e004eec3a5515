import { randomUUID } from 'node:crypto';
import { HttpError } from '../errors/http-error.ts';
import type { ReservedPlaces } from './reservations.ts';
import { PlaceRefused } from './place-refused.ts';
import { sessionErrors } from '../errors/session-errors.ts';
import type { SlotLedger, SlotShare } from './slot-ledger.ts';

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
  /** Sessions on this engine at the same time. */
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

interface Share extends SlotShare {
  /** The answer to a caller who gets no slot. */
  readonly refusal: string;
}

/** Who may have how many sessions. A slot is taken before anything of the session is created. */
export class SessionSlots {
  /** After a crash, the next process of the same name begins with all its places. */
  readonly #engineKey = `engine:${randomUUID()}`;
  readonly #limits: SlotLimits;
  readonly #reserved: ReservedPlaces;
  readonly #ledger: SlotLedger;

  constructor(limits: SlotLimits, reserved: ReservedPlaces, ledger: SlotLedger) {
    this.#limits = limits;
    this.#reserved = reserved;
    this.#ledger = ledger;
  }

  /**
   * @param sessionId the session that it is for. @defaultValue one that never moves to another process
   * @returns a function that gives the slot back. @throws HttpError 401 for a token that is used up, 429 when there is
   * no slot left, 503 when sessions cannot be counted now.
   */
  async take(holder: SlotHolder, sessionId?: string): Promise<() => void> {
    const { visitor } = holder;
    const shares = this.#sharesOf(holder);
    const starts =
      visitor === null ? null : { tokenId: visitor.tokenId, most: STARTS_PER_TOKEN, until: visitor.tokenExpiresAt };
    const taken = await this.#ledger.take(shares, starts, sessionId);
    if (taken.taken) return taken.giveBack;
    if (taken.share === null) {
      throw new HttpError('sessionTokenExpired', {
        message: `This token has started its ${STARTS_PER_TOKEN} sessions; ask for a new one.`,
      });
    }
    const { key, refusal: message } = shares[taken.share]!;
    throw key === this.#engineKey
      ? new PlaceRefused(sessionErrors.concurrentSessions, { message })
      : new HttpError(sessionErrors.concurrentSessions, { message });
  }

  /**
   * The session goes on in this process, whatever the limits say: it has its slot already. @returns as `take` does.
   */
  adopt(holder: SlotHolder, sessionId: string): () => void {
    return this.#ledger.adopt(this.#sharesOf(holder), sessionId);
  }

  /** The session goes on in another process, which has its slot from now on. */
  leave(sessionId: string): void {
    this.#ledger.leave(sessionId);
  }

  /** Whether a session of a caller with a key would get a slot now. Never rejects. */
  isFree(holder: Omit<SlotHolder, 'visitor'>): Promise<boolean> {
    return this.#ledger.isFree(this.#sharesOf({ ...holder, visitor: null }));
  }

  /** The same of one organization, whatever this engine has room for. Never rejects. */
  isFreeFor(organizationId: string): Promise<boolean> {
    return this.#ledger.isFree([this.#organizationShare(organizationId, null)]);
  }

  /** @returns sessions of an organization. @throws when they cannot be counted now. */
  count(organizationId: string): Promise<number> {
    return this.#ledger.count(this.#organizationShare(organizationId, null).key);
  }

  #organizationShare(organizationId: string, inviteId: string | null): Share {
    return {
      key: `organization:${organizationId}`,
      limit: this.#limits.perOrganization,
      reserved: this.#reserved.count(organizationId, inviteId),
      refusal: 'This organization has as many sessions as it may have at the same time.',
    };
  }

  #sharesOf({ organizationId, visitor, inviteId }: SlotHolder): readonly Share[] {
    const { ofAll, ofVisitors, perAddress } = this.#limits;
    const shares: readonly Share[] = [
      {
        key: this.#engineKey,
        limit: ofAll(),
        reserved: this.#reserved.count(null, inviteId ?? null),
        refusal: 'Every place is taken by a session, or kept free for a meeting that begins soon.',
      },
      this.#organizationShare(organizationId, inviteId ?? null),
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
}
