import type { WholeReading } from '../../sherpa/sherpa-onnx.ts';
import { withoutNonSpeechCaptions } from './non-speech-captions.ts';
import { isLoop } from './repetition-loop.ts';

type Understand = (samples: Float32Array, reading: WholeReading) => Promise<string>;

/**
 * @returns the words. If the decoder seems to repeat itself, it decodes again with care. Captions of sounds are left
 * out.
 */
export function retryOnLoop(understand: Understand): (samples: Float32Array, language: string) => Promise<string> {
  return async (samples, language) => {
    const text = await understand(samples, { language, care: 'usual' });
    return withoutNonSpeechCaptions(isLoop(text) ? await understand(samples, { language, care: 'careful' }) : text);
  };
}
