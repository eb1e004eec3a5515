import { FormatContext, Packet, Rational, type Stream } from 'node-av/lib';
import {
  AVFMT_FLAG_FLUSH_PACKETS,
  AVMEDIA_TYPE_VIDEO,
  AV_CODEC_ID_H264,
  AV_OPT_SEARCH_CHILDREN,
  AV_OPT_TYPE_STRING,
  AV_PIX_FMT_YUV420P,
} from 'node-av/constants';
import { SAMPLE_RATE } from '../media/audio-format.ts';
import type { AacEncoder } from './aac-encoder.ts';
import { parameterSets } from './parameter-sets.ts';

/** RTP's clock for video; any rate would work. */
const VIDEO_CLOCK = 90_000;
/**
 * One fragment a second: the file of a killed process can be played up to its last whole second (measured: 300 of 310
 * frames). `empty_moov` puts everything that a player needs at the beginning.
 */
const FRAGMENT_US = '1000000';
/**
 * How the file is laid out. `fragments`: playable however the process ends. `whole`: one index, moved to the front at
 * the end, so that players know the length at once and browsers begin before they have everything. It is useless until
 * it is closed.
 */
export type Mp4Layout = 'fragments' | 'whole';
const LAYOUT_OPTIONS: Readonly<Record<Mp4Layout, Readonly<Record<string, string>>>> = {
  fragments: { movflags: 'empty_moov+default_base_moof+frag_keyframe', frag_duration: FRAGMENT_US },
  whole: { movflags: 'faststart' },
};

/** Probably a full disk. The message is FFmpeg's error number. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
}

function check(what: string, result: number): void {
  if (result < 0) throw new RecordingError(`${what} failed (${result})`);
}

/**
 * An MP4 that is written as its content arrives. Synchronous calls only: an asynchronous call in progress at the end of
 * a thread would end the process.
 */
export class Mp4File {
  readonly #context = new FormatContext();
  readonly #packet = new Packet();
  readonly #video: Stream;
  /** Null in a video without sound. */
  readonly #audio: Stream | null;
  #life: 'open' | 'closed' = 'open';

  /** @param firstFrame an H.264 keyframe with its parameter sets. @throws RecordingError */
  constructor(
    path: string,
    frame: { width: number; height: number; firstFrame: Uint8Array },
    audio: AacEncoder | null,
    layout: Mp4Layout = 'fragments',
  ) {
    check('the container', this.#context.allocOutputContext2(null, 'mp4', path));
    this.#video = this.#context.newStream();
    this.#video.timeBase = new Rational(1, VIDEO_CLOCK);
    const parameters = this.#video.codecpar;
    parameters.codecType = AVMEDIA_TYPE_VIDEO;
    parameters.codecId = AV_CODEC_ID_H264;
    parameters.width = frame.width;
    parameters.height = frame.height;
    parameters.format = AV_PIX_FMT_YUV420P;
    parameters.extradata = parameterSets(frame.firstFrame);
    this.#audio = audio === null ? null : this.#context.newStream();
    if (this.#audio !== null) {
      this.#audio.timeBase = new Rational(1, SAMPLE_RATE);
      audio?.describe(this.#audio.codecpar);
    }
    if (layout === 'fragments') this.#context.setFlags(AVFMT_FLAG_FLUSH_PACKETS);
    for (const [name, value] of Object.entries(LAYOUT_OPTIONS[layout])) {
      check(name, this.#context.setOption(name, value, AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN));
    }
    check('opening the file', this.#context.openOutputSync());
    check('the header', this.#context.writeHeaderSync());
    this.#packet.alloc();
  }

  /**
   * @param atMs when it is shown, from the beginning of the recording. @param decodedAtMs must rise; differs when
   * frames are not decoded in the order in which they are shown. @param durationMs 0: until the next one.
   */
  video(data: Uint8Array, keyframe: boolean, atMs: number, decodedAtMs = atMs, durationMs = 0): void {
    const ticks = (ms: number) => BigInt(Math.round(ms * (VIDEO_CLOCK / 1000)));
    this.#write(
      this.#video,
      data,
      keyframe,
      { pts: ticks(atMs), dts: ticks(decodedAtMs), duration: ticks(durationMs) },
      VIDEO_CLOCK,
    );
  }

  /**
   * Does nothing in a video without sound. @param position of the first sample of this AAC packet, from the beginning
   * of the recording.
   */
  audio(data: Uint8Array, position: number): void {
    if (this.#audio !== null)
      this.#write(this.#audio, data, true, { pts: BigInt(position), dts: BigInt(position), duration: 0n }, SAMPLE_RATE);
  }

  /** Completes the file. */
  close(): void {
    if (this.#life === 'closed') return;
    this.#life = 'closed';
    try {
      check('the end of the file', this.#context.writeTrailerSync());
    } finally {
      this.#packet.free();
      this.#context.closeOutputSync();
      this.#context.freeContext();
    }
  }

  #write(
    stream: Stream,
    data: Uint8Array,
    keyframe: boolean,
    { pts, dts, duration }: { pts: bigint; dts: bigint; duration: bigint },
    clock: number,
  ): void {
    const packet = this.#packet;
    packet.data = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    packet.pts = pts;
    packet.dts = dts;
    packet.duration = duration;
    packet.streamIndex = stream.index;
    packet.isKeyframe = keyframe;
    packet.rescaleTs(new Rational(1, clock), stream.timeBase);
    check('writing', this.#context.interleavedWriteFrameSync(packet));
    packet.unref();
  }
}
