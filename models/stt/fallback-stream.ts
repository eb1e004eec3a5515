import type { Timers } from '../../runtime/clock.ts';
import {
  failureCode,
  ProviderError,
  type ProviderErrorCode,
  type RecognitionOptions,
  type RecognitionStream,
} from '../ports.ts';
import type { CircuitBreaker } from '../circuit-breaker.ts';
import { PendingUtterance } from './pending-utterance.ts';
import type { Choose, RecognizerLink } from './recognizer-link.ts';

/** After this time without the final, the next recognizer is asked. The engine continues without a final after 8 s. */
const FINAL_LIMIT_MS = 4_000;
const SAMPLES_PER_MS = 16;
/** Five seconds: so much of what a recognizer was given is not told when a call ends. */
const MAX_UNTOLD_SAMPLES = 5_000 * SAMPLES_PER_MS;

export interface FallbackStreamTools {
  /** Place of a recognizer in the operator's order. */
  place(link: RecognizerLink): number;
  readonly circuits: CircuitBreaker;
  readonly timers: Timers;
  measured(result: 'partial' | 'final', provider: string, ms: number): void;
  failed(provider: string, code: ProviderErrorCode): void;
}

interface Current {
  readonly link: RecognizerLink;
  readonly stream: RecognitionStream;
  /** What it was given since that was told. */
  untoldSamples: number;
  /** On the clock of `CircuitBreaker`. */
  readonly askedAt: number;
}

/** An utterance, and which recognizers have tried it. */
interface Tried {
  readonly kept: PendingUtterance;
  readonly by: Set<RecognizerLink>;
  /** When the present recognizer began to get its audio, on the clock of the timers. Null: it has given words. */
  wordlessSince: number | null;
  /** When its final was requested of the present recognizer, on the clock of the timers. */
  finishedAt: number;
  /** Words of the previous recognizer that were shown. The present one shows nothing until it has more. */
  wordsToReach: number;
}

/** One speaker's stream over several recognizers. */
export class FallbackStream implements RecognitionStream {
  readonly #options: RecognitionOptions;
  readonly #choose: Choose;
  readonly #tools: FallbackStreamTools;
  #language: string | null;
  #current: Current | null = null;
  /** Utterances without a final, the oldest first. Only the last one may still be spoken. */
  #utterances: Tried[] = [];
  #timer: unknown = null;
  #nextId = 1;
  #life: 'open' | 'over' = 'open';

