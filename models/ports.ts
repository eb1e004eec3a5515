/**
 * The ports through which Parley infers. A provider implements one of these in one file of this folder; nothing
 * here knows about sessions, actors or HTTP. All audio is mono. Times are milliseconds unless the name says otherwise.
 */

/** 16-bit mono PCM at the rate that the surrounding type names. */
export type Pcm16 = Int16Array;

/** Which provider of several gave a result. */
export interface ProviderUse {
  /** Id of the provider. */
  readonly provider: string;
  /** Its place among those that are configured; 0: the preferred one. */
  readonly place: number;
}

// ───────────────────────────── VAD, noise, STT, end of turn ─────────────────────────────

/** Filters noise out of a stream of fixed frames, in place. One instance per session: it has memory. */
export interface NoiseFilter {
  /** Rate in Hz of the frames that `process` takes. */
  readonly sampleRate: number;
  /** Samples per frame. */
  readonly frameSamples: number;
  /**
   * @param frame samples in -1…1, overwritten with the filtered ones. @param strength 0 (bypass) … 1 (all the filter
   * can do).
   */
  process(frame: Float32Array, strength: number): void;
  close(): void;
}

/** One 32 ms window of one session for the voice activity model, and the model's memory of that session. */
export interface VadInput {
  /** 64 samples of context followed by 512 new ones, 16 kHz, -1…1. */
  readonly samples: Float32Array;
  /** Recurrent state of this session (2×128), overwritten by the run. */
  readonly state: Float32Array;
}

/** Voice activity of many sessions in one run. Synchronous: call it only in the audio-in worker. */
export interface VadModel {
  /** @returns the speech probability 0…1 of each input, in order. */
  run(batch: readonly VadInput[]): Float32Array;
  close(): Promise<void>;
}

/** Says from the sound of the last seconds whether the speaker has finished. Optional. */
export interface EndOfTurnModel {
  /** @param pcm up to 8 s at 16 kHz, newest last. @returns probability 0…1 that the turn is over. */
  predict(pcm: Pcm16, signal: AbortSignal): Promise<number>;
  close(): Promise<void>;
}

export interface RecognitionHandlers {
  /** The words so far of the current utterance; replaces the previous partial. */
  partial(text: string): void;
  /**
   * The whole utterance, once per `finish()`. Empty when nothing was understood.
   * @param confidence how sure the recognizer is of its words, 0…1; left out where it does not say.
   */
  final(text: string, language: string | null, confidence?: number): void;
  /** How likely it seems to the recognizer that the speaker of the current utterance has finished, 0…1. A hint. */
  endOfTurn?(probability: number): void;
  /** The stream is dead; the caller may open another. Called at most once. */
  failed(error: Error): void;
  /** Before a `final`: whose words these are. Only a recognizer that is several tells. */
  used?(use: ProviderUse): void;
}

/** One speaker's recognition. Utterances are delimited by the caller: write…, finish, write…, finish. */
export interface RecognitionStream {
  /** @param pcm 16 kHz mono, any length up to 1 s. Never blocks. */
  write(pcm: Pcm16): void;
  /** Ends the current utterance: exactly one `final` follows. */
  finish(): void;
  /** Drops the current utterance without a final. */
  reset(): void;
  /** @param language ISO 639-1 code, or null to detect it. Applies from the next utterance. */
  setLanguage(language: string | null): void;
  close(): void;
}

export interface RecognitionOptions {
  /** ISO 639-1 code, or null to detect it. */
  readonly language: string | null;
  /** Names and terms that may be said, for recognizers that can be told. */
  readonly keyTerms: readonly string[];
  /** Which of several recognizers is asked first; null: the first one. @defaultValue null */
  readonly preferred?: string | null;
  readonly handlers: RecognitionHandlers;
}

export interface SpeechRecognizer {
  readonly name: string;
  /** ISO 639-1 codes, or 'any'. */
  readonly languages: readonly string[] | 'any';
  open(options: RecognitionOptions): RecognitionStream;
  close(): Promise<void>;
}

// ───────────────────────────── speaking ─────────────────────────────

/** Fields of `voiceGenerationOptions`; a provider uses those it knows and ignores the rest. */
export interface VoiceTuning {
  readonly speed?: number;
  readonly volume?: number;
  readonly stability?: number;
  readonly similarityBoost?: number;
  readonly style?: number;
  readonly useSpeakerBoost?: boolean;
  readonly model?: string;
  readonly emotion?: string;
  /** Applied before the provider is asked: it gets the sentence as it is said. */
  readonly pronunciations?: readonly Pronunciation[];
}

/** How a word or name is said. */
export interface Pronunciation {
  readonly word: string;
  /** In letters that the voice reads right: "Zhoh-fee-ah". */
  readonly say: string;
}

