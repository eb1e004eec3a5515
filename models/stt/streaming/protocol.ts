import type { ProviderError } from '../../ports.ts';

/** What a connection is opened for. All of it stays the same for its whole life. */
export interface Expected {
  /** ISO 639-1 code, or null to detect it. */
  readonly language: string | null;
  readonly keyTerms: readonly string[];
}

/** A message on its way out: JSON text, or sound. */
export type Outgoing = string | Uint8Array;

/**
 * What a service tells. Utterances are counted from 0 on each connection, in the order in which they were sent. What is
 * told of an utterance after its final is ignored.
 */
export interface ProtocolHandlers {
  /** All words so far. */
  partial(utterance: number, text: string): void;
  /** Nothing more will come of it. */
  final(utterance: number, text: string, language: string | null): void;
  /** How likely it seems to the service that the speaker has finished, 0…1. */
  endOfTurn(utterance: number, probability: number): void;
  /** @param next whether another connection may do better. */
  failed(error: ProviderError, next: 'retry' | 'give up'): void;
}

/** How one service is spoken to. It holds no socket. */
export interface StreamingProtocol {
  /** Id of the provider. */
  readonly name: string;
  /** ISO 639-1 codes, or 'any'. */
  readonly languages: readonly string[] | 'any';
  /** Sound is sent in pieces of so many samples at 16 kHz; the last piece of an utterance is filled with silence. */
  readonly pieceSamples: number;
  /** How often a silent connection is told that it is still wanted, ms. Null: the service has no message for that. */
  readonly keepAliveEveryMs: number | null;
  /** Where to, and with which headers. */
  request(expected: Expected): { readonly url: URL; readonly headers: Readonly<Record<string, string>> };
  connect(expected: Expected, handlers: ProtocolHandlers): ProtocolConnection;
  /** What a close code of this service means, where it means more than a lost connection. */
  closeError?(code: number): { readonly error: ProviderError; readonly next: 'retry' | 'give up' } | null;
}

/** The memory of one connection. Each method returns what is to be sent. */
export interface ProtocolConnection {
  opened(): readonly Outgoing[];
  audio(pcm: Int16Array): readonly Outgoing[];
  /** The sound so far is a whole utterance. What is sent next belongs to another one. */
  finish(): readonly Outgoing[];
  keepAlive(): readonly Outgoing[];
  closing(): readonly Outgoing[];
  /** @param message parsed JSON. @throws when it is not what the service says that it sends. */
  receive(message: unknown): void;
}

/** Samples as little-endian bytes. */
export function pcmBytes(pcm: Int16Array): Uint8Array {
  return new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength);
}

/** @param baseUrl http or https. @returns the same place for WebSockets. */
export function socketUrl(baseUrl: string, path: string, query: readonly (readonly [string, string])[] = []): URL {
  const url = new URL(`${baseUrl.replace(/^http/, 'ws')}${path}`);
  for (const [name, value] of query) url.searchParams.append(name, value);
  return url;
}
