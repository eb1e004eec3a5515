/** Messages between the bench, which plays the clients, and the measured process. */
export type Codec = 'h264' | 'vp8';

export interface ProcessSetup {
  readonly width: number;
  readonly height: number;
  readonly avatarCache: string;
  /** The other cores, for what is prepared once for an avatar. */
  readonly otherCores: readonly number[];
}

export type ToEngineProcess =
  | { readonly type: 'open'; readonly sessions: number; readonly talkative: boolean }
  /** Drop all measurements. */
  | { readonly type: 'measure' }
  | { readonly type: 'report' };

export type FromEngineProcess =
  | { readonly type: 'ready'; readonly url: string }
  | { readonly type: 'opened'; readonly sessionIds: readonly string[] }
  | { readonly type: 'report'; readonly report: Report };

export interface Report {
  readonly seconds: number;
  /** From the time of a frame to its first packet, ms. Null: no frame was sent. */
  readonly latenessP50: number | null;
  readonly latenessP99: number | null;
  readonly frames: number;
  /** Frames that were left out because the thread was more than one frame late. */
  readonly skipped: number;
  /** Sessions that are drawn now. The others are shown from idle loops. */
  readonly live: number;
  readonly sessions: number;
  /** CPU time, ms a second, by thread, without the thread that prepares avatars. */
  readonly threads: readonly (readonly [string, number])[];
  readonly eventLoopP99: number;
}
