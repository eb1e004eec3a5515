import type { RecognitionOptions, RecognitionStream, SpeechRecognizer } from '../../../models/ports.ts';
import type { Timers } from '../../../runtime/clock.ts';
import type { AudioInEvent } from '../../ports.ts';
import type { Recognition } from './recognition.ts';

/**
 * What one session is told of its recognition: exactly one final for each `finish()`, whatever happens to the
 * recognizer; before it, which recognizer of several gave it. A failure is told when several recognizers in a row died
 * without a word, and again after one worked in between.
 */
type RecognitionEvent = Extract<
  AudioInEvent,
  { type: 'stt.partial' | 'stt.final' | 'stt.failed' | 'endOfTurn.predicted' | 'provider.used' | 'provider.metered' }
>;

/** A recognizer that gives no final for so long, though one is awaited, hangs: its words so far are taken. */
export const FINAL_TIMEOUT_MS = 8_000;
/**
 * One that gives a final now and then is only slow, and its next one is waited for until then; so is one that has read
 * no word yet: there is nothing to go on with. The floor takes a final for up to 15 s.
 */
const MAX_WAIT_MS = 14_000;
/** Streams that one utterance may use up; after that it waits for the next utterance instead of trying on. */
const MAX_STREAMS_PER_UTTERANCE = 2;
/** This many streams lost in a row, without any result between them, are not a mishap. */
const UNAVAILABLE_AFTER_LOSSES = 3;

/** What is known of an utterance that is being spoken. */
interface Utterance {
  /** Words that a lost stream had found, to be put before those of the next one. */
  before: string;
  /** Words of the present stream. */
  words: string;
  lostStreams: number;
  /** The first sign of silence is told once, and so is that the voice goes on. */
  voice: 'on' | 'off';
}

/**
 * One session's utterances: sound in, words out. Recognizers come and go; the promise of one final for each `finish()`
 * stays. When a recognizer dies or hangs, the words that it had found so far are kept.
 */
export class RecognitionSession implements Recognition {
  readonly #recognizer: SpeechRecognizer;
  readonly #tell: (event: RecognitionEvent) => void;
  readonly #timers: Timers;
  readonly #keyTerms: readonly string[];
  readonly #preferred: string | null;
  #language: string | null;
  #stream: RecognitionStream | null = null;
  /** Null while nothing of the current utterance was written. */
  #current: Utterance | null = null;
  /** Utterances whose final is awaited, oldest first. */
  readonly #awaited: { readonly utterance: Utterance; readonly askedAt: number }[] = [];
  /** Runs while a final is awaited. */
  #timer: unknown = null;
  #lossesInRow = 0;
  #life: 'open' | 'closed' = 'open';

  constructor(
    recognizer: SpeechRecognizer,
    { language, keyTerms, preferred = null }: Omit<RecognitionOptions, 'handlers'>,
    tell: (event: RecognitionEvent) => void,
    timers: Timers,
  ) {
    this.#recognizer = recognizer;
    this.#language = language;
    this.#keyTerms = keyTerms;
    this.#preferred = preferred;
    this.#tell = tell;
    this.#timers = timers;
  }

