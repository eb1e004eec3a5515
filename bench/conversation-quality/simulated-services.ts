import type { SessionCommand } from '../../actors/commands.ts';
import type { SessionEvent } from '../../actors/events.ts';
import type { SteppingClock } from '../../actors/kernel/stepping-clock.ts';
import { ANSWERS } from './inventory.ts';
import type { Random } from './random.ts';

/** The persona's speech as it was sent: its time, and when it was lowered. */
export interface VoiceTrack {
  readonly spans: { start: number; end: number }[];
  readonly ducked: { start: number; end: number }[];
}

interface Segment {
  readonly id: string;
  readonly text: string;
  readonly pauseMs: number;
  readonly durationMs: number;
  ready: boolean;
}

/** Delays of usual hosted services, ms. */
const FIRST_TOKEN_MS = [220, 380] as const;
const TOKEN_MS = 18;
const FIRST_AUDIO_MS = [80, 150] as const;
const FINAL_MS = [120, 280] as const;
const PARTIAL_MS = [180, 330] as const;
const MS_PER_LETTER = 64;

/** STT, LLM and TTS that answer a session's commands, with the delays and errors of real ones. */
export class SimulatedServices {
  readonly track: VoiceTrack = { spans: [], ducked: [] };
  readonly #clock: SteppingClock;
  readonly #random: Random;
  readonly #dispatch: (event: SessionEvent) => void;
  readonly #cancelled = new Set<string>();
  #queue: Segment[] = [];
  #playing: { segment: Segment; startedAt: number } | null = null;
  /** Audio that was cut belongs to an older epoch. */
  #epoch = 0;
  #words: string[] = [];
  #utterance = 0;

  constructor(clock: SteppingClock, random: Random, dispatch: (event: SessionEvent) => void) {
    this.#clock = clock;
    this.#random = random;
    this.#dispatch = dispatch;
  }

  /** Length of the next answers. */
  answer: 'short' | 'long' = 'long';

  get speaking(): boolean {
    return this.#playing !== null;
  }

  /** The user has said a word. It appears in the partial text a little later. */
  hear(word: string, mistakes: number): void {
    const heard = this.#misheard(word, mistakes);
    if (heard === null) return;
    const utterance = this.#utterance;
    this.#words.push(heard);
    const text = this.#words.join(' ');
    this.#after(this.#random.between(...PARTIAL_MS), () => {
      if (utterance === this.#utterance) this.#dispatch({ type: 'stt.partial', text });
    });
  }

  perform(command: SessionCommand): void {
    switch (command.type) {
      case 'stt.finish':
        return this.#finish();
      case 'stt.reset':
        this.#words = [];
        this.#utterance += 1;
        return;
      case 'llm.request':
        return this.#answer(command.requestId);
      case 'llm.cancel':
        this.#cancelled.add(command.requestId);
        return;
      case 'speech.say':
        return this.#say({
          id: command.segmentId,
          text: command.text,
          pauseMs: command.pauseMs,
          durationMs: command.text.length * MS_PER_LETTER,
          ready: false,
        });
      case 'speech.duck':
        this.#unduck();
        this.track.ducked.push({ start: this.#clock.now(), end: Infinity });
        return;
      case 'speech.unduck':
        return this.#unduck();
      case 'speech.cut':
        return this.#cut();
      default:
    }
  }

  #misheard(word: string, mistakes: number): string | null {
    if (this.#random.chance(mistakes / 2)) return null;
    return this.#random.chance(mistakes)
      ? this.#random.pick(['the', 'a', 'it', 'and', 'there', 'two', 'their', 'in'])
      : word;
  }

  #finish(): void {
    const text = this.#words.join(' ');
    this.#words = [];
    this.#utterance += 1;
    this.#after(this.#random.between(...FINAL_MS), () => this.#dispatch({ type: 'stt.final', text, language: 'en' }));
  }

  #answer(requestId: string): void {
    const whole = this.#random.pick(ANSWERS);
    const tokens =
      (this.answer === 'long' ? whole : (/^(?:[^.]*\.){2}/.exec(whole)?.[0] ?? whole)).match(/\s*\S+/g) ?? [];
    const first = this.#random.between(...FIRST_TOKEN_MS);
    for (const [at, text] of tokens.entries()) {
      this.#after(first + at * TOKEN_MS, () => {
        if (!this.#cancelled.has(requestId)) this.#dispatch({ type: 'llm.text', requestId, text });
      });
    }
    this.#after(first + tokens.length * TOKEN_MS, () => {
      if (!this.#cancelled.has(requestId)) this.#dispatch({ type: 'llm.done', requestId });
    });
  }

  #say(segment: Segment): void {
    const epoch = this.#epoch;
    this.#queue.push(segment);
    this.#after(this.#random.between(...FIRST_AUDIO_MS), () => {
      if (epoch !== this.#epoch) return;
      segment.ready = true;
      this.#dispatch({ type: 'speech.firstAudio', segmentId: segment.id });
      this.#dispatch({
        type: 'speech.timing',
        segmentId: segment.id,
        words: [],
        durationMs: segment.durationMs,
        complete: true,
      });
      this.#playNext();
    });
  }

  #playNext(): void {
    const segment = this.#queue[0];
    if (this.#playing !== null || segment?.ready !== true) return;
    const epoch = this.#epoch;
    this.#queue.shift();
    this.#playing = { segment, startedAt: this.#clock.now() };
    this.track.spans.push({ start: this.#clock.now(), end: Infinity });
    this.#dispatch({ type: 'speech.started', segmentId: segment.id });
    this.#after(segment.durationMs, () => {
      if (epoch !== this.#epoch) return;
      this.#stopTrack();
      this.#playing = null;
      this.#dispatch({ type: 'speech.finished', segmentId: segment.id });
      this.#after(segment.pauseMs, () => this.#playNext());
    });
  }

  #cut(): void {
    const playing = this.#playing;
    this.#stopTrack();
    this.#epoch += 1;
    this.#queue = [];
    this.#playing = null;
    this.#dispatch({
      type: 'speech.cut',
      segmentId: playing?.segment.id ?? null,
      playedMs: playing === null ? 0 : this.#clock.now() - playing.startedAt,
    });
  }

  #stopTrack(): void {
    const last = this.track.spans.at(-1);
    if (last?.end === Infinity) last.end = this.#clock.now();
  }

  #unduck(): void {
    const last = this.track.ducked.at(-1);
    if (last?.end === Infinity) last.end = this.#clock.now();
  }

  #after(ms: number, fn: () => void): void {
    this.#clock.setTimeout(fn, ms);
  }
}
