import type { AdmissionState } from '../../engine/capacity/index.ts';
import type { EventLoopDelay } from '../lib/event-loop.ts';
import type { FrameKind, Lateness } from '../lib/frame-lateness.ts';
import type { Memory } from '../lib/memory.ts';
import type { LoadShedding } from '../../engine/face/index.ts';
import type { Spread } from '../lib/statistics.ts';
import type { ThreadUse } from '../lib/thread-use.ts';

/** Messages between the bench, which plays the clients, and the measured process. */
export interface EngineSetup {
  /** Number of sessions at the same time. */
  readonly sessions: number;
  /** Largest number of answers of all sessions together. */
  readonly utterances: number;
  /** The sentence of all users. */
  readonly sentence: string;
  /** `auto`: as many as the service takes. @defaultValue all of `sessions` */
  readonly capacity?: 'auto';
  /** @defaultValue stand-in */
  readonly recognizer?: 'offline' | 'stand-in';
}

export type ToEngineProcess =
  /** Answer when nothing is drawn or encoded ahead any more. */
  | { readonly type: 'prepare' }
  | { readonly type: 'open'; readonly sessions: number }
  | { readonly type: 'stop'; readonly sessionIds: readonly string[] }
  /** Drop all measurements. */
  | { readonly type: 'measure' }
  | { readonly type: 'report' }
  /** Memory after garbage collections. */
  | { readonly type: 'settle' };

export type FromEngineProcess =
  | { readonly type: 'ready'; readonly url: string }
  | { readonly type: 'prepared'; readonly seconds: number }
  /** Fewer than were wanted, if some were refused. */
  | { readonly type: 'opened'; readonly sessionIds: readonly string[]; readonly state: AdmissionState }
  | { readonly type: 'stopped'; readonly answers: number }
  | { readonly type: 'report'; readonly report: Report }
  | {
      readonly type: 'settled';
      readonly memory: Memory;
      readonly live: number;
      /** Texts and how often, since the start. */ readonly warnings: readonly (readonly [string, number])[];
    };

/** Memory without a collection. */
export interface MemorySample extends Memory {
  /** Since `measure`. */
  readonly seconds: number;
}

export interface Report {
  readonly seconds: number;
  readonly frames: Readonly<Record<FrameKind, Lateness>>;
  /** Frames that the video threads left out because they were more than one frame late. */
  readonly skipped: number;
  /** Faces that are drawn now. The others are shown from loops. */
  readonly drawn: number;
  /** CPU-bound time of a drawn frame. */
  readonly drawnFrameMs: number;
  readonly samples: readonly MemorySample[];
  /** Growth from `measure` to now, both after a collection. */
  readonly growth: Memory;
  readonly threads: readonly ThreadUse[];
  readonly eventLoop: EventLoopDelay;
  /** From the first words of an answer to its first audio, ms, for all answers. */
  readonly firstAudio: Spread;
  /** What the server itself added to an answer, ms: without the silence, STT, the LLM and the voice. */
  readonly added: Spread;
  /** The least of each second. */
  readonly worst: { readonly promise: 'kept' | 'at risk'; readonly shedding: LoadShedding };
}
