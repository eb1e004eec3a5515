import type { SpeechSynthesizer } from '../ports.ts';

/**
 * The voice of a speech-to-speech model, with another voice for what the model cannot say, such as an apology for its
 * lost connection.
 */
export function withFallbackVoice(own: SpeechSynthesizer, other: SpeechSynthesizer): SpeechSynthesizer {
  return {
    name: own.name,
    family: other.family,
    saysOnce: true,
    async *synthesize(request, signal) {
      let spoke = false;
      try {
        for await (const chunk of own.synthesize(request, signal)) {
          spoke ||= chunk.pcm.length > 0;
          yield chunk;
        }
      } catch (error) {
        if (spoke || signal.aborted) throw error;
        yield* other.synthesize(request, signal);
      }
    },
    // Both belong to others.
    close: async () => {},
  };
}
