/**
 * A client that reports arrivals does so every 50 to 250 ms, and a data channel acknowledges within 200 ms (RFC 9260,
 * section 6.2); the rest is the round trip. The limit is not longer, because what is sent meanwhile into a dead path
 * counts as heard.
 */
const OVERDUE_MS = 400;
/** A client that sends packets (otherwise it would be silent by now) and still owes an answer will not give it. */
const GIVEN_UP_MS = 5_000;

export type ResponseChange = 'unresponsive' | 'responsive';

/** What a client owes and has answered. Engine times; null: nothing. */
export interface Responses {
  /** Its latest report of arrivals on this peer connection. */
  readonly reportedAt: number | null;
  /** The first packet since then that it has to report on. */
  readonly unreportedSince: number | null;
  /** The latest from its data channel. */
  readonly dataAt: number | null;
  /** The first message since then. The channel has to acknowledge it. */
  readonly unansweredSince: number | null;
}

/** Reports are the better sign if there are any: frames are sent all the time. */
type Sign = 'reports' | 'channel';

type State =
  /** There is no path to the client, or the client is known to be silent. */
  | { readonly kind: 'off' }
  | { readonly kind: 'responsive' }
  | { readonly kind: 'unresponsive'; readonly since: number; readonly by: Sign }
  | { readonly kind: 'given up'; readonly since: number; readonly by: Sign };

/**
 * Notices within half a second that a client no longer gives the answers that it normally gives at once. Pure: engine
 * times are given.
 */
export class ResponseWatch {
  #state: State = { kind: 'off' };

  /** There is a path to the client. */
  start(): void {
    this.#state = { kind: 'responsive' };
  }

  /** There is no path, or it is known to be dead. */
  stop(): void {
    this.#state = { kind: 'off' };
  }

  check(responses: Responses, now: number): ResponseChange | null {
    const state = this.#state;
    if (state.kind === 'off') return null;
    if (state.kind === 'responsive') {
      const by: Sign = responses.reportedAt === null ? 'channel' : 'reports';
      const owedSince = by === 'reports' ? responses.unreportedSince : responses.unansweredSince;
      if (owedSince === null || now - owedSince <= OVERDUE_MS) return null;
      this.#state = { kind: 'unresponsive', since: now, by };
      return 'unresponsive';
    }
    const answeredAt = state.by === 'reports' ? responses.reportedAt : responses.dataAt;
    if (answeredAt !== null && answeredAt > state.since) {
      this.#state = { kind: 'responsive' };
      return state.kind === 'unresponsive' ? 'responsive' : null;
    }
    if (state.kind === 'given up' || now - state.since <= GIVEN_UP_MS) return null;
    this.#state = { ...state, kind: 'given up' };
    return 'responsive';
  }
}
