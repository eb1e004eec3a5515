import type { MouthTrack, SpeechAudio } from '../../ports.ts';
import type { Mood } from '../animation/expression.ts';
import type { MotionPrecision, VideoCodec } from '../encode/video-encoder.ts';
import type { LoopLook } from '../prepare/idle-loop.ts';
import type { LoopName, PackedLoop } from '../prepare/loop-files.ts';
import type { Need } from '../prepare/urgency.ts';
import type { PreparedMemory } from '../rendering/prepared-memory.ts';
import type { LoadShedding } from './load-shedding.ts';

/** The messages between the main thread and the video workers. Plain data; large things are shared or transferred. */

export interface StreamLook {
  readonly sessionId: string;
  readonly engineKey: string;
  readonly width: number;
  readonly height: number;
  readonly disclosure: string | null;
  readonly baselineStyle: string | null;
  readonly expressivity: number;
  readonly bitsPerSecond: number;
}

export type ToLiveWorker =
  | {
      readonly type: 'avatar';
      readonly engineKey: string;
      readonly width: number;
      readonly height: number;
      readonly prepared: PreparedMemory;
    }
  | { readonly type: 'forget-avatar'; readonly engineKey: string; readonly width: number; readonly height: number }
  | { readonly type: 'loop'; readonly key: string; readonly loop: PackedLoop }
  | { readonly type: 'forget-loops'; readonly key: string }
  | { readonly type: 'open'; readonly stream: number; readonly look: StreamLook; readonly codec: VideoCodec }
  | { readonly type: 'show'; readonly stream: number; readonly mood: Mood }
  | { readonly type: 'cue'; readonly stream: number; readonly tag: string | null }
  | { readonly type: 'mouth'; readonly stream: number; readonly track: MouthTrack }
  | { readonly type: 'mouth-stopped'; readonly stream: number; readonly at: number }
  | { readonly type: 'hear'; readonly stream: number; readonly audio: SpeechAudio }
  | { readonly type: 'keyframe'; readonly stream: number }
  | { readonly type: 'bitrate'; readonly stream: number; readonly bitsPerSecond: number }
  | { readonly type: 'close'; readonly stream: number }
  /** For all streams. */
  | { readonly type: 'load-shedding'; readonly shedding: LoadShedding }
  | { readonly type: 'motion-precision'; readonly motionPrecision: MotionPrecision }
  | { readonly type: 'stop' };

/** One frame inside a batch: bytes `start`…`end` of its data. */
export interface BatchedFrame {
  readonly stream: number;
  readonly start: number;
  readonly end: number;
  readonly keyframe: boolean;
  readonly at: number;
}

export interface WorkerStats {
  readonly sessions: number;
  /** Sessions that are currently drawn and encoded. The others are shown from loops. */
  readonly live: number;
  /** Since the worker started. */
  readonly frames: number;
  /** Frames that were left out because the worker was more than one frame late. */
  readonly skipped: number;
  /** From a frame's due time to the moment it was handed over, ms, over the last 2,000 or so. */
  readonly latenessP50Ms: number;
  readonly latenessP99Ms: number;
  /** The same of the frames since the report before. */
  readonly latelyP99Ms: number;
  /** CPU-bound time per frame that was drawn and encoded, ms, mean of the same window. */
  readonly liveFrameMs: number;
}

export type FromLiveWorker =
  | { readonly type: 'frames'; readonly data: ArrayBuffer; readonly frames: readonly BatchedFrame[] }
  | { readonly type: 'failed'; readonly stream: number; readonly message: string }
  | { readonly type: 'lip-sync-failed'; readonly message: string }
  | { readonly type: 'stats'; readonly stats: WorkerStats };

export type ToPrepareWorker =
  | {
      readonly type: 'prepare';
      readonly job: number;
      readonly engineKey: string;
      readonly width: number;
      readonly height: number;
      /** What a worker that has died had drawn of it; null: nothing. */
      readonly begun: SharedArrayBuffer | null;
      readonly need: Need;
    }
  /** One more caller wants the job. */
  | { readonly type: 'need'; readonly job: number; readonly need: Need }
  | {
      readonly type: 'poster';
      readonly job: number;
      readonly engineKey: string;
      readonly width: number;
      readonly height: number;
    }
  /** Which of these are not on the disk? */
  | {
      readonly type: 'undrawn';
      readonly job: number;
      readonly engineKeys: readonly string[];
      readonly width: number;
      readonly height: number;
    }
  | { readonly type: 'loops'; readonly look: LoopLook }
  | { readonly type: 'drop-loops'; readonly key: string }
  | { readonly type: 'stop' };

export type FromPrepareWorker =
  /** The avatar can be shown. Drawing continues in the same memory. */
  | { readonly type: 'begun'; readonly job: number; readonly prepared: SharedArrayBuffer }
  /** The avatar is complete. */
  | {
      readonly type: 'prepared';
      readonly job: number;
      /** Drawn just now, or the path of the file in which it is. */
      readonly prepared: SharedArrayBuffer | string;
      readonly tookMs: number;
    }
  | { readonly type: 'poster'; readonly job: number; readonly jpeg: Uint8Array }
  | { readonly type: 'undrawn'; readonly job: number; readonly engineKeys: readonly string[] }
  | { readonly type: 'job-failed'; readonly job: number; readonly message: string }
  /** A step of some work is done. Sent at most once a second. */
  | { readonly type: 'stepped' }
  | { readonly type: 'loop'; readonly key: string; readonly name: LoopName; readonly loop: PackedLoop }
  | { readonly type: 'loops-failed'; readonly key: string; readonly message: string };
