import { acknowledgedUpTo, arrivedBeforeSilence, type ArrivalSigns, type Undelivered } from '../outage-rules.ts';
import type { ConnectionSnapshot, ConnectionState } from '../connection-state.ts';
import { Outbox } from './outbox.ts';

/**
 * A data channel acknowledges within 200 ms (RFC 9260, section 6.2); a new peer connection takes longer than the round
 * trip.
 */
const ACKNOWLEDGED_WITHIN_MS = 250;

/** What this file needs of one peer connection of the client (`PeerLifecycle`). Engine times; null: never. */
export interface MessagePeer {
  readonly isConnected: boolean;
  /** Whether packets from the client say something about the messages before them. */
  readonly showsArrival: boolean;
  readonly heardAt: number | null;
  readonly dataAt: number | null;
  mayUseChannel(reachedAt: number | null): boolean;
  /** @returns whether the message was taken. */
  sendMessage(text: string): boolean;
  close(): void;
}

/** What the client has reported. `reachedAt`: when the latest packet that reached it was sent. */
export type ReportedSigns = ArrivalSigns & { readonly reachedAt: number | null };

interface Predecessor {
  readonly peer: MessagePeer;
  /** The time by which all acknowledgements of its client have arrived. */
  readonly until: number;
  /** What its client has reported. From the first packet of the next peer connection on, reports are about that one. */
  reported: ArrivalSigns;
}

/**
 * Brings each message of the session to its client once, over successive peer connections. Pure: engine times are
 * given.
 */
export class MessageDelivery {
  readonly #outbox: Outbox;
  readonly #reported: () => ReportedSigns;
  readonly #whenUnderWay: (then: (at: number) => void) => void;
  /** The connection that was replaced, until it is certain what it has carried: its client still acknowledges. */
  #predecessor: Predecessor | null = null;

  /**
   * @param whenUnderWay calls back when what was just sent is under way, and what the client sent before is read. Else
   * a busy event loop takes an acknowledgement of something earlier, which it reads late, for one of this.
   * @param past what another process has not brought. @defaultValue the session begins here
   */
  constructor(
    reported: () => ReportedSigns,
    whenUnderWay: (then: (at: number) => void) => void,
    past: Pick<ConnectionSnapshot, 'arrived' | 'waiting'> | null = null,
  ) {
    this.#reported = reported;
    this.#whenUnderWay = whenUnderWay;
    this.#outbox = new Outbox(past?.arrived);
    for (const text of past?.waiting ?? []) this.#outbox.push(text);
  }

  /** Numbers of messages, as of `ConnectionState`. */
  get progress(): Pick<ConnectionState, 'arrived' | 'sent'> {
    return { arrived: this.#outbox.arrived, sent: this.#outbox.sent };
  }

  get undelivered(): Undelivered {
    return this.#outbox;
  }

  /** When the first message was sent that the client's channel has not acknowledged; null: there is none. */
  unansweredSince(peer: MessagePeer): number | null {
    return this.#outbox.sentAfter(peer.dataAt);
  }

  push(text: string): void {
    this.#outbox.push(text);
  }

  /** Hands over what waits, as far as the peer may and does take it. */
  flush(peer: MessagePeer | null, now: number): void {
    if (
      !peer ||
      !this.#settlePredecessor(peer, now) ||
      this.#outbox.waiting === 0 ||
      !peer.mayUseChannel(this.#reported().reachedAt)
    )
      return;
    const left = this.#outbox.flush((text) => peer.sendMessage(text), now);
    if (left !== null) this.#whenUnderWay(left);
  }

  /**
   * Forgets messages that have arrived: the client's channel has acknowledged them, or the path has carried them since.
   */
  confirm(peer: MessagePeer, reported: ArrivalSigns = this.#reported()): void {
    if (!this.#carries(peer)) return;
    const arrived = peer.showsArrival ? acknowledgedUpTo({ ...reported, dataAt: peer.dataAt }) : null;
    if (arrived !== null) this.#outbox.confirmed(arrived);
  }

  /** The client has fallen silent, or its packets are now ignored: its last packets tell what had arrived before. */
  confirmLastSigns(peer: MessagePeer, reported: ArrivalSigns = this.#reported()): void {
    if (!this.#carries(peer)) return;
    const arrived =
      peer.showsArrival && peer.heardAt !== null ? arrivedBeforeSilence({ ...reported, heardAt: peer.heardAt }) : null;
    if (arrived !== null) this.#outbox.confirmed(arrived);
  }

  /** Our peer is gone. */
  lost(peer: MessagePeer): void {
    this.confirm(peer);
    this.#outbox.returnUnconfirmed();
  }

  /** Another peer connection of the client takes the place of this one. */
  replaced(peer: MessagePeer, now: number): void {
    // A connection that was never established has carried nothing.
    if (this.#predecessor) peer.close();
    else this.#predecessor = { peer, until: now + ACKNOWLEDGED_WITHIN_MS, reported: this.#reported() };
  }

  /** The current connection is established: from now on, reports are about it. */
  connected(): void {
    if (this.#predecessor) this.#predecessor.reported = this.#reported();
  }

  close(): void {
    this.#predecessor?.peer.close();
    this.#predecessor = null;
  }

  /** Whether this connection took what is not confirmed: its successor's handshake acknowledges none of it. */
  #carries(peer: MessagePeer): boolean {
    return this.#predecessor === null || this.#predecessor.peer === peer;
  }

  /**
   * The current connection begins with what the one before it has not delivered. @returns false while such messages may
   * still prove to have arrived.
   */
  #settlePredecessor(successor: MessagePeer, now: number): boolean {
    if (!this.#predecessor) return true;
    if (!successor.isConnected) return false;
    const { peer, until, reported } = this.#predecessor;
    this.confirm(peer, reported);
    this.confirmLastSigns(peer, reported);
    if (this.#outbox.sentAt !== null && now < until) return false;
    this.#predecessor = null;
    this.#outbox.returnUnconfirmed();
    peer.close();
    return true;
  }
}
