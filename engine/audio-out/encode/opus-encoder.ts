import { CodecContext, Codec, Frame, Log, Packet, Rational } from 'node-av/lib';
import {
  AV_CHANNEL_LAYOUT_MONO,
  AV_LOG_QUIET,
  AV_OPT_SEARCH_CHILDREN,
  AV_OPT_TYPE_STRING,
  AV_SAMPLE_FMT_S16,
  FF_ENCODER_LIBOPUS,
} from 'node-av/constants';
import { FRAME_SAMPLES, SAMPLE_RATE } from '../../media/audio-format.ts';
import type { FecMode } from './fec-control.ts';

/** Speech at full band needs no more; the voice of a phone call has 8 to 16 kbit/s. */
const BIT_RATE = 32_000n;

const COMMON = { frame_duration: '20', vbr: 'on' };

/**
 * `plain` is Opus' transform coder alone: 0.04 ms for 20 ms of speech, at 46 kbit/s. `protected` is its speech coder,
 * which can put a copy of the previous frame into each packet: 0.16 ms (bench/audio-out), 34 kbit/s. Measured band by
 * band against what masks it, its noise is 4 to 5 dB louder than that of `plain` (the voices `slt` and `rms`).
 */
const SETTINGS = {
  plain: { ...COMMON, application: 'lowdelay', compression_level: '5' },
  protected: {
    ...COMMON,
    application: 'voip',
    // In-band copies of the previous frame, sized for this loss in percent.
    fec: '1',
    packet_loss: '10',
    // 5 of 10: half the time of the best, with no audible difference for speech.
    compression_level: '5',
  },
} as const satisfies Record<FecMode, Readonly<Record<string, string>>>;

/**
 * One stream's Opus encoder. At most 0.2 ms for 20 ms of sound, so it may run on the thread of the pacer. Only
 * synchronous calls of node-av are used: an asynchronous call in progress at the end of a thread ends the process.
 */
export class OpusEncoder {
  readonly #context = new CodecContext();
  readonly #frame = new Frame();
  readonly #packet = new Packet();
  #samples = 0n;
  readonly fec: FecMode;
  #life: 'open' | 'closed' = 'open';

  /** @throws when this build of FFmpeg lacks libopus. */
  constructor(fec: FecMode = 'plain') {
    this.fec = fec;
    Log.setLevel(AV_LOG_QUIET);
    const codec = Codec.findEncoderByName(FF_ENCODER_LIBOPUS);
    if (codec === null) throw new Error('This build of FFmpeg has no libopus encoder.');
    this.#context.allocContext3(codec);
    this.#context.sampleRate = SAMPLE_RATE;
    this.#context.channelLayout = AV_CHANNEL_LAYOUT_MONO;
    this.#context.sampleFormat = AV_SAMPLE_FMT_S16;
    this.#context.bitRate = BIT_RATE;
    this.#context.timeBase = new Rational(1, SAMPLE_RATE);
    // Options are set one by one: a Dictionary given to `open2Sync` is freed twice, the second time when it is
    // collected (node-av 6.1.1).
    for (const [name, value] of Object.entries(SETTINGS[fec])) {
      const set = this.#context.setOption(name, value, AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN);
      if (set < 0) throw new Error(`libopus does not know ${name} (${set}).`);
    }
    const opened = this.#context.open2Sync(codec, null);
    if (opened < 0) throw new Error(`libopus did not open (${opened}).`);
    this.#frame.alloc();
    this.#frame.format = AV_SAMPLE_FMT_S16;
    this.#frame.sampleRate = SAMPLE_RATE;
    this.#frame.channelLayout = AV_CHANNEL_LAYOUT_MONO;
    this.#frame.nbSamples = FRAME_SAMPLES;
    // Memory that FFmpeg owns: a wrapped JavaScript buffer could be collected while the encoder reads it.
    const allocated = this.#frame.getBuffer(0);
    if (allocated < 0) throw new Error(`No memory for an audio frame (${allocated}).`);
    this.#packet.alloc();
  }

  /** @param pcm 960 samples. @returns the packet; the caller owns the memory. @throws when closed or libopus fails. */
  encode(pcm: Int16Array): Uint8Array {
    if (this.#life === 'closed') throw new Error('The Opus encoder is closed.');
    const plane = this.#frame.data?.[0];
    if (plane === undefined) throw new Error('The audio frame lost its memory.');
    plane.set(new Uint8Array(pcm.buffer, pcm.byteOffset, FRAME_SAMPLES * 2));
    this.#frame.pts = this.#samples;
    this.#samples += BigInt(FRAME_SAMPLES);
    const sent = this.#context.sendFrameSync(this.#frame);
    if (sent < 0) throw new Error(`libopus took no frame (${sent}).`);
    const received = this.#context.receivePacketSync(this.#packet);
    const data = this.#packet.data;
    if (received < 0 || !data) throw new Error(`libopus gave no packet (${received}).`);
    const copy = Uint8Array.from(data);
    this.#packet.unref();
    return copy;
  }

  close(): void {
    if (this.#life === 'closed') return;
    this.#life = 'closed';
    this.#packet.free();
    this.#frame.free();
    this.#context.freeContext();
  }
}
