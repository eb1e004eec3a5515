import type { ProviderUse, SpeechSynthesizer, SynthesisChunk, SynthesisRequest } from '../../../models/ports.ts';
import type { Timers } from '../../../runtime/clock.ts';
import { runSynthesis, type SynthesisHandlers } from './synthesis-run.ts';

/** What nobody says within this time after it was prepared is not said any more. */
const KEPT_MS = 15_000;

type Outcome = { readonly is: 'ended' } | { readonly is: 'failed'; readonly message: string; readonly cause: unknown };

/** A sentence that is synthesized before it is certain that it is said. What arrives waits. */
export class PreparedSpeech {
  readonly #request: SynthesisRequest;
  readonly #stop: () => void;
  readonly #timers: Timers;
  readonly #timer: unknown;
  #chunks: SynthesisChunk[] = [];
  readonly #uses: ProviderUse[] = [];
  #outcome: Outcome | null = null;
  /** Who says it; null: nobody yet. */
  #handlers: SynthesisHandlers | null = null;

  constructor(synthesizer: SpeechSynthesizer, request: SynthesisRequest, timers: Timers) {
    this.#request = request;
    this.#timers = timers;
    this.#timer = timers.setTimeout(() => this.drop(), KEPT_MS);
    // Which voice spoke is told once it is heard.
    const used = (use: ProviderUse): void =>
      this.#handlers === null ? void this.#uses.push(use) : request.used?.(use);
    this.#stop = runSynthesis(synthesizer, { ...request, used }, timers, {
      chunk: (chunk) => (this.#handlers === null ? void this.#chunks.push(chunk) : this.#handlers.chunk(chunk)),
      ended: () => this.#end({ is: 'ended' }),
      failed: (message, cause) => this.#end({ is: 'failed', message, cause }),
    });
  }

  /** @returns whether it is what is to be said. A synthesis that failed is tried again. */
  is({ text, language, tuning }: SynthesisRequest): boolean {
    const { text: prepared, language: spoken, tuning: tuned } = this.#request;
    return this.#outcome?.is !== 'failed' && text === prepared && language === spoken && tuning === tuned;
  }

  /** It is said now: the handlers get what has arrived, and the rest as it comes. @returns a function that stops it. */
  say(handlers: SynthesisHandlers): () => void {
    this.#timers.clearTimeout(this.#timer);
    this.#handlers = handlers;
    for (const use of this.#uses.splice(0)) this.#request.used?.(use);
    for (const chunk of this.#chunks.splice(0)) handlers.chunk(chunk);
    if (this.#outcome !== null) this.#end(this.#outcome);
    return this.#stop;
  }

  drop(): void {
    this.#timers.clearTimeout(this.#timer);
    this.#stop();
    this.#chunks = [];
    this.#outcome = { is: 'failed', message: '', cause: null };
  }

  #end(outcome: Outcome): void {
    this.#outcome = outcome;
    if (outcome.is === 'ended') this.#handlers?.ended();
    else this.#handlers?.failed(outcome.message, outcome.cause);
  }
}
