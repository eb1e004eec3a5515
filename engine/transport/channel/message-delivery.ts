import { acknowledgedUpTo, arrivedBeforeSilence, type ArrivalSigns, type Undelivered } from '../outage-rules.ts';
import { Outbox } from './outbox.ts';

/** A data channel acknowledges within 200 ms (RFC 9260, section 6.2); a new peer connection takes longer than the way. */
const ACKNOWLEDGED_WITHIN_MS = 250;

/** What is needed of one peer connection of the client (`PeerLifecycle`). Engine times; null: never. */
export interface MessagePeer {
  readonly isConnected: boolean;
  /** Whether signs of life of the client say something about the messages before them. */
  readonly showsArrival: boolean;
  readonly heardAt: number | null;
  readonly dataAt: number | null;
  mayTalk(reachedAt: number | null): boolean;
  /** @returns whether the message was taken. */
  sendMessage(text: string): boolean;
  close(): void;
}

/** What the client has reported: with `reachedAt`, when the latest packet was sent that has reached it. */
export type ReportedSigns = ArrivalSigns & { readonly reachedAt: number | null };

interface Predecessor {
  readonly peer: MessagePeer;
  /** When all of its client's acknowledgements have come. */
  readonly until: number;
  /** What its client has reported; from the next one's first packet on, reports speak of that one. */
  reported: ArrivalSigns;
}

/** Brings the session's messages to its client over one peer connection after the other, each once. Pure: engine times are given. */
export class MessageDelivery {
  readonly #outbox = new Outbox();
  readonly #reported: () => ReportedSigns;
  /** The one in whose place another is, until it is certain what it has carried: its client still acknowledges. */
  #predecessor: Predecessor | null = null;

  constructor(reported: () => ReportedSigns) {
    this.#reported = reported;
  }

  get undelivered(): Undelivered {
    return this.#outbox;
  }

  /** When the first message went out for which the client's channel owes an acknowledgement; null: it owes none. */
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
      !peer.mayTalk(this.#reported().reachedAt)
    )
      return;
    this.#outbox.flush((text) => peer.sendMessage(text), now);
  }

  /** Lets go of messages that have arrived, by what the client's channel has answered or the path has carried since. */
  confirm(peer: MessagePeer, reported: ArrivalSigns = this.#reported()): void {
    const arrived = peer.showsArrival ? acknowledgedUpTo({ ...reported, dataAt: peer.dataAt }) : null;
    if (arrived !== null) this.#outbox.confirmed(arrived);
  }

  /** The client has fallen silent, or is no longer listened to: its last packets tell what had arrived before. */
  confirmLastSigns(peer: MessagePeer, reported: ArrivalSigns = this.#reported()): void {
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
    // One that never connected was told nothing.
    if (this.#predecessor) peer.close();
    else this.#predecessor = { peer, until: now + ACKNOWLEDGED_WITHIN_MS, reported: this.#reported() };
  }

  /** The one in charge is connected: reports speak of it from now on. */
  connected(): void {
    if (this.#predecessor) this.#predecessor.reported = this.#reported();
  }

  close(): void {
    this.#predecessor?.peer.close();
    this.#predecessor = null;
  }

  /** The one in charge begins with what the one before it has not delivered. @returns false while that may still prove to have arrived. */
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
