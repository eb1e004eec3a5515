import type { MeteredUse, ProviderUse } from './provider-usage.ts';

/**
 * Interfaces of all models. A provider implements one of them in one file of this folder. Nothing here depends on
 * sessions, actors or HTTP. All audio is mono. Times are milliseconds unless the name says otherwise.
 */

export type { Amounts, MeteredUse, ProviderUse } from './provider-usage.ts';

/** Mono PCM of 16 bits, at the rate that the surrounding type names. */
export type Pcm16 = Int16Array;

// ───────────────────────────── VAD, noise, STT, end of turn ─────────────────────────────

/** Filters noise from frames of a fixed length, in place. It has state, so each session has its own. */
export interface NoiseFilter {
  /** Rate in Hz of the frames that `process` takes. */
  readonly sampleRate: number;
  /** Samples per frame. */
  readonly frameSamples: number;
  /** @param frame samples in -1…1, replaced by the filtered ones. @param strength 0 (bypass) to 1 (full). */
  process(frame: Float32Array, strength: number): void;
  close(): void;
}

/** One 32 ms window of one session for the VAD model, with the model's state for that session. */
export interface VadInput {
  /** 64 samples of context followed by 512 new ones, 16 kHz, -1…1. */
  readonly samples: Float32Array;
  /** Recurrent state of this session (2×128). The run replaces it. */
  readonly state: Float32Array;
}

/** VAD for many sessions in one run. Synchronous: only the audio-in worker calls it. */
export interface VadModel {
  /** @returns the speech probability 0…1 of each input, in order. */
  run(batch: readonly VadInput[]): Float32Array;
  close(): Promise<void>;
}

/** Predicts from the last seconds of audio whether the speaker has finished. Optional. */
export interface EndOfTurnModel {
  /** @param pcm up to 8 s at 16 kHz, newest last. @returns probability 0…1 that the turn is over. */
  predict(pcm: Pcm16, signal: AbortSignal): Promise<number>;
  close(): Promise<void>;
}

export interface RecognitionHandlers {
  /**
   * The words of the current utterance so far. It replaces the previous partial. @param place `behind`: the last words
   * are missing, and come soon after the voice stops. Absent: it has all words, or this is not known.
   */
  partial(text: string, place?: 'behind'): void;
  /**
   * The whole utterance, once for each `finish()`. Empty: no words. @param confidence of the words, 0…1. Absent: the
   * recognizer gives none.
   */
  final(text: string, language: string | null, confidence?: number): void;
  /** The recognizer's probability, 0…1, that the speaker has finished. A hint. */
  endOfTurn?(probability: number): void;
  /** The stream has failed, and the caller may open another one. Called at most once. */
  failed(error: Error): void;
  /** Called before a `final`: which recognizer gave it. Only fallback chains call it. */
  used?(use: ProviderUse): void;
  /**
   * Called with the amount of audio that a recognizer was given, also without a final. Only fallback chains call it.
   */
  metered?(use: MeteredUse): void;
}

/** One speaker's recognition. The caller divides utterances: write…, finish, write…, finish. */
export interface RecognitionStream {
  /** @param pcm 16 kHz mono, any length up to 1 s. Never blocks. */
  write(pcm: Pcm16): void;
  /**
   * Whether the audio that follows contains a voice. `off` is the first sign of silence, often only a pause.
   * Recognizers of whole utterances may begin to decode then, so that the final text is ready when it is requested.
   */
  setVoice?(voice: 'on' | 'off'): void;
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
  /** Key terms, for recognizers that support them. */
  readonly keyTerms: readonly string[];
  /** Which of several recognizers is tried first. Null: the first one. @defaultValue null */
  readonly preferred?: string | null;
  readonly handlers: RecognitionHandlers;
}

export interface SpeechRecognizer {
  readonly name: string;
  /** ISO 639-1 codes, or 'any'. */
  readonly languages: readonly string[] | 'any';
  open(options: RecognitionOptions): RecognitionStream;
  /** Resolves when the model is loaded, or cannot be loaded. Absent: nothing is loaded. Never rejects. */
  ready?(): Promise<void>;
  close(): Promise<void>;
}

// ───────────────────────────── speaking ─────────────────────────────

