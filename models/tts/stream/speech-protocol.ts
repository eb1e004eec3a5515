import type { ProviderErrorCode, SynthesisRequest, TimedUnit, VoiceTuning } from '../../ports.ts';

/** What a message of a speech service says, whatever the service. */
export type SpeechEvent =
  | { readonly type: 'speech'; readonly speech: SpeechPart }
  /** Nothing more comes of the utterance. */
  | { readonly type: 'end' }
  /** The service has stopped what it was told to stop. */
  | { readonly type: 'cancelled' }
  | { readonly type: 'failed'; readonly code: ProviderErrorCode };

/** A part of an utterance. Times count from the start of the utterance unless the field says otherwise. */
export interface SpeechPart {
  /** 16-bit little-endian PCM at 24 kHz, cut anywhere. */
  readonly pcm?: Uint8Array;
  /** Of the text that was asked for. */
  readonly characters?: CharacterSpans;
  /** Of the text as it is said ("twenty" for "20"); the mouth moves by it. */
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
  /** Null: of the one utterance that the connection can have, or of all. */
  readonly utterance: string | null;
  readonly event: SpeechEvent;
}

/** How one service is spoken to over a WebSocket. A connection speaks several utterances, each under a name. */
export interface SpeechProtocol {
  readonly provider: string;
  /** Utterances that a connection can have at the same time. */
  readonly mostAtOnce: number;
  /** Utterances that a connection may begin within a minute, where the service has such a limit. */
  readonly mostPerMinute?: number;
  /**
   * When a cancelled utterance stops to count: at once, when its end comes all the same, when the service confirms it.
   */
  readonly freedAfterCancel: 'at once' | 'end' | 'cancelled';
  readonly headers: Readonly<Record<string, string>>;
  /** Factor for the samples, where the service has no loudness of its own. */
  loudness?(tuning: VoiceTuning): number;
  /** Where a request is spoken. Requests of the same address share a connection. */
  address(request: Omit<SynthesisRequest, 'text'>): URL;
  /** Messages that ask for an utterance. */
  ask(utterance: string, request: SynthesisRequest): readonly unknown[];
  /** Messages that stop it; the connection stays. */
  cancel(utterance: string): readonly unknown[];
  /** @returns null for messages that matter to no utterance. @throws Error when a message is not of this protocol. */
  read(message: { readonly json: unknown } | { readonly bytes: Uint8Array }): AddressedEvent | null;
}
