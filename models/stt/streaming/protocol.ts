import type { ProviderError } from '../../ports.ts';

/** What a connection is opened for. It does not change. */
export interface Expected {
  /** ISO 639-1 code, or null to detect it. */
  readonly language: string | null;
  readonly keyTerms: readonly string[];
}

/** A message to the service: JSON text, or audio. */
export type Outgoing = string | Uint8Array;

/**
 * Results of a service. Utterances are counted from 0 on each connection, in the order in which they were sent. What
 * comes of an utterance after its final is ignored.
 */
export interface ProtocolHandlers {
  /** All words so far. */
  partial(utterance: number, text: string): void;
  /** The final text. @param confidence of its words, 0…1. Undefined: the service gives none. */
  final(utterance: number, text: string, language: string | null, confidence?: number): void;
  /** The service's probability that the speaker has finished, 0…1. */
  endOfTurn(utterance: number, probability: number): void;
  /** @param next whether another connection may work. */
  failed(error: ProviderError, next: 'retry' | 'give up'): void;
}

/** The protocol of one service. It has no socket. */
export interface StreamingProtocol {
  /** Id of the provider. */
  readonly name: string;
  /** ISO 639-1 codes, or 'any'. */
  readonly languages: readonly string[] | 'any';
  /** Audio is sent in pieces of this many samples at 16 kHz. The last piece of an utterance is filled with silence. */
  readonly pieceSamples: number;
  /** Time between keep-alive messages, ms. Null: the service has none. */
  readonly keepAliveEveryMs: number | null;
  /** Address and headers. */
  request(expected: Expected): { readonly url: URL; readonly headers: Readonly<Record<string, string>> };
  connect(expected: Expected, handlers: ProtocolHandlers): ProtocolConnection;
  /** The meaning of a close code of this service. Null: the connection was lost. */
  closeError?(code: number): { readonly error: ProviderError; readonly next: 'retry' | 'give up' } | null;
}

/** The state of one connection. Each method returns what is to be sent. */
export interface ProtocolConnection {
  opened(): readonly Outgoing[];
  audio(pcm: Int16Array): readonly Outgoing[];
  /** The audio so far is a whole utterance. Audio after it belongs to the next one. */
  finish(): readonly Outgoing[];
  keepAlive(): readonly Outgoing[];
  closing(): readonly Outgoing[];
  /** @param message parsed JSON. @throws when it is not a message of this protocol. */
  receive(message: unknown): void;
}

/** Samples as little-endian bytes. */
export function pcmBytes(pcm: Int16Array): Uint8Array {
  return new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength);
}

/** @param baseUrl http or https. @returns the WebSocket address. */
export function socketUrl(baseUrl: string, path: string, query: readonly (readonly [string, string])[] = []): URL {
  const url = new URL(`${baseUrl.replace(/^http/, 'ws')}${path}`);
  for (const [name, value] of query) url.searchParams.append(name, value);
  return url;
}
