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

/** One session's face, as the main thread sees it. It remembers all requests, so that it can repeat them. */
/** @param hears whether sound moves the faces: otherwise sound is not passed on. */
export function createFaceStream(
  host: StreamHost,
  look: StreamLook,
  handlers: FaceHandlers,
  hears = false,
): PooledStream {
  /** Null before `start` and after `close`. */
  let place: { readonly stream: number; readonly codec: VideoCodec } | null = null;
  let mood: Mood = 'idle';
  let tag: string | null = null;
  let bitsPerSecond: number | null = null;
  let tracks: readonly MouthTrack[] = [];

  function open(codec: VideoCodec): void {
    if (place !== null) host.close(place.stream);
    const stream = host.open(self, codec);
    place = { stream, codec };
    host.send(stream, { type: 'show', stream, mood });
    if (tag !== null) host.send(stream, { type: 'cue', stream, tag });
    if (bitsPerSecond !== null) host.send(stream, { type: 'bitrate', stream, bitsPerSecond });
    for (const track of tracks) host.send(stream, { type: 'mouth', stream, track });
  }

  function tell(message: (stream: number) => ToLiveWorker): void {
    if (place !== null) host.send(place.stream, message(place.stream));
  }

  const self: PooledStream = {
    look,
    handlers,
    start(codec) {
      if (place === null) open(codec);
    },
    setCodec(codec) {
      if (place !== null && place.codec !== codec) open(codec);
    },
    show(next) {
      mood = next;
      tell((stream) => ({ type: 'show', stream, mood }));
    },
    cue(next) {
      tag = next;
      tell((stream) => ({ type: 'cue', stream, tag }));
    },
    mouth(track) {
      tracks = [...tracks, track].slice(-KEPT_TRACKS);
      tell((stream) => ({ type: 'mouth', stream, track }));
    },
    mouthStopped(at) {
      tracks = [];
      tell((stream) => ({ type: 'mouth-stopped', stream, at }));
    },
    ...(hears && { hear: (audio: SpeechAudio) => tell((stream) => ({ type: 'hear', stream, audio })) }),
    keyframe() {
      tell((stream) => ({ type: 'keyframe', stream }));
    },
    setBitrate(next) {
      bitsPerSecond = next;
      tell((stream) => ({ type: 'bitrate', stream, bitsPerSecond: next }));
    },
    close() {
      if (place !== null) host.close(place.stream);
      place = null;
    },
    revive() {
      if (place === null) return;
      const { codec } = place;
      place = null;
      open(codec);
    },
  };
  return self;
}
