import { FRAME_SAMPLES } from '../../media/audio-format.ts';
import { OpusEncoder } from './opus-encoder.ts';

/** After this many frames, the encoder has forgotten its start and repeats itself. */
const SETTLING_FRAMES = 50;

let packet: Uint8Array | null = null;

/** One 20 ms Opus packet of silence, encoded once per process: a session that says nothing costs no encoding. */
export function silencePacket(): Uint8Array {
  if (packet) return packet;
  const encoder = new OpusEncoder();
  const silence = new Int16Array(FRAME_SAMPLES);
  let last = encoder.encode(silence);
  for (let k = 1; k < SETTLING_FRAMES; k += 1) last = encoder.encode(silence);
  encoder.close();
  packet = last;
  return packet;
}
