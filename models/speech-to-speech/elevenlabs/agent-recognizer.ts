import type { RecognitionOptions, RecognitionStream, SpeechRecognizer } from '../../ports.ts';
import type { Timers } from '../../../runtime/clock.ts';
import { SilenceFiller } from '../silence-filler.ts';

/** From the end of a voice to its words. After this time, the agent has heard no words. */
const WORDS_MS = 4_000;
/** Parts of one turn of the user that are kept. */
const MAX_PARTS = 100;
/** Audio that may wait for a connection, in windows of 32 ms: 30 s. */
const MAX_WAITING = 1_000;

export interface AgentRecognizerOptions {
  readonly provider: string;
  readonly timers: Timers;
  /** @param pcm 16 kHz. @returns whether there was a connection. */
  readonly send: (pcm: Int16Array) => boolean;
}

/** A recognizer that sends all audio to the agent. The agent's transcripts become the text of Parley's user turns. */
export class AgentRecognizer implements SpeechRecognizer {
  readonly name: string;
  readonly languages = 'any';
  readonly #options: AgentRecognizerOptions;
  #stream: RecognitionOptions | null = null;
  #waiting: Int16Array[] = [];
  #words: string[] = [];
  /** Finals that were asked for: the timer of each. */
  #asked: unknown[] = [];
  /** The agent leaves after a minute without sound. */
  readonly #silence: SilenceFiller;

  constructor(options: AgentRecognizerOptions) {
    this.name = options.provider;
    this.#options = options;
    this.#silence = new SilenceFiller(options.timers, options.send);
  }

  open(options: RecognitionOptions): RecognitionStream {
    this.#stream = options;
    const ifOpen = (run: () => void) => () => void (this.#stream === options && run());
    return {
      write: (pcm) => void (this.#stream === options && this.#write(pcm)),
      finish: ifOpen(() => this.#finish()),
      reset: ifOpen(() => (this.#words = [])),
      setLanguage() {},
      close: ifOpen(() => void this.close()),
    };
  }

  async close(): Promise<void> {
    this.#stream = null;
    this.#silence.close();
    for (const timer of this.#asked.splice(0)) this.#options.timers.clearTimeout(timer);
  }

  /** The agent takes sound from now on. */
  connected(): void {
    for (const pcm of this.#waiting.splice(0)) this.#write(pcm);
  }

  /** What is understood so far of what the user is saying. */
  hears(text: string): void {
    this.#stream?.handlers.partial([...this.#words, text].join(' '));
  }

  /** The agent has understood what the user said, and answers it now. */
  understood(text: string): void {
    this.#words = [...this.#words.slice(-MAX_PARTS), text];
    const timer = this.#asked.shift();
    if (timer !== undefined) {
      this.#options.timers.clearTimeout(timer);
      return this.#tell();
    }
    this.hears('');
    this.#stream?.handlers.endOfTurn?.(1);
  }

  #write(pcm: Int16Array): void {
    this.#silence.heard();
    if (this.#options.send(pcm)) return;
    this.#waiting.push(pcm);
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
  }

  #finish(): void {
    if (this.#words.length > 0 && this.#asked.length === 0) return this.#tell();
    const timer = this.#options.timers.setTimeout(() => {
      this.#asked.shift();
      this.#tell();
    }, WORDS_MS);
    this.#asked.push(timer);
  }

  #tell(): void {
    this.#stream?.handlers.final(this.#words.splice(0).join(' ').trim(), null);
  }
}
