import type { ScriptSentence } from './script-sentences.ts';
import type { SpokenChunk } from '../audio-out/tts/collect-speech.ts';

/** Frames between two looks at the messages: about 20 ms, so that canceling is immediate. */
export const FRAMES_PER_TURN = 8;

/** What the main thread and the thread that makes one video tell each other. */

export interface VideoWorkerData {
  readonly path: string;
  /** A prepared avatar; shared, not copied. */
  readonly prepared: SharedArrayBuffer;
  readonly disclosure: string | null;
  readonly baselineStyle: string | null;
  readonly expressivity: number;
  readonly seed: number;
  readonly threads: number;
}

export type ToVideoWorker =
  /** @param share of the script that is spoken when this sentence is over, 0…1. */
  | {
      readonly type: 'sentence';
      readonly sentence: Pick<ScriptSentence, 'pauseMs' | 'cues'>;
      readonly chunks: readonly SpokenChunk[];
      readonly share: number;
    }
  | { readonly type: 'complete' }
  | { readonly type: 'cancel' };

export type FromVideoWorker =
  /** One more sentence can be taken. */
  | { readonly type: 'hungry' }
  | { readonly type: 'progress'; readonly share: number }
  | { readonly type: 'finished'; readonly durationMs: number; readonly bytes: number }
  | { readonly type: 'failed'; readonly message: string };
