import type { Timers } from '../../../runtime/clock.ts';
import type { RecognitionOptions, RecognitionStream } from '../../ports.ts';
import { PendingUtterance } from '../pending-utterance.ts';
import { silent, type ConnectionEnd } from './connection-error.ts';
import type { StreamingProtocol } from './protocol.ts';
import { StreamingLink } from './streaming-link.ts';

/**
 * Longest time from `finish` to the final, with reconnecting. It is shorter than the 3 s after which a turn continues
 * without its final.
 */
const FINAL_WITHIN_MS = 2_500;
/** Connections in a row without words. After these, the stream fails, and another recognizer may take over. */
const MAX_ATTEMPTS = 4;
/** Connections that one utterance may use. After these, the utterance itself may be the cause. */
const MAX_LOSSES = 3;
/** Wait before the second attempt. It doubles with each further one. The first attempt is made at once. */
const FIRST_WAIT_MS = 200;
/** If the service asks to wait longer than this, the stream fails. */
const MAX_WAIT_MS = 2_000;

interface Utterance {
  readonly kept: PendingUtterance;
  readonly language: string | null;
  /** The connection that has the utterance. */
  link: StreamingLink | null;
  deadline: unknown;
  outcome: {
    readonly text: string;
    readonly language: string | null;
    readonly confidence: number | undefined;
  } | null;
}

/**
 * One speaker's utterances at a service. They are kept until their finals. If the connection is lost, another one gets
 * their audio from the beginning, so that no words are lost, and none come twice.
 */
export class StreamingStream implements RecognitionStream {
  readonly #protocol: StreamingProtocol;
  readonly #options: RecognitionOptions;
  readonly #timers: Timers;
  readonly #closed: () => void;
  /** Utterances without a final, the oldest first. Only the last one may still be spoken. */
  #utterances: Utterance[] = [];
  /** The connection for the present language. */
  #link: StreamingLink | null = null;
  /** Connections for earlier languages. They are closed when they owe no final. */
  readonly #retiring = new Set<StreamingLink>();
  #language: string | null;
  #attempts = 0;
  #nextAttempt: unknown = null;
  #nextId = 1;
  #life: 'open' | 'closed' = 'open';

  constructor(protocol: StreamingProtocol, options: RecognitionOptions, timers: Timers, closed: () => void) {
    this.#protocol = protocol;
    this.#options = options;
    this.#timers = timers;
    this.#closed = closed;
    this.#language = options.language;
    this.#connect();
  }

