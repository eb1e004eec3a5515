import type { SpeechSynthesizer, SynthesisChunk, SynthesisRequest, TimedUnit } from '../ports.ts';
import { scaleLoudness } from '../tts/loudness.ts';
import type { Answer } from './answer.ts';
import type { Answers } from './answers.ts';
import { realtimeError } from './realtime-errors.ts';
import { SPEECH_RATE, type ResponseSpeech, type SpokenPart } from './response-speech.ts';
import { WordTimestamps } from './word-timestamps.ts';

export interface RealtimeSynthesizerOptions {
  readonly provider: string;
  readonly answers: Answers;
  /** Lets the model read a text aloud. @throws ProviderError when there is no connection. */
  readonly read: (text: string, signal: AbortSignal) => Promise<Answer>;
  /** Speech rate from the next answer on. */
  readonly setSpeed: (speed: number | null) => void;
}

const NO_SOUND = new Int16Array(0);
/** Segments whose position is remembered: more than ever wait. */
const MAX_SEGMENTS = 600;

/**
 * A synthesizer with the model's own voice. The audio of the model's answers is passed on as it comes; the model reads
 * other texts aloud. The synthesizer knows which part of an answer was heard.
 */
export class RealtimeSynthesizer implements SpeechSynthesizer {
  readonly name: string;
  readonly family = 'local';
  readonly saysOnce = true;
  readonly #options: RealtimeSynthesizerOptions;
  readonly #segments = new Map<string, { readonly speech: ResponseSpeech; readonly part: SpokenPart }>();

  constructor(options: RealtimeSynthesizerOptions) {
    this.name = options.provider;
    this.#options = options;
  }

  async *synthesize(request: SynthesisRequest, signal: AbortSignal): AsyncGenerator<SynthesisChunk> {
    const { text, tuning, spoken = false } = request;
    this.#options.setSpeed(tuning.speed ?? null);
    const own = spoken ? this.#options.answers.saying(text) : null;
    // Its sound is gone with an earlier connection, or another process.
    if (own === null && text.trim() === '') return;
    const answer = own ?? (await this.#options.read(text, signal));
    const from = own?.speech.placeOf(text) ?? 0;
    const known = (): string => (own === null ? text : own.speech.text.slice(from));
    const words = new WordTimestamps(request.language);
    try {
      yield* this.#say(request, answer.speech, (pcm) => (words.hear(pcm), words.next(known())), signal);
      if (signal.aborted) throw realtimeError(this.name, 'aborted');
      // What there was of it is heard.
      if (answer.error !== null) throw answer.error;
      if (own === null && answer.speech.durationMs === 0) throw realtimeError(this.name, 'bad-response');
      yield { pcm: NO_SOUND, sampleRate: SPEECH_RATE, words: words.all(known()) };
    } finally {
      if (own === null) answer.speech.fate = 'settled';
    }
  }

  /** @param wordsOf which words are known to be heard with that. */
  async *#say(
    { tuning, segmentId }: SynthesisRequest,
    speech: ResponseSpeech,
    wordsOf: (pcm: Int16Array) => TimedUnit[],
    signal: AbortSignal,
  ): AsyncGenerator<SynthesisChunk> {
    for await (const pcm of speech.say(signal, (part) => this.#note(segmentId, speech, part))) {
      const words = wordsOf(pcm);
      scaleLoudness(pcm, tuning.volume ?? 1);
      if (pcm.length > 0 || words.length > 0) yield { pcm, sampleRate: SPEECH_RATE, words };
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
      speech.rewind(speech === playing?.speech ? playing.part.fromMs + playedMs : part.fromMs);
  }

  #note(segmentId: string | undefined, speech: ResponseSpeech, part: SpokenPart): void {
    if (segmentId === undefined || this.#segments.size >= MAX_SEGMENTS) return;
    this.#segments.set(segmentId, { speech, part });
  }
}
