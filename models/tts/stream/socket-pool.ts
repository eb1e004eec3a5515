import type { AnswerLimits } from '../../http/answer-limits.ts';
import type { SynthesisRequest } from '../../ports.ts';
import { speechError } from '../speech-http.ts';
import type { SpeechProtocol } from './speech-protocol.ts';
import { SpeechSocket } from './speech-socket.ts';
import type { Utterance } from './utterance.ts';

/**
 * There may be a minute between two sentences of a conversation. A new TLS connection would delay the first audio by
 * 50–150 ms.
 */
const KEEP_WARM_MS = 90_000;
/**
 * Most idle connections. With some services the address contains the voice, and a deployment may have a hundred voices.
 */
const MAX_IDLE = 8;

interface Address {
  readonly url: URL;
  readonly sockets: Set<SpeechSocket>;
  usedAt: number;
  cooling: NodeJS.Timeout | null;
}

/**
 * The connections of a deployment to one speech service: one for each address in use. A connection stays open between
 * sentences, and is opened again when it is cut. There are more only while more sentences are spoken at once than a
 * connection can take.
 */
export class SocketPool {
  readonly #protocol: SpeechProtocol;
  readonly #addresses = new Map<string, Address>();
  #closed = false;

  constructor(protocol: SpeechProtocol) {
    this.#protocol = protocol;
  }

  /** Opens a connection for a sentence that will be spoken soon, if there is none. */
  warm(request: Omit<SynthesisRequest, 'text'>): void {
    if (!this.#closed) this.#socketFor(this.#protocol.address(request));
  }

  /** @param isFresh the sentence failed on a connection that had died, so it gets a new one. */
  speak(
    request: SynthesisRequest,
    limits: AnswerLimits,
    isFresh: boolean,
  ): { readonly utterance: Utterance; readonly socket: SpeechSocket } {
    if (this.#closed) throw speechError(this.#protocol.provider, 'unavailable');
    const url = this.#protocol.address(request);
    const socket = isFresh ? this.#open(this.#addressOf(url)) : this.#socketFor(url);
    return { utterance: socket.speak(request, limits), socket };
  }

  close(): void {
    this.#closed = true;
    for (const { sockets, cooling } of this.#addresses.values()) {
      clearTimeout(cooling ?? undefined);
      for (const socket of sockets) socket.close();
    }
    this.#addresses.clear();
  }

  #socketFor(url: URL): SpeechSocket {
    const address = this.#addressOf(url);
    return [...address.sockets].find(({ hasRoom }) => hasRoom) ?? this.#open(address);
  }

  #addressOf(url: URL): Address {
    const known = this.#addresses.get(url.href);
    const address = known ?? { url, sockets: new Set<SpeechSocket>(), usedAt: 0, cooling: null };
    // The map is in the order of use.
    this.#addresses.delete(url.href);
    this.#addresses.set(url.href, address);
    address.usedAt = performance.now();
    clearTimeout(address.cooling ?? undefined);
    address.cooling = setTimeout(() => this.#cool(address), KEEP_WARM_MS).unref();
    this.#dropOldest();
    return address;
  }

  #open(address: Address): SpeechSocket {
    const socket: SpeechSocket = new SpeechSocket(this.#protocol, address.url, (closed) => {
      address.sockets.delete(closed);
      const isWanted = performance.now() - address.usedAt < KEEP_WARM_MS && !this.#closed;
      if (isWanted && closed.wasCut && address.sockets.size === 0) this.#open(address);
    });
    address.sockets.add(socket);
    return socket;
  }

  #cool(address: Address): void {
    const speaking = [...address.sockets].filter((socket) => !socket.isIdle);
    for (const socket of address.sockets) if (socket.isIdle) socket.close();
    if (speaking.length === 0) this.#addresses.delete(address.url.href);
    else address.cooling = setTimeout(() => this.#cool(address), KEEP_WARM_MS).unref();
  }

  #dropOldest(): void {
    const idle = [...this.#addresses.values()].filter(({ sockets }) => [...sockets].every(({ isIdle }) => isIdle));
    for (const address of idle.slice(0, Math.max(0, idle.length - MAX_IDLE))) {
      clearTimeout(address.cooling ?? undefined);
      this.#cool(address);
    }
  }
}