  /** @param pcm 16 kHz mono. */
  write(pcm: Int16Array): void {
    if (this.#life === 'closed') return;
    this.#current ??= newUtterance();
    if (this.#current.lostStreams >= MAX_STREAMS_PER_UTTERANCE) return;
    this.#stream ??= this.#open();
    this.#stream?.write(pcm);
  }

  /** Of what was written last. */
  setVoice(voice: 'on' | 'off'): void {
    if (this.#current === null || this.#current.voice === voice) return;
    this.#current.voice = voice;
    this.#stream?.setVoice?.(voice);
  }

  finish(): void {
    if (this.#life === 'closed') return;
    const utterance = this.#current;
    this.#current = null;
    const nothingToAwait = this.#stream === null || utterance === null;
    // Finals come in the order of the finishes, so an empty one waits for those before it.
    if (nothingToAwait && this.#awaited.length === 0) return this.#tellFinal(textOf(utterance), this.#language);
    this.#awaited.push({ utterance: utterance ?? newUtterance(), askedAt: this.#timers.now() });
    if (this.#awaited.length === 1) this.#waitForOldest();
    this.#stream?.finish();
  }

  reset(): void {
    this.#current = null;
    this.#stream?.reset();
  }

  /** From the next utterance on. */
  setLanguage(language: string | null): void {
    this.#language = language;
    this.#stream?.setLanguage(language);
  }

  close(): void {
    if (this.#life === 'closed') return;
    this.#life = 'closed';
    this.#timers.clearTimeout(this.#timer);
    this.#awaited.length = 0;
    this.#stream?.close();
    this.#stream = null;
  }

  #open(): RecognitionStream | null {
    try {
      const opened: RecognitionStream = this.#recognizer.open({
        language: this.#language,
        keyTerms: this.#keyTerms,
        preferred: this.#preferred,
        handlers: {
          partial: (text, place) => this.#stream === opened && this.#partial(text, place),
          final: (text, language, confidence) => this.#stream === opened && this.#final(text, language, confidence),
          endOfTurn: (probability) =>
            this.#stream === opened &&
            this.#current !== null &&
            this.#tell({ type: 'endOfTurn.predicted', probability }),
          failed: () => this.#stream === opened && this.#dropStream(),
          used: (use) => this.#stream === opened && this.#tell({ type: 'provider.used', service: 'stt', ...use }),
          metered: (use) => this.#tell({ type: 'provider.metered', service: 'stt', ...use }),
        },
      });
      return opened;
    } catch {
      this.#dropStream();
      return null;
    }
  }

  #partial(words: string, place?: 'behind'): void {
    this.#lossesInRow = 0;
    // Of an utterance that was finished or reset meanwhile.
    if (this.#current === null) return;
    this.#current.words = words;
    this.#tell({ type: 'stt.partial', text: textOf(this.#current), ...(place !== undefined && { place }) });
  }

  #final(words: string, language: string | null, confidence?: number): void {
    this.#lossesInRow = 0;
    const awaited = this.#awaited.shift();
    if (awaited === undefined) return;
    this.#waitForOldest();
    this.#tellFinal(textOf({ ...awaited.utterance, words }), language, confidence);
  }

  #tellFinal(text: string, language: string | null, confidence?: number): void {
    this.#tell({ type: 'stt.final', text, language, ...(confidence !== undefined && { confidence }) });
  }

  /** From now on. */
  #waitForOldest(): void {
    this.#timers.clearTimeout(this.#timer);
    const [oldest] = this.#awaited;
    if (oldest === undefined) return;
    const left = Math.max(0, oldest.askedAt + MAX_WAIT_MS - this.#timers.now());
    const wait = textOf(oldest.utterance) === '' ? left : Math.min(FINAL_TIMEOUT_MS, left);
    this.#timer = this.#timers.setTimeout(() => this.#dropStream(), wait);
  }

  /**
   * The stream died or hangs. Its open requests are answered with what is known; the next audio opens another stream.
   */
  #dropStream(): void {
    const stream = this.#stream;
    this.#stream = null;
    stream?.close();
    if (this.#current !== null) {
      const { lostStreams, voice } = this.#current;
      this.#current = { before: textOf(this.#current), words: '', lostStreams: lostStreams + 1, voice };
    }
    this.#timers.clearTimeout(this.#timer);
    for (const { utterance } of this.#awaited.splice(0)) this.#tellFinal(textOf(utterance), this.#language);
    this.#lossesInRow++;
    if (this.#lossesInRow === UNAVAILABLE_AFTER_LOSSES) {
      this.#tell({ type: 'stt.failed', message: 'Speech recognition is not available.' });
    }
  }
}

const newUtterance = (): Utterance => ({ before: '', words: '', lostStreams: 0, voice: 'on' });

function textOf(utterance: Utterance | null): string {
  if (utterance === null) return '';
  return [utterance.before, utterance.words].filter((words) => words !== '').join(' ');
}
