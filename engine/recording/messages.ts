import type { Speaker } from './voice-mix.ts';

/** The messages between the main thread and the recording worker. Audio and video are transferred, not copied. */
export type ToRecorder =
  | {
      readonly type: 'open';
      readonly id: number;
      readonly path: string;
      readonly width: number;
      readonly height: number;
    }
  | {
      readonly type: 'frame';
      readonly id: number;
      readonly data: Uint8Array;
      readonly keyframe: boolean;
      readonly codec: 'h264' | 'vp8';
      readonly at: number;
    }
  | {
      readonly type: 'audio';
      readonly id: number;
      readonly speaker: Speaker;
      readonly pcm: Int16Array;
      readonly at: number;
    }
  | { readonly type: 'close'; readonly id: number }
  | { readonly type: 'shutdown' };

export interface WrittenRecording {
  readonly durationMs: number;
  readonly bytes: number;
}

export type FromRecorder =
  | { readonly type: 'finished'; readonly id: number; readonly durationMs: number; readonly bytes: number }
  /** Nothing could be recorded. */
  | { readonly type: 'empty'; readonly id: number }
  /** The recording stops here. `written`: the part that can be played, if any. */
  | {
      readonly type: 'failed';
      readonly id: number;
      readonly message: string;
      readonly written: WrittenRecording | null;
    };
