import type { SpeechSynthesizer, SynthesisChunk, SynthesisRequest } from '../../ports.ts';
import { WordTimeline } from '../word-timeline.ts';
import { normalizeText, type NormalizedText } from './normalize-text.ts';

/**
 * A voice that gets each sentence normalized (`normalizeText`). The times of its words are returned for the written
 * text, so transcripts and captions keep "$12.50".
 */
export function withTextNormalization(voice: SpeechSynthesizer): SpeechSynthesizer {
  return {
    name: voice.name,
    family: voice.family,
    synthesize(request, signal) {
      const normalized = normalizeText(request.text, request.language, request.tuning.pronunciations);
      return normalized.text === request.text
        ? voice.synthesize(request, signal)
        : timedAsWritten(voice.synthesize({ ...request, text: normalized.text }, signal), request, normalized);
    },
    warm: (request) => voice.warm?.(request),
    close: () => voice.close(),
  };
}

async function* timedAsWritten(
  chunks: AsyncIterable<SynthesisChunk>,
  written: SynthesisRequest,
  normalized: NormalizedText,
): AsyncGenerator<SynthesisChunk> {
  const timeline = new WordTimeline(written.text, written.language);
  let timed: 'never' | 'by the voice' = 'never';
  let read = 0;
  let durationMs = 0;
  let sampleRate = 0;
  for await (const chunk of chunks) {
    ({ sampleRate } = chunk);
    durationMs += (chunk.pcm.length / sampleRate) * 1_000;
    if (chunk.words === undefined) {
      yield chunk;
      continue;
    }
    timed = 'by the voice';
    const words = chunk.words.flatMap(({ text, startMs, endMs }) => {
      const found = normalized.text.indexOf(text, read);
      const at = found < 0 ? read : found;
      read = at + text.length;
      return timeline.mark(normalized.writtenPosition(at), startMs, endMs);
    });
    yield { ...chunk, words };
  }
  if (timed === 'by the voice') yield { pcm: new Int16Array(0), sampleRate, words: timeline.finish(durationMs) };
}
