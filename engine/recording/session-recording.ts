import { statSync } from 'node:fs';
import { AAC_FRAME_SAMPLES, AacEncoder } from './aac-encoder.ts';
import { Mp4File } from './mp4-file.ts';
import type { WrittenRecording } from './messages.ts';
import { durationOnceCut } from './unfinished.ts';
import { MIX_DELAY_MS, VoiceMix, type Speaker } from './voice-mix.ts';
import { Vp8ToH264, type RecordedFrame } from './vp8-to-h264.ts';

interface Running {
  readonly file: Mp4File;
  readonly audio: AacEncoder;
  readonly mix: VoiceMix;
  readonly startedAt: number;
}

/**
 * One session's recording: every frame of the persona at the time at which it was sent, and both voices mixed. It
 * begins with the first keyframe; sound from before it is left out.
 */
export class SessionRecording {
  readonly #where: { readonly path: string; readonly width: number; readonly height: number };
  #running: Running | null = null;
  #converter: Vp8ToH264 | null = null;
  #lastFrameMs = -1;

  constructor(where: { path: string; width: number; height: number }) {
    this.#where = where;
  }

  /** @param at engine time. @throws RecordingError when it cannot be written. */
  frame(data: Uint8Array, keyframe: boolean, codec: 'h264' | 'vp8', at: number): void {
    if (this.#running === null && !keyframe) return;
    const frame = codec === 'h264' ? { data, keyframe } : this.#convert(data, keyframe);
    if (frame === null) return;
    this.#running ??= this.#start(frame, at);
    const atMs = at - this.#running.startedAt;
    if (atMs <= this.#lastFrameMs) return;
    this.#lastFrameMs = atMs;
    this.#running.file.video(frame.data, frame.keyframe, atMs);
    this.#audioUntil(this.#running, at);
  }

  /** @param pcm 48 kHz mono. @param at engine time of its first sample. */
  audio(speaker: Speaker, pcm: Int16Array, at: number): void {
    this.#running?.mix.add(speaker, pcm, at);
  }

  /** @returns null when nothing was recorded. @throws RecordingError */
  close(): WrittenRecording | null {
    this.#converter?.close();
    this.#converter = null;
    const running = this.#running;
    if (running === null) return null;
    this.#running = null;
    try {
      this.#audioUntil(running, running.startedAt + this.#lastFrameMs + MIX_DELAY_MS);
      this.#write(running, running.audio.encode(null));
      running.file.close();
    } finally {
      running.audio.close();
    }
    return { durationMs: this.#lastFrameMs, bytes: statSync(this.#where.path).size };
  }

  /** @returns the playable part of a recording that ended before it was finished. */
  written(): WrittenRecording | null {
    const durationMs = durationOnceCut(this.#where.path);
    return durationMs === null || durationMs <= 0 ? null : { durationMs, bytes: statSync(this.#where.path).size };
  }

  #convert(data: Uint8Array, keyframe: boolean): RecordedFrame | null {
    this.#converter ??= new Vp8ToH264(this.#where.width, this.#where.height);
    return this.#converter.convert(data, keyframe);
  }

  #start(frame: RecordedFrame, at: number): Running {
    const audio = new AacEncoder();
    return {
      file: new Mp4File(this.#where.path, { ...this.#where, firstFrame: frame.data }, audio),
      audio,
      mix: new VoiceMix(at),
      startedAt: at,
    };
  }

  #audioUntil(running: Running, at: number): void {
    for (
      let samples = running.mix.take(AAC_FRAME_SAMPLES, at);
      samples !== null;
      samples = running.mix.take(AAC_FRAME_SAMPLES, at)
    ) {
      this.#write(running, running.audio.encode(samples));
    }
  }

  /**
   * The first packet only prepares the decoder and lies before the beginning. If it were kept, everything else would
   * shift.
   */
  #write({ file }: Running, packets: readonly { data: Uint8Array; position: number }[]): void {
    for (const { data, position } of packets) if (position >= 0) file.audio(data, position);
  }
}
