import { randomUUID } from 'node:crypto';
import type { Logger } from '../../runtime/log.ts';
import type { Timers } from '../../runtime/clock.ts';
import { type RoomData, type SentData, UNSUPPORTED_METHOD } from './data-packets.ts';

/** The agent wants silence, and nothing of what it has sent. */
const CLEAR_BUFFER = 'lk.clear_buffer';
const PLAYBACK_STARTED = 'lk.playback_started';
const PLAYBACK_FINISHED = 'lk.playback_finished';
/** As often, and as far apart, as LiveKit's own avatars tell the end of a segment. */
const TRIES = 3;
const TRY_AGAIN_MS = 100;
/** Ends of segments that wait for the agent to come back. */
const MAX_WAITING = 1_000;

type Call = Extract<RoomData, { type: 'call' | 'call received' | 'call answered' }>;

interface OwnCall {
  readonly method: string;
  readonly payload: string;
  /** Answers of the agent that refused it. */
  readonly refusals: number;
  readonly state: 'sent' | 'received';
}

export interface AgentRpcOptions {
  /** @returns whether the packet could be sent. */
  send(data: SentData): boolean;
  /** The agent wants silence. Called before it gets its answer. */
  clearBuffer(): void;
  readonly timers: Timers;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * What avatar and agent tell each other by LiveKit's remote calls. The agent counts the ends of its segments, and waits
 * for each: one that could not be sent is sent when the room is back, and one that the agent refused is sent again.
 */
export class AgentRpc {
  readonly #options: AgentRpcOptions;
  /** Ends of segments that the agent has not confirmed, by the id of their call; in order. */
  readonly #waiting = new Map<string, OwnCall>();
  readonly #timers = new Set<unknown>();

  constructor(options: AgentRpcOptions) {
    this.#options = options;
  }

  playbackStarted(): void {
    // Older agents do not know it, and none depends on it.
    this.#options.send({ type: 'call', id: randomUUID(), method: PLAYBACK_STARTED, payload: '' });
  }

  /** Exactly these three keys: agents in Python refuse any other. */
  playbackFinished(playedMs: number, interrupted: boolean): void {
    const payload = JSON.stringify({
      // To 0.1 ms: a sum of chunks has the noise of floating point.
      playback_position: Math.round(playedMs * 10) / 10_000,
      interrupted,
      synchronized_transcript: null,
    });
    if (this.#waiting.size >= MAX_WAITING) this.#waiting.delete(this.#waiting.keys().next().value!);
    this.#send(randomUUID(), { method: PLAYBACK_FINISHED, payload, refusals: 0, state: 'sent' });
  }

  take(call: Call): void {
    switch (call.type) {
      case 'call':
        return this.#answer(call);
      case 'call received': {
        const own = this.#waiting.get(call.id);
        if (own !== undefined) this.#waiting.set(call.id, { ...own, state: 'received' });
        return;
      }
      case 'call answered':
        return this.#answered(call.id, call.error?.message ?? null);
    }
  }

  /** The room is back. What the agent has received is not sent again: it would end another segment. */
  resend(): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const call of waiting) if (call.state === 'sent') this.#send(randomUUID(), call);
  }

  close(): void {
    for (const timer of this.#timers) this.#options.timers.clearTimeout(timer);
    this.#waiting.clear();
  }

  #send(id: string, call: OwnCall): void {
    this.#waiting.set(id, call);
    this.#options.send({ type: 'call', id, method: call.method, payload: call.payload });
  }

  #answer({ id, method }: Extract<Call, { type: 'call' }>): void {
    const { send, clearBuffer } = this.#options;
    send({ type: 'call received', id });
    const known = method === CLEAR_BUFFER;
    if (known) clearBuffer();
    const error = known ? null : { code: UNSUPPORTED_METHOD, message: 'Method not supported at destination' };
    send({ type: 'call answered', id, error });
  }

  #answered(id: string, problem: string | null): void {
    const own = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (own === undefined || problem === null) return;
    const refusals = own.refusals + 1;
    if (refusals >= TRIES) return this.#options.log.warn({ method: own.method }, 'an agent does not take a call');
    const timer = this.#options.timers.setTimeout(() => {
      this.#timers.delete(timer);
      this.#send(randomUUID(), { ...own, refusals, state: 'sent' });
    }, TRY_AGAIN_MS);
    this.#timers.add(timer);
  }
}
