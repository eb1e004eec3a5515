import { setTimeout as pause } from 'node:timers/promises';
import { engineNow } from '../../runtime/clock.ts';
import { OpusEncoder } from '../audio-out/encode/opus-encoder.ts';
import { FRAME_MS, FRAME_SAMPLES } from '../media/audio-format.ts';
import type { AudioPacket } from '../media/media-types.ts';
import { rootMeanSquare, roomNoise, type RoomNoise } from './room-noise.ts';

/** How loud the noise is before the user has said anything: that of a voice at a usual distance, of full scale. */
const USUAL_VOICE = 0.08 * 32_768;

/**
 * A microphone without a browser: it sends a packet every 20 ms, as a browser does, with what the user says and the noise of
 * the room. If the thread was busy, the packets that are due come together.
 */
export class Microphone {
  readonly #send: (packet: AudioPacket) => void;
  readonly #encoder = new OpusEncoder('protected');
  readonly #noise: Float32Array;
  /** Noise for a voice of power one. */
  readonly #noiseGain: number;
  /** Null: it is not open yet. */
  #startedAt: number | null = null;
  #voicePower = USUAL_VOICE;
  #said: Int16Array = new Int16Array(0);
  #saidAt = 0;
  #frames = 0;

  /** @param voiceToNoiseDb how much louder the voice is than the noise. @param send must not keep the packet's memory. */
  constructor(noise: RoomNoise, voiceToNoiseDb: number, send: (packet: AudioPacket) => void) {
    this.#noise = roomNoise(noise);
    this.#noiseGain = 10 ** (-voiceToNoiseDb / 20);
    this.#send = send;
  }

  /** Whether something that was said is not over yet. */
  get isSpeaking(): boolean {
    return this.#saidAt < this.#said.length;
  }

  /** @param pcm 48 kHz; what was being said is cut off. */
  say(pcm: Int16Array): void {
    this.#said = pcm;
    this.#saidAt = 0;
    if (pcm.length > 0) this.#voicePower = Math.max(1, rootMeanSquare(pcm));
  }

  /** Waits for the next 20 ms, and sends what is due. The first call opens it. @throws the signal's reason. */
  async tick(signal: AbortSignal): Promise<void> {
    const startedAt = (this.#startedAt ??= engineNow());
    const nextAt = (): number => startedAt + (this.#frames + 1) * FRAME_MS;
    await pause(Math.max(0, nextAt() - engineNow()), undefined, { signal });
    while (nextAt() <= engineNow()) this.#sendFrame();
  }

  close(): void {
    this.#encoder.close();
  }

  #sendFrame(): void {
    const frame = new Int16Array(FRAME_SAMPLES);
    frame.set(this.#said.subarray(this.#saidAt, this.#saidAt + FRAME_SAMPLES));
    this.#saidAt += FRAME_SAMPLES;
    this.#addNoise(frame);
    const payload = this.#encoder.encode(frame);
    const number = this.#frames++;
    this.#send({
      payload,
      sequence: number & 0xffff,
      timestamp: (number * FRAME_SAMPLES) >>> 0,
      arrivedAt: engineNow(),
    });
  }

  #addNoise(frame: Int16Array): void {
    if (this.#noise.length === 0) return;
    const gain = this.#voicePower * this.#noiseGain;
    const from = this.#frames * FRAME_SAMPLES;
    for (let i = 0; i < frame.length; i += 1) {
      const noisy = frame[i]! + gain * this.#noise[(from + i) % this.#noise.length]!;
      frame[i] = Math.max(-32_768, Math.min(32_767, Math.round(noisy)));
    }
  }
}
