import type { SessionEvent } from '../../../actors/events.ts';
import type { EncodedVideoFrame } from '../../media/media-types.ts';
import type { FaceStream, MediaConnection } from '../../ports.ts';
import type { RecordingStream } from '../../recording/index.ts';
import { PreConnectFrames } from './pre-connect-frames.ts';
import { LateVideoFrames } from './late-video-frames.ts';

type Codec = 'h264' | 'vp8';

export interface VideoFlowParts {
  readonly send: MediaConnection['sendVideo'];
  readonly face: () => Pick<FaceStream, 'start' | 'setCodec' | 'keyframe'>;
  readonly recording: Pick<RecordingStream, 'frame'> | undefined;
  readonly dispatch: (event: SessionEvent) => void;
  /** Whether the client saw or heard the persona before, in another process. */
  readonly media: 'had begun' | 'never began';
  /** Engine time. */
  readonly now: () => number;
}

/** The encoded frames of a session, from its face to its client: which are sent and recorded, and when media begin. */
export class VideoFlow {
  readonly #parts: VideoFlowParts;
  readonly #early = new PreConnectFrames();
  readonly #late = new LateVideoFrames();
  #client: 'waiting' | 'connected' | 'sees frames' = 'waiting';
  #media: VideoFlowParts['media'];
  /** Null: the client takes no picture, or has made no offer yet. */
  #codec: Codec | null = null;

  constructor(parts: VideoFlowParts) {
    this.#parts = parts;
    this.#media = parts.media;
  }

  /** An offer was answered. @param codec null: it takes no picture. */
  answered(codec: Codec | null): void {
    if (codec === null || codec === this.#codec) return;
    if (this.#codec === null) this.#parts.face().start(codec);
    else this.#parts.face().setCodec(codec);
    this.#codec = codec;
  }

  /** @param announce called when the frames that were encoded meanwhile are sent. */
  connected(announce: () => void): void {
    const early = this.#client === 'waiting' ? this.#early.take(this.#parts.now()) : [];
    if (this.#client === 'waiting') this.#client = 'connected';
    for (const frame of early) this.#parts.send(frame);
    announce();
    for (const frame of early) this.#flow(frame, 'send');
    // It takes no picture, and waits for nothing more.
    if (this.#codec === null) this.#begin();
  }

  /** A frame was encoded. */
  frame(frame: EncodedVideoFrame): void {
    const verdict = this.#late.judge(frame, this.#parts.now());
    if (verdict === 'ask') this.#parts.face().keyframe();
    if (this.#client === 'waiting') return verdict === 'send' ? this.#early.add(frame) : this.#early.clear();
    if (verdict === 'send') this.#parts.send(frame);
    this.#flow(frame, verdict);
  }

  /** A frame was encoded for a client that is connected. */
  #flow(frame: EncodedVideoFrame, verdict: ReturnType<LateVideoFrames['judge']>): void {
    if (this.#codec !== null) this.#parts.recording?.frame(frame, this.#codec);
    // The transport lets nothing pass before the client's first keyframe.
    if (this.#client !== 'connected' || verdict !== 'send' || !frame.keyframe) return;
    this.#client = 'sees frames';
    this.#begin();
  }

  #begin(): void {
    if (this.#media === 'had begun') return;
    this.#media = 'had begun';
    this.#parts.dispatch({ type: 'media.started' });
  }
}