  constructor(options: RecognitionOptions, choose: Choose, tools: FallbackStreamTools) {
    this.#options = options;
    this.#choose = choose;
    this.#tools = tools;
    this.#language = options.language;
    // Before the first word: a connection takes a while.
    this.#open(choose(options.language));
    if (this.#current === null) throw new ProviderError('recognizers', 'unavailable', 'No recognizer can be opened.');
  }

  write(pcm: Int16Array): void {
    if (this.#life === 'over') return;
    this.#spoken().kept.keep(pcm);
    if (this.#current === null) return;
    give(this.#current, pcm);
    // Who ends a call in the middle of a sentence has used the recognizer, too.
    if (this.#current.untoldSamples >= MAX_UNTOLD_SAMPLES) this.#meter(this.#current);
  }

  setVoice(voice: 'on' | 'off'): void {
    if (this.#life === 'open') this.#current?.stream.setVoice?.(voice);
  }

  finish(): void {
    if (this.#life === 'over') return;
    const utterance = this.#spoken();
    utterance.kept.state = 'finished';
    utterance.finishedAt = this.#tools.timers.now();
    this.#current?.stream.finish();
    this.#watch();
  }

  reset(): void {
    if (this.#utterances.at(-1)?.kept.state === 'spoken') this.#utterances.pop();
    this.#current?.stream.reset();
  }

  setLanguage(language: string | null): void {
    this.#language = language;
    this.#current?.stream.setLanguage(language);
  }

  close(): void {
    if (this.#life === 'over') return;
    this.#life = 'over';
    this.#tools.timers.clearTimeout(this.#timer);
    if (this.#current !== null) this.#leave(this.#current);
  }

  /**
   * The utterance that is being spoken. A new one may begin with another recognizer, if the present one owes no final.
   */
  #spoken(): Tried {
    const last = this.#utterances.at(-1);
    if (last?.kept.state === 'spoken') return last;
    if (this.#utterances.length === 0) this.#changeToBest();
    const utterance = {
      kept: new PendingUtterance(this.#nextId++),
      by: new Set<RecognizerLink>(),
      wordlessSince: this.#tools.timers.now(),
      finishedAt: 0,
      wordsToReach: 0,
    };
    if (this.#current !== null) utterance.by.add(this.#current.link);
    this.#utterances.push(utterance);
    return utterance;
  }

  #changeToBest(): void {
    const choice = this.#choose(this.#language);
    const before = this.#current;
    if (before !== null && choice[0] === before.link) return;
    this.#current = null;
    this.#open(choice);
    if (this.#current === null) this.#current = before;
    else if (before !== null) this.#leave(before);
  }

  /** Opens the first of these that can be opened, and gives it the audio of all utterances without a final. */
  #open(choice: readonly RecognizerLink[]): void {
    for (const link of choice) {
      const askedAt = this.#tools.circuits.asked(link.provider);
      const is = (current: Current | null): boolean => this.#life === 'open' && current === opened;
      let opened: Current | null = null;
      let early: Error | null = null;
      try {
        const stream = link.recognizer.open({
          ...this.#options,
          language: this.#language,
          handlers: {
            partial: (text, place) => is(this.#current) && this.#partial(text, place),
            final: (text, language, confidence) => is(this.#current) && this.#final(text, language, confidence),
            endOfTurn: (probability) => is(this.#current) && this.#options.handlers.endOfTurn?.(probability),
            failed: (error) => {
              if (opened === null) early = error;
              else if (is(this.#current)) this.#replace(error);
            },
          },
        });
        if (early !== null) throw early as Error;
        opened = { link, stream, askedAt, untoldSamples: 0 };
        this.#current = opened;
        for (const { by } of this.#utterances) by.add(link);
        this.#sayAgain(opened);
        return;
      } catch (error) {
        this.#blame(link, askedAt, error);
      }
    }
  }

  #sayAgain(current: Current): void {
    for (const utterance of this.#utterances) {
      // All of its audio comes at once, so the time to its first words says nothing.
      utterance.wordlessSince = null;
      utterance.wordsToReach = countWords(utterance.kept.words);
      for (const piece of utterance.kept.pieces) give(current, piece);
      if (utterance.kept.state === 'spoken') continue;
      utterance.finishedAt = this.#tools.timers.now();
      current.stream.finish();
    }
    this.#watch();
  }

  #partial(text: string, place?: 'behind'): void {
    const utterance = this.#utterances.at(-1);
    if (utterance?.kept.state !== 'spoken' || countWords(text) < utterance.wordsToReach) return;
    utterance.wordsToReach = 0;
    utterance.kept.words = text;
    this.#measureFirstWords(utterance, text);
    this.#options.handlers.partial(text, place);
  }

  #measureFirstWords(utterance: Tried, text: string): void {
    if (utterance.wordlessSince === null || text === '' || this.#current === null) return;
    const { measured, timers } = this.#tools;
    measured('partial', this.#current.link.provider, timers.now() - utterance.wordlessSince);
    utterance.wordlessSince = null;
  }

  #final(text: string, language: string | null, confidence?: number): void {
    const current = this.#current;
    const utterance = this.#utterances.shift();
    if (current === null || utterance === undefined) return;
    const { circuits, timers, measured, place } = this.#tools;
    circuits.succeeded(current.link.provider);
    measured('final', current.link.provider, timers.now() - utterance.finishedAt);
    this.#watch();
    this.#meter(current);
    this.#options.handlers.used?.({ provider: current.link.provider, place: place(current.link) });
    this.#options.handlers.final(text, language, confidence);
  }

  /** If there is another recognizer, the present one must give the oldest final in time. */
  #watch(): void {
    const { timers } = this.#tools;
    timers.clearTimeout(this.#timer);
    this.#timer = null;
    const oldest = this.#utterances[0];
    if (oldest?.kept.state !== 'finished' || this.#untried(oldest).length === 0) return;
    this.#timer = timers.setTimeout(
      () => this.#replace(new ProviderError('recognizer', 'timeout', 'The recognizer did not answer in time.')),
      oldest.finishedAt + FINAL_LIMIT_MS - timers.now(),
    );
  }

  #untried({ by }: Tried): readonly RecognizerLink[] {
    return this.#choose(this.#language).filter((link) => !by.has(link));
  }

  /** The present recognizer failed or hangs. */
  #replace(error: Error): void {
    const lost = this.#current;
    if (lost === null) return;
    this.#current = null;
    this.#blame(lost.link, lost.askedAt, error);
    this.#leave(lost);
    const oldest = this.#utterances[0];
    const others = this.#choose(this.#language).filter((link) => link !== lost.link && oldest?.by.has(link) !== true);
    this.#open(others);
    if (this.#current !== null) return;
    this.close();
    this.#options.handlers.failed(error);
  }

  #leave(current: Current): void {
    this.#meter(current);
    current.stream.close();
  }

  #meter(current: Current): void {
    const audioMs = Math.floor(current.untoldSamples / SAMPLES_PER_MS);
    if (audioMs === 0) return;
    current.untoldSamples -= audioMs * SAMPLES_PER_MS;
    const { provider } = current.link;
    this.#options.handlers.metered?.({ provider, place: this.#tools.place(current.link), amounts: { audioMs } });
  }

  #blame({ provider }: RecognizerLink, askedAt: number, error: unknown): void {
    this.#tools.circuits.failed(provider, askedAt, error instanceof ProviderError ? error.retryAfterMs : 0);
    this.#tools.failed(provider, failureCode(error));
  }
}

function give(current: Current, pcm: Int16Array): void {
  current.stream.write(pcm);
  current.untoldSamples += pcm.length;
}

function countWords(text: string): number {
  return text.match(/\S+/gu)?.length ?? 0;
}
