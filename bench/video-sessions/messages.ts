/** Between the bench, which plays the clients, and the process under test. */
export type Codec = 'h264' | 'vp8';

export interface ProcessSetup {
  readonly width: number;
  readonly height: number;
  readonly avatarCache: string;
  /** Cores that the process is not pinned to: what is made once per avatar is made there. */
  readonly otherCores: readonly number[];
}

export type ToEngineProcess =
  | { readonly type: 'open'; readonly sessions: number; readonly talkative: boolean }
  /** Forget what was measured so far. */
  | { readonly type: 'measure' }
  | { readonly type: 'report' };

export type FromEngineProcess =
  | { readonly type: 'ready'; readonly url: string }
  | { readonly type: 'opened'; readonly sessionIds: readonly string[] }
  | { readonly type: 'report'; readonly report: Report };

export interface Report {
  readonly seconds: number;
  /** From the time of a frame to its first packet's way out, ms; null: not one frame went out. */
  readonly latenessP50: number | null;
  readonly latenessP99: number | null;
  readonly frames: number;
  /** Frames that were left out because the thread was more than one behind. */
  readonly skipped: number;
  /** Sessions that are drawn now; the others are shown from idle loops. */
  readonly live: number;
  readonly sessions: number;
  /** CPU ms per second, by thread; without the one that prepares avatars. */
  readonly threads: readonly (readonly [string, number])[];
  readonly eventLoopP99: number;
}
