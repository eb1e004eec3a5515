import type { SpeechSynthesizer, SynthesisChunk, SynthesisRequest } from '../ports.ts';
import { estimateWords } from '../tts/estimated-words.ts';
import { scaleLoudness } from '../tts/loudness.ts';
import type { Answer } from './answer.ts';
import type { Answers } from './answers.ts';
import { realtimeError } from './realtime-errors.ts';
import { SPEECH_RATE, type ResponseSpeech, type SpokenPart } from './response-speech.ts';

export interface VoiceOptions {
  readonly provider: string;
  readonly answers: Answers;
  /** Has a given text read aloud. @throws ProviderError when there is no connection. */
  readonly read: (text: string, signal: AbortSignal) => Promise<Answer>;
  /** How fast it speaks from the next answer on. */
  readonly setSpeed: (speed: number | null) => void;
}

const NO_SOUND = new Int16Array(0);
/** Segments whose place is remembered: more than ever wait. */
const MOST_SEGMENTS = 600;

/**
 * The model's voice: sentences of its answers are its own sound, other texts are read by it. It knows what of its answers was
 * heard.
 */
export class RealtimeVoice implements SpeechSynthesizer {
  readonly name: string;
  readonly family = 'local';
  readonly saysOnce = true;
  readonly #options: VoiceOptions;
  readonly #segments = new Map<string, { readonly speech: ResponseSpeech; readonly part: SpokenPart }>();

  constructor(options: VoiceOptions) {
    this.name = options.provider;
    this.#options = options;
  }

  async *synthesize(request: SynthesisRequest, signal: AbortSignal): AsyncGenerator<SynthesisChunk> {
    const { text, language, tuning, segmentId } = request;
    this.#options.setSpeed(tuning.speed ?? null);
    const own = this.#options.answers.saying(text);
    const answer = own ?? (await this.#options.read(text, signal));
    const { speech } = answer;
    let samples = 0;
    const note = (part: SpokenPart): void => this.#note(segmentId, speech, part);
    try {
      for await (const pcm of speech.say(own === null ? null : text, signal, note)) {
        samples += pcm.length;
        scaleLoudness(pcm, tuning.volume ?? 1);
        yield { pcm, sampleRate: SPEECH_RATE };
      }
      if (signal.aborted) throw realtimeError(this.name, 'aborted');
      // What there was of the sentence is heard.
      if (answer.error !== null) throw answer.error;
      if (own === null && samples === 0) throw realtimeError(this.name, 'bad-response');
      const words = estimateWords(text, language, (samples * 1000) / SPEECH_RATE);
      yield { pcm: NO_SOUND, sampleRate: SPEECH_RATE, words };
    } finally {
      if (own === null) speech.fate = 'settled';
    }
  }

  async close(): Promise<void> {
    this.#segments.clear();
  }

  /** The segment was heard to its end. */
  heard(segmentId: string): void {
    const segment = this.#segments.get(segmentId);
    this.#segments.delete(segmentId);
    if (segment !== undefined) segment.speech.heardMs = Math.max(segment.speech.heardMs, segment.part.toMs);
  }

  /** Everything was stopped. @param segmentId what was heard then; null: nothing. @param playedMs how much of it. */
  cut(segmentId: string | null, playedMs: number): void {
    const first = new Map<ResponseSpeech, SpokenPart>();
    for (const { speech, part } of this.#segments.values()) if (!first.has(speech)) first.set(speech, part);
    const playing = segmentId === null ? undefined : this.#segments.get(segmentId);
    this.#segments.clear();
    for (const [speech, part] of first)
      speech.rewind(speech === playing?.speech ? playing.part.fromMs + playedMs : part.fromMs, part);
  }

  #note(segmentId: string | undefined, speech: ResponseSpeech, part: SpokenPart): void {
    if (segmentId === undefined || this.#segments.size >= MOST_SEGMENTS) return;
    this.#segments.set(segmentId, { speech, part });
  }
}
