import type { SpeechSynthesizer, SynthesisChunk, SynthesisRequest } from '../ports.ts';

/** A voice that tells how many characters it was given, once it has begun with them or is not waited for any more. */
export function withMeter(voice: SpeechSynthesizer): SpeechSynthesizer {
  return {
    name: voice.name,
    family: voice.family,
    synthesize: (request, signal) => metered(voice, request, signal),
    warm: (request) => voice.warm?.(request),
    close: () => voice.close(),
  };
}

async function* metered(
  voice: SpeechSynthesizer,
  request: SynthesisRequest,
  signal: AbortSignal,
): AsyncGenerator<SynthesisChunk> {
  let state: 'asked' | 'told' = 'asked';
  const tell = (): void => {
    if (state === 'asked')
      request.metered?.({ provider: voice.name, place: 0, amounts: { characters: [...request.text].length } });
    state = 'told';
  };
  try {
    for await (const chunk of voice.synthesize(request, signal)) {
      if (chunk.pcm.length > 0) tell();
      yield chunk;
    }
  } finally {
    // Services are paid for what they were asked to say. One that failed has said nothing.
    if (signal.aborted) tell();
  }
}
