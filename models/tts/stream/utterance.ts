import { AnswerMeter, type AnswerLimitError, type AnswerLimits } from '../../http/answer-limits.ts';
import type { ProviderError } from '../../ports.ts';
import { speechError } from '../speech-http.ts';
import type { SpeechPart } from './speech-protocol.ts';

/** Callbacks to the connection. */
export interface UtteranceOwner {
  /** The reader stopped before the end. */
  abandoned(utterance: Utterance): void;
  /** No message came for too long: the connection may be dead. */
  silent(utterance: Utterance): void;
}

/**
 * A service that sends nothing for this long is dead or stuck. Twice this is less than the engine waits (10 s), so a
 * second connection can still speak the sentence.
 */
const SILENCE_MS = 4_500;

/** One sentence on a connection. It buffers what arrives until it is read. */
export class Utterance {
  readonly name: string;
  readonly #provider: string;
  readonly #owner: UtteranceOwner;
  readonly #meter: AnswerMeter;
  readonly #parts: SpeechPart[] = [];
  readonly #deadline: NodeJS.Timeout;
  #silence: NodeJS.Timeout;
  #outcome: 'running' | 'ended' | ProviderError = 'running';
  #wake: () => void = () => {};

  constructor(name: string, provider: string, limits: AnswerLimits, owner: UtteranceOwner) {
    this.name = name;
    this.#provider = provider;
    this.#owner = owner;
    this.#meter = new AnswerMeter(limits);
    this.#deadline = setTimeout(() => this.#giveUp('timeout'), limits.wholeMs).unref();
    this.#silence = this.#watch();
  }

  /** Whether further messages are ignored. */
  get isOver(): boolean {
    return this.#outcome !== 'running';
  }

  /** @param bytes of the message that contained it. */
  take(part: SpeechPart, bytes: number): void {
    if (this.isOver) return;
    clearTimeout(this.#silence);
    this.#silence = this.#watch();
    try {
      this.#meter.received(bytes);
    } catch (error) {
      return this.#abandon((error as AnswerLimitError).asProviderError(this.#provider, 'The TTS provider'));
    }
    this.#parts.push(part);
    this.#wake();
  }

  end(): void {
    this.#settle('ended');
  }

  fail(error: ProviderError): void {
    this.#settle(error);
  }

  /** Yields what arrives, until the end. If the reader stops, the utterance is cancelled. @throws ProviderError */
  async *read(signal: AbortSignal): AsyncGenerator<SpeechPart> {
    const abort = (): void => this.#giveUp('aborted');
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    try {
      for (;;) {
        yield* this.#parts.splice(0);
        if (this.#parts.length > 0) continue;
        if (this.#outcome === 'ended') return;
        if (this.#outcome !== 'running') throw this.#outcome;
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      signal.removeEventListener('abort', abort);
      this.#giveUp('aborted');
    }
  }

  #watch(): NodeJS.Timeout {
    return setTimeout(() => {
      if (this.isOver) return;
      this.#giveUp('timeout');
      this.#owner.silent(this);
    }, SILENCE_MS).unref();
  }

  #giveUp(code: 'timeout' | 'aborted'): void {
    this.#abandon(speechError(this.#provider, code));
  }

  #abandon(error: ProviderError): void {
    if (this.isOver) return;
    if (error.code === 'aborted') this.#parts.length = 0;
    this.#settle(error);
    this.#owner.abandoned(this);
  }

  #settle(outcome: 'ended' | ProviderError): void {
    if (this.isOver) return;
    clearTimeout(this.#deadline);
    clearTimeout(this.#silence);
    this.#outcome = outcome;
    this.#wake();
  }
}
