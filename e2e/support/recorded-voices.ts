import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const RATE = 16_000;
const WINDOW = RATE / 50;
/** Quieter windows are nobody's, of ±1. */
const HEARD = 0.02;
/** Energy of the differences between samples, of that of the samples: tones below 400 Hz have 0.025 at most, speech has more. */
const SPEECH = 0.08;

/**
 * How long the low tones of a scripted model are heard in a file, and how long a voice that speaks.
 *
 * @returns seconds.
 */
export async function recordedVoices(file: string): Promise<{ readonly tones: number; readonly speech: number }> {
  const { stdout } = await promisify(execFile)(
    'ffmpeg',
    ['-v', 'error', '-i', file, '-map', '0:a', '-ar', `${RATE}`, '-ac', '1', '-f', 'f32le', '-'],
    { encoding: 'buffer', maxBuffer: 1 << 28 },
  );
  const samples = new Float32Array(Uint8Array.from(stdout).buffer);
  const seconds = { tones: 0, speech: 0 };
  for (let from = 0; from + WINDOW <= samples.length; from += WINDOW) {
    const window = samples.subarray(from, from + WINDOW);
    const energy = window.reduce((sum, sample) => sum + sample * sample, 0);
    if (Math.sqrt(energy / WINDOW) < HEARD) continue;
    const steps = window.subarray(1).reduce((sum, sample, at) => sum + (sample - window[at]!) ** 2, 0);
    seconds[steps / energy < SPEECH ? 'tones' : 'speech'] += WINDOW / RATE;
  }
  return seconds;
}
