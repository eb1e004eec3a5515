import type { RecognitionOptions, RecognitionStream, SpeechRecognizer } from '../ports.ts';
import { appendAudio, type ClientEvent } from './client-events.ts';
import { realtimeError } from './realtime-errors.ts';
import { SPEECH_RATE } from './response-speech.ts';
import { RateConverter } from '../rate-converter.ts';
import { SilenceFiller } from './silence-filler.ts';
import type { Timers } from '../../runtime/clock.ts';

/** Servers refuse to take shorter audio as a message. */
const MIN_MS = 100;
/** How much of the current sentence is sent again on a new connection. */
const KEPT_MS = 30_000;
/** Longer than any model waits before it takes the turn. Each second costs money. */
const MAX_SILENCE_MS = 10_000;
/** Events that may wait for a connection: the audio that is kept, in windows of 32 ms. */
const MAX_WAITING = 1_000;

export interface RealtimeRecognizerOptions {
  readonly provider: string;
  readonly timers: Timers;
  /** Who decides that the user has finished. With `model`, the server commits the audio as a message by itself. */
  readonly turnsBy: 'parley' | 'model';
  /** Sample rate of the model's input, Hz. @defaultValue 24,000 */
  readonly rate?: 16_000 | 24_000;
  /** @returns whether there was a connection. */
  readonly send: (event: ClientEvent) => boolean;
  /** The audio buffer was committed as a message of the user. */
  readonly committed: () => void;
  readonly configure: (options: Pick<RecognitionOptions, 'language' | 'keyTerms'>) => void;
}

/** What one turn of the user is waiting for: the texts of its items, in order. */
interface Awaited {
  readonly texts: (string | null)[];
  /** What is understood of them so far. */
  readonly words: string[];
  readonly items: string[];
  stage: 'taken' | 'finished';
}

/** A recognizer that sends the user's audio to the model, and returns the model's transcription. */
export class RealtimeRecognizer implements SpeechRecognizer {
  readonly name: string;
  readonly languages = 'any';
  readonly #options: RealtimeRecognizerOptions;
  #upsampler = new RateConverter(16_000, SPEECH_RATE);
  #utterance: Int16Array[] = [];
  #utteranceMs = 0;
  #waiting: ClientEvent[] = [];
  #link: 'up' | 'down' = 'down';
  /** With the model's turns: a voice was heard, and becomes a message when it stops. */
  #hears: 'nothing' | 'voice' = 'nothing';
  #stream: RecognitionOptions | null = null;
  readonly #silence: SilenceFiller;
  /** Of finished utterances, and with the model's turns of the one that is going on, the oldest first. */
  #awaited: Awaited[] = [];

