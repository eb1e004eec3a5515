import type { RecognitionHandlers, RecognitionStream } from '../ports.ts';
import { PendingUtterance } from './pending-utterance.ts';
import type { FromRecognition, ToRecognition } from './recognition-messages.ts';

/** Longest time for a final, which usually takes 0.1 s. After that the process hangs, and is replaced. */
const HANG_MS = 20_000;
/** Processes that may end during one utterance. After that, the utterance itself may be the cause. */
const MAX_LOSSES = 2;

interface Answer {
  readonly text: string;
  readonly language: string;
  readonly confidence: number | undefined;
}

/** What a stream needs of its process. */
export interface RecognitionProcess {
  /** Messages are dropped while no process runs: the next one gets everything from `sendAgain`. */
  send(message: ToRecognition): void;
  newUtterance(): number;
  closed(): void;
  hung(): void;
}

/** One speaker's utterances. They are kept until their finals, so that another process can take over. */
export class ProcessStream implements RecognitionStream {
  readonly #handlers: RecognitionHandlers;
  readonly #process: RecognitionProcess;
  readonly #languages: readonly [string, ...string[]];
  #language: string;
  /** Utterances without a final, the oldest first. Only the last one may still be spoken. */
  readonly #utterances = new Map<number, PendingUtterance>();
  readonly #hangs = new Map<number, NodeJS.Timeout>();
  /** Finals that wait for the final of an earlier utterance. A process may finish the later one first. */
  readonly #early = new Map<number, Answer>();
  #life: 'open' | 'closed' = 'open';

  /**
   * @param languages ISO 639-1 codes of the model, the one to use if nobody says first. @param language of the speaker;
   * null: nobody says.
   */
  constructor(
    handlers: RecognitionHandlers,
    process: RecognitionProcess,
    languages: readonly [string, ...string[]],
    language: string | null,
  ) {
    this.#handlers = handlers;
    this.#process = process;
    this.#languages = languages;
    this.#language = this.#known(language);
  }

  write(pcm: Int16Array): void {
    if (this.#life === 'closed' || pcm.length === 0) return;
    const utterance = this.#spoken() ?? this.#begin();
    if (utterance.losses >= MAX_LOSSES) return;
    utterance.keep(pcm);
    this.#process.send({ type: 'write', utterance: utterance.id, pcm, language: utterance.language });
  }

  setVoice(voice: 'on' | 'off'): void {
    const utterance = this.#spoken();
    if (utterance !== undefined) this.#process.send({ type: 'voice', utterance: utterance.id, voice });
  }

  finish(): void {
    if (this.#life === 'closed') return;
    const utterance = this.#spoken() ?? this.#begin();
    utterance.state = 'finished';
    if (utterance.losses >= MAX_LOSSES) this.#giveUp(utterance);
    else this.#askFinal(utterance);
  }

  reset(): void {
    const utterance = this.#spoken();
    if (utterance === undefined) return;
    this.#utterances.delete(utterance.id);
    this.#process.send({ type: 'drop', utterance: utterance.id });
  }

  /** One that the model does not know changes nothing. */
  setLanguage(language: string | null): void {
    this.#language = this.#known(language);
  }

  close(): void {
    if (this.#life === 'closed') return;
    for (const id of this.#utterances.keys()) this.#process.send({ type: 'drop', utterance: id });
    this.#end();
    this.#process.closed();
  }

  receive(message: FromRecognition): void {
    if (message.type !== 'partial' && message.type !== 'final') return;
    const utterance = this.#utterances.get(message.utterance);
    if (utterance === undefined) return;
    if (message.type === 'final') {
      if (utterance.state === 'finished') this.#answer(utterance, message.text, message.confidence);
    } else if (utterance.isNews(message.samples)) {
      utterance.words = message.text;
      if (utterance.state === 'spoken') this.#handlers.partial(message.text, message.place);
    }
  }

  /** The process ended. @returns how many utterances are not tried again. They get the words so far. */
  lost(): number {
    this.#stopHangs();
    for (const utterance of this.#utterances.values()) utterance.lost();
    const unanswered = [...this.#utterances.values()].filter(({ id }) => !this.#early.has(id));
    const givenUp = unanswered.filter(({ losses }) => losses === MAX_LOSSES);
    for (const utterance of givenUp) if (utterance.state === 'finished') this.#giveUp(utterance);
    return givenUp.length;
  }

  /** Another process runs. */
  sendAgain(): void {
    for (const utterance of this.#utterances.values()) {
      if (utterance.losses >= MAX_LOSSES || this.#early.has(utterance.id)) continue;
      const { id, language } = utterance;
      for (const pcm of utterance.pieces) this.#process.send({ type: 'write', utterance: id, pcm, language });
      if (utterance.state === 'finished') this.#askFinal(utterance);
    }
  }

  fail(error: Error): void {
    if (this.#life === 'closed') return;
    this.#end();
    this.#handlers.failed(error);
  }

  #spoken(): PendingUtterance | undefined {
    const last = [...this.#utterances.values()].at(-1);
    return last?.state === 'spoken' ? last : undefined;
  }

  #begin(): PendingUtterance {
    const utterance = new PendingUtterance(this.#process.newUtterance(), this.#language);
    this.#utterances.set(utterance.id, utterance);
    return utterance;
  }

  #askFinal({ id }: PendingUtterance): void {
    this.#hangs.set(
      id,
      setTimeout(() => this.#process.hung(), HANG_MS),
    );
    this.#process.send({ type: 'finish', utterance: id });
  }

  #giveUp(utterance: PendingUtterance): void {
    this.#answer(utterance, utterance.words);
  }

  #known(language: string | null): string {
    return language !== null && this.#languages.includes(language) ? language : this.#languages[0];
  }

  #answer({ id, language }: PendingUtterance, text: string, confidence?: number): void {
    clearTimeout(this.#hangs.get(id));
    this.#hangs.delete(id);
    this.#early.set(id, { text, language, confidence });
    for (const oldest of this.#utterances.keys()) {
      const known = this.#early.get(oldest);
      if (known === undefined) return;
      this.#early.delete(oldest);
      this.#utterances.delete(oldest);
      this.#handlers.final(known.text, known.language, known.confidence);
    }
  }

  #end(): void {
    this.#life = 'closed';
    this.#stopHangs();
    this.#early.clear();
    this.#utterances.clear();
  }

  #stopHangs(): void {
    for (const timer of this.#hangs.values()) clearTimeout(timer);
    this.#hangs.clear();
  }
}
