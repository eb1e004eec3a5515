import type { FaceHandlers, FaceStream, MouthTrack, SpeechAudio } from '../ports.ts';
import type { Mood } from './animation/expression.ts';
import type { VideoCodec } from './encode/video-encoder.ts';
import type { StreamLook, ToLiveWorker } from './worker/protocol.ts';

/** What a stream needs of the pool: a place on a worker, by number. */
export interface StreamHost {
  /** Opens on the least busy worker, once the avatar is prepared. @returns the number under which frames come back. */
  open(stream: PooledStream, codec: VideoCodec): number;
  send(stream: number, message: ToLiveWorker): void;
  close(stream: number): void;
}

export interface PooledStream extends FaceStream {
  readonly look: StreamLook;
  readonly handlers: FaceHandlers;
  /** Opens again after its worker has died, and restores its state. */
  revive(): void;
}

/** How many mouth tracks are remembered for a reopening: more than are ever announced ahead. */
const KEPT_TRACKS = 16;

/**
 * One session's face, as the main thread sees it. It remembers all requests, so that it can repeat them.
 * @param hears whether sound moves the faces: otherwise sound is not passed on.
 */
export function createFaceStream(
  host: StreamHost,
  look: StreamLook,
  handlers: FaceHandlers,
  hears = false,
): PooledStream {
  return hears ? new HearingFaceStream(host, look, handlers) : new RememberedFaceStream(host, look, handlers);
}

class RememberedFaceStream implements PooledStream {
  readonly look: StreamLook;
  readonly handlers: FaceHandlers;
  readonly #host: StreamHost;
  /** Null before `start` and after `close`. */
  #place: { readonly stream: number; readonly codec: VideoCodec } | null = null;
  #mood: Mood = 'idle';
  #tag: string | null = null;
  #bitsPerSecond: number | null = null;
  #tracks: readonly MouthTrack[] = [];

  constructor(host: StreamHost, look: StreamLook, handlers: FaceHandlers) {
    this.#host = host;
    this.look = look;
    this.handlers = handlers;
  }

  start(codec: VideoCodec): void {
    if (this.#place === null) this.#open(codec);
  }

  setCodec(codec: VideoCodec): void {
    if (this.#place !== null && this.#place.codec !== codec) this.#open(codec);
  }

  show(mood: Mood): void {
    this.#mood = mood;
    this.tell((stream) => ({ type: 'show', stream, mood }));
  }

  cue(tag: string | null): void {
    this.#tag = tag;
    this.tell((stream) => ({ type: 'cue', stream, tag }));
  }

  mouth(track: MouthTrack): void {
    this.#tracks = [...this.#tracks, track].slice(-KEPT_TRACKS);
    this.tell((stream) => ({ type: 'mouth', stream, track }));
  }

  mouthStopped(at: number): void {
    this.#tracks = [];
    this.tell((stream) => ({ type: 'mouth-stopped', stream, at }));
  }

  keyframe(): void {
    this.tell((stream) => ({ type: 'keyframe', stream }));
  }

  setBitrate(bitsPerSecond: number): void {
    this.#bitsPerSecond = bitsPerSecond;
    this.tell((stream) => ({ type: 'bitrate', stream, bitsPerSecond }));
  }

  close(): void {
    if (this.#place !== null) this.#host.close(this.#place.stream);
    this.#place = null;
  }

  revive(): void {
    if (this.#place === null) return;
    const { codec } = this.#place;
    this.#place = null;
    this.#open(codec);
  }

  protected tell(message: (stream: number) => ToLiveWorker): void {
    if (this.#place !== null) this.#host.send(this.#place.stream, message(this.#place.stream));
  }

  #open(codec: VideoCodec): void {
    const host = this.#host;
    if (this.#place !== null) host.close(this.#place.stream);
    const stream = host.open(this, codec);
    this.#place = { stream, codec };
    host.send(stream, { type: 'show', stream, mood: this.#mood });
    if (this.#tag !== null) host.send(stream, { type: 'cue', stream, tag: this.#tag });
    if (this.#bitsPerSecond !== null)
      host.send(stream, { type: 'bitrate', stream, bitsPerSecond: this.#bitsPerSecond });
    for (const track of this.#tracks) host.send(stream, { type: 'mouth', stream, track });
  }
}

class HearingFaceStream extends RememberedFaceStream {
  hear(audio: SpeechAudio): void {
    this.tell((stream) => ({ type: 'hear', stream, audio }));
  }
}