  constructor(options: RealtimeRecognizerOptions) {
    this.name = options.provider;
    this.#options = options;
    const fill = (silence: Int16Array): void => void options.send(appendAudio(this.#atRate(silence)));
    this.#silence = new SilenceFiller(options.timers, fill, MAX_SILENCE_MS);
  }

  open(options: RecognitionOptions): RecognitionStream {
    this.#stream = options;
    this.#awaited = [];
    const ifOpen = (run: () => void) => () => void (this.#stream === options && run());
    this.#options.configure(options);
    return {
      write: (pcm) => void (this.#stream === options && this.#write(pcm)),
      finish: ifOpen(() => (this.#options.turnsBy === 'parley' ? this.#commit() : this.#await())),
      reset: ifOpen(() => this.#reset()),
      setLanguage: (language) => this.#options.configure({ language, keyTerms: options.keyTerms }),
      close: ifOpen(() => void this.close()),
    };
  }

  async close(): Promise<void> {
    this.#stream = null;
    this.#silence.close();
  }

  /** The server takes audio from now on. */
  connected(): void {
    this.#link = 'up';
    for (const event of this.#waiting.splice(0)) this.#send(event);
  }

  /** What was sent is lost. The sentence that is being said comes again, and what is said until the server is back. */
  disconnected(): void {
    // Another attempt has failed: nothing was sent meanwhile.
    if (this.#link === 'down') return;
    this.#link = 'down';
    this.#waiting = this.#utterance.map((pcm) => appendAudio(pcm));
    const lost = this.#awaited.length > 0;
    this.#hears = 'nothing';
    this.#awaited = [];
    if (lost) this.#stream?.handlers.failed(realtimeError(this.name, 'connect'));
  }

  /** The model's VAD hears a voice. */
  voiceBegan(): void {
    this.#hears = 'voice';
  }

  /** The server took the audio as a message. */
  taken(itemId: string): void {
    if (this.#options.turnsBy === 'parley') {
      const waiting = this.#awaited.find(({ items }) => items.length === 0);
      if (waiting !== undefined) addItem(waiting, itemId);
      return;
    }
    this.#hears = 'nothing';
    const empty = this.#awaited.find(({ stage, items }) => stage === 'taken' || items.length === 0);
    const open = empty ?? newAwaited('taken');
    if (empty === undefined) this.#awaited.push(open);
    addItem(open, itemId);
  }

  /** The server refused to take the audio: there is too little of it. */
  refused(): void {
    const waiting = this.#awaited.find(({ items }) => items.length === 0);
    if (waiting === undefined) return;
    takeNothing(waiting);
    this.#tell();
  }

  /**
   * More of an item is understood. Where Parley decides, an item is finished by then, and the user may be saying the
   * next one: these would be taken for its words.
   */
  words(itemId: string, piece: string): void {
    const awaited = this.#awaited.find(({ items }) => items.includes(itemId));
    if (this.#options.turnsBy === 'parley' || awaited?.stage !== 'taken') return;
    awaited.words[awaited.items.indexOf(itemId)] += piece;
    this.#stream?.handlers.partial(awaited.words.map((words) => words.trim()).join(' '));
  }

  /** @param text null: it could not be understood. */
  understood(itemId: string, text: string | null): void {
    for (const awaited of this.#awaited) {
      const at = awaited.items.indexOf(itemId);
      if (at !== -1) awaited.texts[at] = text ?? '';
    }
    this.#tell();
  }

  #write(pcm: Int16Array): void {
    const { rate = SPEECH_RATE, turnsBy } = this.#options;
    if (turnsBy === 'model') this.#silence.heard();
    const sound = this.#atRate(pcm);
    this.#utteranceMs += (sound.length * 1000) / rate;
    if (turnsBy === 'parley' && this.#utteranceMs < KEPT_MS) this.#utterance.push(sound);
    this.#send(appendAudio(sound));
  }

  #atRate(pcm: Int16Array): Int16Array {
    return (this.#options.rate ?? SPEECH_RATE) === SPEECH_RATE ? this.#upsampler.convert(pcm) : pcm;
  }

  #commit(): void {
    const tooShort = this.#utteranceMs < MIN_MS;
    this.#forgetUtterance();
    const awaited = newAwaited('finished');
    this.#awaited.push(awaited);
    if (tooShort) {
      takeNothing(awaited);
      return this.#tell();
    }
    this.#send({ type: 'input_audio_buffer.commit' });
    this.#options.committed();
  }

  /** The model has decided what belongs to the turn; nothing: it heard nothing. */
  #await(): void {
    const open = this.#awaited.find(({ stage }) => stage === 'taken') ?? newAwaited('taken');
    if (!this.#awaited.includes(open)) this.#awaited.push(open);
    open.stage = 'finished';
    this.#tell();
  }

  #reset(): void {
    if (this.#options.turnsBy === 'model') this.#awaited = this.#awaited.filter(({ stage }) => stage === 'finished');
    else this.#send({ type: 'input_audio_buffer.clear' });
    this.#forgetUtterance();
  }

  #send(event: ClientEvent): void {
    if (this.#options.send(event)) this.#link = 'up';
    else if (this.#waiting.length < MAX_WAITING) this.#waiting.push(event);
  }

  #forgetUtterance(): void {
    this.#utterance = [];
    this.#utteranceMs = 0;
  }

  /** Finals come in the order of the finishes. */
  #tell(): void {
    while (this.#awaited.length > 0) {
      const { stage, texts, items } = this.#awaited[0]!;
      const isTaken = this.#options.turnsBy === 'model' ? this.#hears === 'nothing' : texts.length > 0;
      if (stage !== 'finished' || (items.length === 0 && !isTaken) || texts.includes(null)) return;
      this.#awaited.shift();
      this.#stream?.handlers.final(texts.join(' ').trim(), null);
    }
  }
}

const newAwaited = (stage: Awaited['stage']): Awaited => ({ texts: [], words: [], items: [], stage });

function addItem({ items, texts, words }: Awaited, itemId: string): void {
  items.push(itemId);
  texts.push(null);
  words.push('');
}

/** No item comes of it: the next one is of the next utterance. */
function takeNothing({ items, texts, words }: Awaited): void {
  items.push('');
  texts.push('');
  words.push('');
}