  write(pcm: Int16Array): void {
    if (this.#life === 'closed' || pcm.length === 0) return;
    const utterance = this.#spoken() ?? this.#begin();
    utterance.kept.keep(pcm);
    if (utterance.link !== null) utterance.link.write(utterance.kept, pcm);
    else this.#sendAll();
  }

  finish(): void {
    if (this.#life === 'closed') return;
    const spoken = this.#spoken();
    const utterance = spoken ?? this.#begin();
    utterance.kept.state = 'finished';
    // Without audio there is nothing to request.
    if (spoken === undefined) return this.#answer(utterance, '', utterance.language);
    utterance.deadline = this.#timers.setTimeout(() => this.#tooLate(utterance), FINAL_WITHIN_MS);
    if (utterance.link !== null) utterance.link.finish(utterance.kept);
    else this.#sendAll();
  }

  reset(): void {
    const utterance = this.#spoken();
    if (utterance === undefined) return;
    this.#utterances.pop();
    // The final is requested, so that late words are not taken for the next utterance.
    utterance.link?.finish(utterance.kept);
  }

  setLanguage(language: string | null): void {
    if (this.#life === 'closed' || language === this.#language) return;
    this.#language = language;
    if (this.#utterances.length === 0) this.#changeLink();
  }

  close(): void {
    if (this.#life === 'closed') return;
    this.#life = 'closed';
    this.#stopWaiting();
    for (const { deadline } of this.#utterances) this.#timers.clearTimeout(deadline);
    this.#utterances = [];
    this.#link?.close();
    for (const link of this.#retiring) link.close();
    this.#closed();
  }

  #spoken(): Utterance | undefined {
    const last = this.#utterances.at(-1);
    return last?.kept.state === 'spoken' ? last : undefined;
  }

  #begin(): Utterance {
    if (this.#link !== null && this.#link.expected.language !== this.#language) this.#changeLink();
    const utterance: Utterance = {
      kept: new PendingUtterance(this.#nextId++),
      language: this.#language,
      link: null,
      deadline: null,
      outcome: null,
    };
    this.#utterances.push(utterance);
    return utterance;
  }

  #changeLink(): void {
    const before = this.#link;
    this.#link = null;
    this.#stopWaiting();
    this.#attempts = 0;
    if (before !== null) this.#retiring.add(before);
    this.#closeRetired();
    this.#connect();
  }

  #closeRetired(): void {
    for (const link of this.#retiring) {
      if (this.#utterances.some((utterance) => utterance.link === link)) continue;
      this.#retiring.delete(link);
      link.close();
    }
  }

  #connect(): void {
    this.#stopWaiting();
    this.#attempts += 1;
    const expected = { language: this.#language, keyTerms: this.#options.keyTerms };
    const { handlers } = this.#options;
    const link: StreamingLink = new StreamingLink(
      this.#protocol,
      expected,
      {
        opened: () => link === this.#link && this.#sendAll(),
        partial: (kept, text) => this.#partial(kept, text),
        final: (kept, text, language, confidence) => {
          this.#attempts = 0;
          const utterance = this.#utterances.find((known) => known.kept === kept);
          if (utterance?.kept.state === 'finished') this.#answer(utterance, text, language, confidence);
        },
        endOfTurn: (kept, probability) => {
          if (this.#spoken()?.kept === kept) handlers.endOfTurn?.(probability);
        },
        ended: (end) => this.#lost(link, end),
      },
      this.#timers,
    );
    this.#link = link;
  }

  /** Sends what the connection does not have yet, or opens a connection. */
  #sendAll(): void {
    if (this.#link === null) {
      if (this.#nextAttempt === null) this.#connect();
      return;
    }
    if (!this.#link.open) return;
    for (const utterance of this.#utterances) {
      if (utterance.link !== null || utterance.outcome !== null) continue;
      utterance.link = this.#link;
      for (const pcm of utterance.kept.pieces) this.#link?.write(utterance.kept, pcm);
      if (utterance.kept.state === 'finished') this.#link?.finish(utterance.kept);
    }
  }

  #partial(kept: PendingUtterance, text: string): void {
    this.#attempts = 0;
    const utterance = this.#utterances.find((known) => known.kept === kept);
    if (utterance === undefined || text === '') return;
    // A second connection gets the utterance from its beginning. Until it has caught up, its partial texts are not
    // passed on.
    if (kept.losses > 0 && wordsIn(text) < wordsIn(kept.words)) return;
    kept.words = text;
    if (kept.state === 'spoken') this.#options.handlers.partial(text);
  }

  #answer(utterance: Utterance, text: string, language: string | null, confidence?: number): void {
    this.#timers.clearTimeout(utterance.deadline);
    utterance.outcome = { text: text.trim(), language, confidence };
    this.#closeRetired();
    // Finals are passed on in the order of the utterances, from any connection.
    while (this.#life === 'open') {
      const outcome = this.#utterances[0]?.outcome;
      if (outcome === null || outcome === undefined) break;
      this.#utterances.shift();
      this.#options.handlers.final(outcome.text, outcome.language, outcome.confidence);
    }
    this.#closeRetired();
  }

  /** Gives the words so far as the final. Later results of the utterance must not reach the next one. */
  #tooLate(utterance: Utterance): void {
    const { link } = utterance;
    this.#answer(utterance, utterance.kept.words, utterance.language);
    if (link === null || this.#life === 'closed') return;
    link.close();
    this.#lost(link, silent(this.#protocol.name));
  }

  #lost(link: StreamingLink, end: ConnectionEnd): void {
    if (this.#life === 'closed') return;
    const had = this.#utterances.filter((utterance) => utterance.link === link && utterance.outcome === null);
    if (this.#retiring.delete(link)) {
      // It is for another language than the next connection.
      for (const utterance of had) this.#answer(utterance, utterance.kept.words, utterance.language);
      return;
    }
    if (link !== this.#link) return;
    this.#link = null;
    for (const utterance of had) {
      utterance.link = null;
      utterance.kept.lost();
    }
    const hopeless = had.some(({ kept }) => kept.losses >= MAX_LOSSES) || this.#attempts >= MAX_ATTEMPTS;
    const wait = Math.max(end.error.retryAfterMs, this.#attempts <= 1 ? 0 : FIRST_WAIT_MS * 2 ** (this.#attempts - 2));
    if (end.next === 'give up' || hopeless || wait > MAX_WAIT_MS) return this.#fail(end.error);
    // An idle connection that the service closes is only replaced at once if it can be kept open.
    const isWanted = this.#utterances.length > 0 || this.#protocol.keepAliveEveryMs !== null;
    if (isWanted) this.#nextAttempt = this.#timers.setTimeout(() => this.#connect(), wait);
  }

  #stopWaiting(): void {
    if (this.#nextAttempt !== null) this.#timers.clearTimeout(this.#nextAttempt);
    this.#nextAttempt = null;
  }

  #fail(error: Error): void {
    this.close();
    this.#options.handlers.failed(error);
  }
}

function wordsIn(text: string): number {
  return text.trim().split(/\s+/).length;
}
