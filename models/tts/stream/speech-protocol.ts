import type { ProviderErrorCode, SynthesisRequest, TimedUnit, VoiceTuning } from '../../ports.ts';

/** A message of a speech service, in one form for all services. */
export type SpeechEvent =
  | { readonly type: 'speech'; readonly speech: SpeechPart }
  /** The utterance has ended. */
  | { readonly type: 'end' }
  /** The service confirms a cancellation. */
  | { readonly type: 'cancelled' }
  | { readonly type: 'failed'; readonly code: ProviderErrorCode };

/** A part of an utterance. Times count from the start of the utterance unless the field says otherwise. */
export interface SpeechPart {
  /** PCM of 16 bits, little-endian, 24 kHz. It may be cut in the middle of a sample. */
  readonly pcm?: Uint8Array;
  /** Words of the requested text. */
  readonly characters?: CharacterSpans;
  /** Phonemes, or characters of the normalized text ("twenty" for "20"), for the mouth shapes. */
  readonly spokenCharacters?: CharacterSpans;
  readonly words?: readonly TimedUnit[];
  readonly phonemes?: readonly TimedUnit[];
}

/** When characters sound. `startMs` and `endMs` are as long as `characters`. */
export interface CharacterSpans {
  readonly characters: readonly string[];
  readonly startMs: readonly number[];
  readonly endMs: readonly number[];
}

export interface AddressedEvent {
  /** Null: of the only utterance, or of all. */
  readonly utterance: string | null;
  readonly event: SpeechEvent;
}

/** The WebSocket protocol of one service. A connection speaks several utterances, each with a name. */
export interface SpeechProtocol {
  readonly provider: string;
  /** Utterances that a connection can have at the same time. */
  readonly mostAtOnce: number;
  /** Utterances that a connection may begin within a minute. Absent: no limit. */
  readonly mostPerMinute?: number;
  /** When the place of a cancelled utterance is free: at once, at its end, or when the service confirms. */
  readonly freedAfterCancel: 'at once' | 'end' | 'cancelled';
  readonly headers: Readonly<Record<string, string>>;
  /** Factor for the samples, for services without a loudness option. */
  loudness?(tuning: VoiceTuning): number;
  /** The address for a request. Requests with the same address share a connection. */
  address(request: Omit<SynthesisRequest, 'text'>): URL;
  /** Messages that request an utterance. */
  ask(utterance: string, request: SynthesisRequest): readonly unknown[];
  /** Messages that cancel an utterance. The connection stays open. */
  cancel(utterance: string): readonly unknown[];
  /** @returns null for messages that concern no utterance. @throws Error when a message is not of this protocol. */
  read(message: { readonly json: unknown } | { readonly bytes: Uint8Array }): AddressedEvent | null;
}
