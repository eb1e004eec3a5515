import type { Logger } from '../../../runtime/log.ts';
import { type Allowance, TokenBucket } from '../../../runtime/token-bucket.ts';

interface Allowances {
  readonly messages: Allowance;
  /** Applies to text that is kept: in the history, the transcript and the event log. Absent: the message is short. */
  readonly bytes?: Allowance;
}

const KIB = 1024;

/**
 * What a client may send, by kind of message: many times what people and well-made clients send, and far less than what
 * does harm. The burst allows messages that were queued while a connection was down.
 */
const ALLOWANCES = {
  /** Anything on the data channel, before it is examined. Clients send a few messages in a second. */
  'data channel': { messages: { atOnce: 500, perSecond: 100 }, bytes: { atOnce: 1024 * KIB, perSecond: 128 * KIB } },
  /** Typed or pasted: the longest text, 32 KiB, eight times in a row. */
  speech: { messages: { atOnce: 20, perSecond: 2 }, bytes: { atOnce: 256 * KIB, perSecond: 2 * KIB } },
  interrupt: { messages: { atOnce: 20, perSecond: 5 } },
  context: { messages: { atOnce: 20, perSecond: 5 }, bytes: { atOnce: 256 * KIB, perSecond: 4 * KIB } },
  director_note_cue: { messages: { atOnce: 50, perSecond: 10 } },
  /** A turn has at most ten calls. */
  tool_result: { messages: { atOnce: 50, perSecond: 10 }, bytes: { atOnce: 1024 * KIB, perSecond: 16 * KIB } },
  persona_config: { messages: { atOnce: 20, perSecond: 2 }, bytes: { atOnce: 256 * KIB, perSecond: 4 * KIB } },
  /** People come and go one by one, at the beginning many at once. 200 people of long names are 90 KiB. */
  meeting_participants: { messages: { atOnce: 50, perSecond: 5 }, bytes: { atOnce: 1024 * KIB, perSecond: 32 * KIB } },
  /** Somebody begins or stops: at most some three times a second each, of ten who talk at the same time. */
  meeting_speaking: { messages: { atOnce: 200, perSecond: 30 } },
  /** Clients pass on their LLM's tokens one by one: about 200 a second, spoken at 4 a second. */
  talkstream: { messages: { atOnce: 5_000, perSecond: 500 }, bytes: { atOnce: 256 * KIB, perSecond: 16 * KIB } },
  /** `POST /talk`. */
  talk: { messages: { atOnce: 60, perSecond: 10 }, bytes: { atOnce: 256 * KIB, perSecond: 16 * KIB } },
  /** A client in trouble makes three offers in ten seconds. Each answer costs work. */
  offer: { messages: { atOnce: 10, perSecond: 1 }, bytes: { atOnce: 512 * KIB, perSecond: 32 * KIB } },
  icecandidate: { messages: { atOnce: 200, perSecond: 20 } },
  agentaudioinputend: { messages: { atOnce: 50, perSecond: 10 } },
} as const satisfies Readonly<Record<string, Allowances>>;

export type InboundKind = keyof typeof ALLOWANCES;

export interface FloodControl {
  /** Counts a message. @returns whether the session accepts it; otherwise it is dropped. */
  admits(kind: InboundKind, bytes: number): boolean;
  /** The session is over: the log gets a summary of what was dropped. */
  close(): void;
}

/** Drops what a client sends above its limit, so that a flood harms nobody else. The session continues. */
export function createFloodControl(options: {
  sessionId: string;
  now: () => number;
  log: Logger;
  warn: (text: string) => void;
}): FloodControl {
  const { sessionId, now, log, warn } = options;
  const buckets = new Map<InboundKind, { messages: TokenBucket; bytes: TokenBucket | null }>();
  const dropped: Partial<Record<InboundKind, number>> = {};

  function bucketsOf(kind: InboundKind) {
    const known = buckets.get(kind);
    if (known !== undefined) return known;
    const { messages, bytes }: Allowances = ALLOWANCES[kind];
    const fresh = {
      messages: new TokenBucket(messages, now()),
      bytes: bytes === undefined ? null : new TokenBucket(bytes, now()),
    };
    buckets.set(kind, fresh);
    return fresh;
  }

  function drop(kind: InboundKind): void {
    const before = dropped[kind];
    dropped[kind] = (before ?? 0) + 1;
    if (before !== undefined) return;
    log.warn({ sessionId, kind }, 'a client sends too much: what is over the limit is dropped');
    warn(`Too many messages (${kind}): some are ignored.`);
  }

  return {
    admits(kind, bytes) {
      const { messages, bytes: volume } = bucketsOf(kind);
      const at = now();
      if (!messages.has(1, at) || volume?.has(bytes, at) === false) {
        drop(kind);
        return false;
      }
      messages.spend(1, at);
      volume?.spend(bytes, at);
      return true;
    },
    close() {
      if (Object.keys(dropped).length > 0) log.info({ sessionId, dropped }, 'messages of a client were dropped');
    },
  };
}