export interface SynthesisRequest {
  /** One sentence or clause, plain text. */
  readonly text: string;
  /** The provider's own name for the voice. */
  readonly voice: string;
  /** ISO 639-1. */
  readonly language: string;
  readonly tuning: VoiceTuning;
  /** Before the first sound, and again when another voice goes on. Only a synthesizer that is several tells. */
  used?(use: ProviderUse): void;
}

/** A spoken unit with its place in the sound, in ms from the start of the utterance. */
export interface TimedUnit {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

export interface SynthesisChunk {
  /** Next samples of the utterance; may be empty on a chunk that only brings timings. */
  readonly pcm: Pcm16;
  readonly sampleRate: number;
  /** Words that became known with this chunk (times from the start of the utterance). */
  readonly words?: readonly TimedUnit[];
  /** Phonemes in the CMU/Arpabet set, lower case, 'pau' for silence. */
  readonly phonemes?: readonly TimedUnit[];
}

/** Which options of a voice a service knows, and their ranges (`actors/settings/voice-options.ts`). */
export type VoiceFamily = 'elevenlabs' | 'cartesia' | 'fish' | 'local';

export interface SpeechSynthesizer {
  readonly name: string;
  /** Which ranges of `voiceGenerationOptions` apply. */
  readonly family: VoiceFamily;
  /** Streams the sound of one sentence. Throws `ProviderError`. Stops promptly when the signal fires. */
  synthesize(request: SynthesisRequest, signal: AbortSignal): AsyncIterable<SynthesisChunk>;
  /** Connects ahead of the first sentence, where there is something to connect. Never throws. */
  warm?(request: Omit<SynthesisRequest, 'text'>): void;
  close(): Promise<void>;
}

// ───────────────────────────── LLM, embeddings ─────────────────────────────

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments object. */
  readonly parameters: Record<string, unknown>;
  /** It searches documents. For LLMs that cannot tell by the words of the description; never sent to a model. */
  readonly searchesDocuments?: true;
}

export interface LlmToolCall {
  readonly id: string;
  readonly name: string;
  /** Arguments as JSON text, exactly as the model wrote them. */
  readonly arguments: string;
}

export type LlmMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls?: readonly LlmToolCall[] }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string };

export interface LlmRequest {
  readonly messages: readonly LlmMessage[];
  readonly tools: readonly ToolSpec[];
  /** Sent as X-Session-Id and X-Correlation-Id to custom endpoints. */
  readonly sessionId: string;
  readonly correlationId: string;
  readonly language: string | null;
  /** Before the first output: which model gives it. */
  used?(use: ProviderUse): void;
  /** A model failed, and another one is asked instead. For the log. */
  failed?(error: ProviderError): void;
}

export type LlmEvent =
  | { readonly type: 'text'; readonly text: string }
  /** Reasoning that the provider delivers apart from the answer. */
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'tool-call'; readonly call: LlmToolCall }
  | { readonly type: 'done'; readonly finishReason: string };

/** What asking again after a failure may bring: an answer, or the rest of one that broke off. */
export type AskAgain = 'for an answer' | 'for the rest';

export interface LanguageModel {
  readonly name: string;
  /** Streams one answer. Throws `ProviderError`. Stops promptly when the signal fires. */
  stream(request: LlmRequest, signal: AbortSignal): AsyncIterable<LlmEvent>;
}

export interface Embedder {
  readonly dimensions: number;
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
}

// ───────────────────────────── errors ─────────────────────────────

export type ProviderErrorCode =
  | 'connect'
  | 'timeout'
  | 'auth'
  | 'rate-limit'
  | 'server'
  | 'bad-request'
  | 'bad-response'
  | 'aborted'
  | 'unavailable';

/** @returns what kind of failure an error is. Errors that no provider throws count as `unavailable`. */
export function failureCode(error: unknown): ProviderErrorCode {
  return error instanceof ProviderError ? error.code : 'unavailable';
}

/** What every provider throws. `message` is fit for a client's eyes: no secrets, no content, nothing of any network. */
export class ProviderError extends Error {
  readonly code: ProviderErrorCode;
  readonly provider: string;
  /** What more is known, for whoever configured the provider, as it goes on after a colon. */
  readonly reason: string | null;
  /** How long the provider wants to be left alone, ms; 0 when it does not say. */
  readonly retryAfterMs: number;
  constructor(
    provider: string,
    code: ProviderErrorCode,
    message: string,
    options?: ErrorOptions & { readonly reason?: string; readonly retryAfterMs?: number },
  ) {
    super(message, options);
    this.name = 'ProviderError';
    this.provider = provider;
    this.code = code;
    this.reason = options?.reason ?? null;
    this.retryAfterMs = options?.retryAfterMs ?? 0;
  }
}
