import { CodecContext, Codec, Frame, Log, Packet } from 'node-av/lib';
import { AV_CHANNEL_LAYOUT_MONO, AV_LOG_QUIET, FF_DECODER_LIBOPUS } from 'node-av/constants';
import { SAMPLE_RATE } from '../../media/audio-format.ts';

/** Longest packet that the format allows: 120 ms. */
const MAX_PACKET_SAMPLES = 5_760;
/** Of a packet's first byte: how many frames the packet has; 0 means one. */
const FRAME_COUNT_BITS = 3;

/**
 * One stream's Opus decoder: stereo is mixed down to mono. Only the synchronous calls of node-av are used, because a
 * worker that ends during an asynchronous call ends the process.
 */
export class OpusDecoder {
  readonly #context: CodecContext;
  readonly #packet: Packet;
  readonly #frame: Frame;
  #life: 'open' | 'closed' = 'open';
  /**
   * The first byte of a packet with one frame that is coded like the last decoded packet; null before the first packet.
   */
  #frameHeader: number | null = null;

  /** @throws when this build of FFmpeg lacks libopus. */
  constructor() {
    // A broken packet gives silence here. FFmpeg would print an error to standard error.
    Log.setLevel(AV_LOG_QUIET);
    const codec = Codec.findDecoderByName(FF_DECODER_LIBOPUS);
    if (codec === null) throw new Error('This build of FFmpeg has no libopus decoder.');
    this.#context = new CodecContext();
    this.#context.allocContext3(codec);
    this.#context.sampleRate = SAMPLE_RATE;
    this.#context.channelLayout = AV_CHANNEL_LAYOUT_MONO;
    const opened = this.#context.open2Sync(codec, null);
    if (opened < 0) throw new Error(`libopus did not open (${opened}).`);
    this.#packet = new Packet();
    this.#packet.alloc();
    this.#frame = new Frame();
    this.#frame.alloc();
  }

  /** @returns the packet's sound, 48 kHz mono, or null when it is not Opus. */
  decode(payload: Uint8Array): Int16Array | null {
    const pcm = this.#decodePacket(payload);
    if (pcm !== null) this.#frameHeader = (payload[0] as number) & ~FRAME_COUNT_BITS;
    return pcm;
  }

  /**
   * The sound that libopus makes for a lost frame from the frames before (packet loss concealment). FFmpeg has no call
   * for it. But a packet without a frame means a frame that was not sent or was lost (RFC 6716, section 3.2.1), and
   * libopus fills it.
   * @returns the sound of one frame, 48 kHz mono, as long as the frames of the last packet; null before the first
   * packet.
   */
  concealFrame(): Int16Array | null {
    return this.#frameHeader === null ? null : this.#decodePacket(Uint8Array.of(this.#frameHeader));
  }

  #decodePacket(payload: Uint8Array): Int16Array | null {
    if (this.#life === 'closed' || payload.length === 0) return null;
    this.#packet.data = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
    const sent = this.#context.sendPacketSync(this.#packet);
    this.#packet.unref();
    if (sent < 0) return null;
    const received = this.#context.receiveFrameSync(this.#frame);
    if (received < 0) return null;
    const pcm = copySamples(this.#frame);
    this.#frame.unref();
    return pcm;
  }

  close(): void {
    if (this.#life === 'closed') return;
    this.#life = 'closed';
    this.#packet.free();
    this.#frame.free();
    this.#context.freeContext();
  }
}

/** The frame's memory belongs to the decoder: the next packet overwrites it. */
function copySamples(frame: Frame): Int16Array | null {
  const plane = frame.data?.[0];
  const count = frame.nbSamples;
  if (plane === undefined || count <= 0 || count > MAX_PACKET_SAMPLES) return null;
  const pcm = new Int16Array(count);
  Buffer.from(pcm.buffer).set(plane.subarray(0, count * 2));
  return pcm;
}

/**
 * How many samples at 48 kHz a packet has, by its first byte and frame count (RFC 6716, section 3.1), without decoding
 * it.
 */
export function opusPacketSamples(payload: Uint8Array): number {
  const toc = payload[0];
  if (toc === undefined) return 0;
  const samples = frameSamples(toc >> 3) * frameCount(toc & 3, payload[1]);
  return samples <= MAX_PACKET_SAMPLES ? samples : 0;
}

function frameSamples(configuration: number): number {
  // SILK: 10, 20, 40, 60 ms. Hybrid: 10, 20 ms. CELT: 2.5, 5, 10, 20 ms.
  if (configuration < 12) return [480, 960, 1_920, 2_880][configuration & 3] as number;
  if (configuration < 16) return [480, 960][configuration & 1] as number;
  return [120, 240, 480, 960][configuration & 3] as number;
}

function frameCount(code: number, second: number | undefined): number {
  if (code === 0) return 1;
  if (code < 3) return 2;
  return (second ?? 0) & 63;
}