/** Fields of `voiceGenerationOptions`. A provider ignores those that it does not know. */
export interface VoiceTuning {
  readonly speed?: number;
  readonly volume?: number;
  readonly stability?: number;
  readonly similarityBoost?: number;
  readonly style?: number;
  readonly useSpeakerBoost?: boolean;
  readonly model?: string;
  readonly emotion?: string;
  /** Applied before the provider: it gets the normalized sentence. */
  readonly pronunciations?: readonly Pronunciation[];
}

/** The pronunciation of a word or name. */
export interface Pronunciation {
  readonly word: string;
  /** Letters that the voice reads correctly: "Zhoh-fee-ah". */
  readonly say: string;
}

export interface SynthesisRequest {
  /** One sentence or clause, plain text. */
  readonly text: string;
  /** The provider's name of the voice. */
  readonly voice: string;
  /** ISO 639-1. */
  readonly language: string;
  readonly tuning: VoiceTuning;
  /** Nothing else plays meanwhile, so a slow voice should synthesize the first words first. @defaultValue false */
  readonly isWaitedFor?: boolean;
  /** Id of the segment in playback. Only speech-to-speech models need it. */
  readonly segmentId?: string;
  /** The model speaks it itself, see `LlmEvent`. `text` has the words that are known so far, perhaps none. */
  readonly spoken?: true;
  /** Called before the first audio, and when another voice takes over. Only fallback chains call it. */
  used?(use: ProviderUse): void;
  /** Called with the amount of text that a voice was given, also if nobody hears it. */
  metered?(use: MeteredUse): void;
}

/** A spoken unit with its time in the audio, ms from the start of the utterance. */
export interface TimedUnit {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

export interface SynthesisChunk {
  /** The next samples of the utterance. It may be empty if there are only times. */
  readonly pcm: Pcm16;
  readonly sampleRate: number;
  /** Words whose times are known with this chunk, from the start of the utterance. */
  readonly words?: readonly TimedUnit[];
  /** Phonemes in the CMU/Arpabet set, lower case, 'pau' for silence. */
  readonly phonemes?: readonly TimedUnit[];
}

/** Which options a service knows for its voices, and their ranges (`actors/settings/voice-options.ts`). */
export type VoiceFamily = 'elevenlabs' | 'cartesia' | 'fish' | 'local';

export interface SpeechSynthesizer {
  readonly name: string;
  /** Which ranges of `voiceGenerationOptions` apply. */
  readonly family: VoiceFamily;
  /**
   * It can say a text only once, so it is not asked before it is certain that the text is played. @defaultValue false
   */
  readonly saysOnce?: boolean;
  /** Streams the audio of one sentence. Throws `ProviderError`. Stops soon after the signal is aborted. */
  synthesize(request: SynthesisRequest, signal: AbortSignal): AsyncIterable<SynthesisChunk>;
  /** Connects before the first sentence, if it uses connections. Never throws. */
  warm?(request: Omit<SynthesisRequest, 'text'>): void;
  close(): Promise<void>;
}

// ───────────────────────────── LLM, embeddings ─────────────────────────────

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments object. */
  readonly parameters: Record<string, unknown>;
  /** Whether it searches documents. For LLMs that do not understand the description; never sent to a model. */
  readonly searchesDocuments?: true;
}

export interface LlmToolCall {
  readonly id: string;
  readonly name: string;
  /** Arguments as JSON text, as the model wrote them. */
  readonly arguments: string;
  /** The provider's own id, if `id` differs from it. It is sent back to the provider unchanged. */
  readonly providerId?: string;
  /**
   * Fields that the provider sent with the call, such as its reasoning, and expects back unchanged: for this call, and
   * for all calls of the message.
   */
  readonly echo?: { readonly call?: LlmEcho; readonly message?: LlmEcho };
}

export type LlmEcho = Readonly<Record<string, unknown>>;

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
  /** Called before the first output with the LLM that gives it. */
  used?(use: ProviderUse): void;
  /** Called with each request to an LLM, and with what it has cost, also after the signal was aborted. */
  metered?(use: MeteredUse): void;
  /** Called when an LLM failed and another one is asked. For the log. */
  failed?(error: ProviderError): void;
  /** An empty answer is allowed: after a tool, or when only the rest of an answer is requested. */
  readonly mayBeEmpty?: boolean;
  /** Called when a request was adapted to what the endpoint refuses, or when its answer was odd. */
  noticed?(notice: LlmNotice): void;
}

/** For the person who configured the LLM. It holds nothing of the conversation. */
export interface LlmNotice {
  /** `adapted`: the request was changed for this endpoint. `odd-answer`: a part of the answer was useless. */
  readonly kind: 'adapted' | 'odd-answer';
  readonly sentence: string;
}

