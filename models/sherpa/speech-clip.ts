import { createFlite } from '../tts/flite.ts';

const TEXT = 'Could you tell me when the next train to the airport leaves, and from which platform?';
const RATE = 16_000;

/**
 * @returns some seconds of speech at 16 kHz: of flite, or, where that is not installed, a sound as loud and as varied.
 */
export async function speechClip(): Promise<Int16Array> {
  const flite = createFlite({ processes: 1 });
  try {
    const pieces: Int16Array[] = [];
    const request = { text: TEXT, voice: 'slt', language: 'en', tuning: {} };
    for await (const { pcm } of flite.synthesize(request, new AbortController().signal)) pieces.push(pcm);
    return Int16Array.from(pieces.flatMap((piece) => [...piece]));
  } catch {
    return syllables();
  } finally {
    await flite.close();
  }
}

/** Five seconds with four syllables a second at the pitch of a voice. */
function syllables(): Int16Array {
  return Int16Array.from({ length: 5 * RATE }, (_, k) => {
    const t = k / RATE;
    const loudness = 6_000 * Math.max(0, Math.sin(2 * Math.PI * 4 * t));
    const voice = [1, 2, 3, 5, 9].reduce(
      (sum, harmonic) => sum + Math.sin(2 * Math.PI * 140 * harmonic * t) / harmonic,
      0,
    );
    return Math.round(loudness * voice);
  });
}
