import type { WholeReading } from '../../sherpa/sherpa-onnx.ts';
import { isLoop, withoutSounds } from './text-of-sounds.ts';

type Understand = (samples: Float32Array, reading: WholeReading) => Promise<string>;

/** @returns what was said: a reading that seems to go in circles is done again with more care, sounds are left out. */
export function carefulReading(understand: Understand): (samples: Float32Array, language: string) => Promise<string> {
  return async (samples, language) => {
    const text = await understand(samples, { language, care: 'usual' });
    return withoutSounds(isLoop(text) ? await understand(samples, { language, care: 'careful' }) : text);
  };
}