export type LlmEvent =
  /**
   * `spoken`: the model speaks it itself, so its audio does not wait for the end of a sentence. An empty text: the
   * audio begins before the words.
   */
  | { readonly type: 'text'; readonly text: string; readonly spoken?: true }
  /** Reasoning that the provider sends separately from the answer. */
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'tool-call'; readonly call: LlmToolCall }
  | { readonly type: 'done'; readonly finishReason: string };

/** What a retry after a failure may give: an answer, or the rest of an answer that broke off. */
export type RetryKind = 'for an answer' | 'for the rest';

export interface LanguageModel {
  readonly name: string;
  /** Streams one answer. Throws `ProviderError`. Stops soon after the signal is aborted. */
  stream(request: LlmRequest, signal: AbortSignal): AsyncIterable<LlmEvent>;
  /**
   * Lets a server on this machine or network process the beginning of the next request, which takes seconds. Does
   * nothing for services, where every token costs money. Never rejects.
   */
  warm?(request: LlmRequest, signal: AbortSignal): Promise<void>;
  /** Present if the model hears and speaks itself. A session then has no other recognizer and voice. */
  readonly speech?: SpeechModel;
}

/** A speech-to-speech model, which replaces STT, LLM and TTS. */
export interface SpeechModel {
  /**
   * Who decides that the user has finished or interrupts. `agent`: the model also answers by itself, and does not
   * report when it hears a voice.
   */
  readonly turnsBy: 'parley' | 'model' | 'agent';
  /** Begins a conversation, and connects. */
  open(handlers: SpeechModelHandlers): SpeechModelSession;
}

export interface SpeechModelHandlers {
  /** The model begins or ceases to hear a voice. Only called by models that decide about turns. */
  voice(voice: 'on' | 'off'): void;
  /** A failure outside of any request: the connection was lost, or an event was refused. For the log. */
  lost(error: ProviderError): void;
  /** Called with each answer that the model begins, also one that nobody asked for, and with what it has cost. */
  metered?(use: MeteredUse): void;
  /** The model has something to say without a request; the next request gets it. Only called by agents. */
  speaks?(): void;
  /** A cue for the face during the answer of the latest request. @param atMs from its beginning. */
  cue?(tag: string, atMs: number): void;
  /** The model has ended the conversation, and its last words were heard. Only called by agents. */
  hungUp?(): void;
  /** The conversation began in another process: the user has been greeted. @defaultValue false */
  readonly goesOn?: boolean;
}

/** One conversation with a speech-to-speech model. Its parts share one connection. */
export interface SpeechModelSession {
  readonly llm: LanguageModel;
  readonly recognizer: SpeechRecognizer;
  /** `spoken` text has the model's own audio; the model reads other texts aloud. */
  readonly synthesizer: SpeechSynthesizer;
  /** The user has connected. Absent: the model does not need to know. */
  present?(): void;
  /** Background information for the model. Absent: the next request contains it. */
  context?(text: string): void;
  /** A segment was heard to its end. */
  heard(segmentId: string): void;
  /**
   * All speech was stopped. @param segmentId the segment that was playing; null: none. @param playedMs how much of it.
   */
  cut(segmentId: string | null, playedMs: number): void;
  close(): void;
}

export interface Embedder {
  readonly dimensions: number;
  /** ISO 639-1 codes of the languages that it understands. @defaultValue any language */
  readonly languages?: readonly string[];
  /** Cosine below which two texts are about different things, 0…1. @defaultValue that of most models */
  readonly leastCloseness?: number | undefined;
  /** `local`: nothing leaves the machine. @defaultValue a service */
  readonly where?: 'local';
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
  close?(): Promise<void>;
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

/** @returns the kind of failure. Other errors than `ProviderError` count as `unavailable`. */
export function failureCode(error: unknown): ProviderErrorCode {
  return error instanceof ProviderError ? error.code : 'unavailable';
}

/**
 * The error of all providers. `message` is for clients: it contains no secrets, no content, and nothing of any network.
 */
export class ProviderError extends Error {
  readonly code: ProviderErrorCode;
  readonly provider: string;
  /** Details for the person who configured the provider. They follow `message` after a colon. */
  readonly reason: string | null;
  /** How long the provider asks to wait, ms; 0 when it does not say. */
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
