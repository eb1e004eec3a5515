import type { Timers } from '../../../runtime/clock.ts';
import type { Answer } from '../answer.ts';
import { letters } from '../conversation-items.ts';
import { readExpressiveTags, type TextCue } from './expressive-tags.ts';

/**
 * Most agents do not tell that they have said all. So an answer is over when all that came was played, as nobody plays it
 * faster than it is, and nothing more came for so long.
 */
const QUIET_MS = 700;
/** Of one answer, UTF-16 units. */
const MAX_TEXT_LENGTH = 64 * 1024;
/** Of speech, where the agent gives no times: 16 letters a second. */
const LETTER_MS = 62;

/** One answer of the agent while it comes: its words and sound, in either order, and when it is over. */
export class AgentSpeech {
  readonly answer: Answer;
  /** What the agent believes that it said. */
  believed = '';
  readonly #timers: Timers;
  #letters = 0;
  #cues: TextCue[] = [];
  #beganAt: number | null = null;
  /** `stopped`: its words are all there, the rest of their sound never comes. */
  #sound: 'coming' | 'complete' | 'stopped' = 'coming';
  #timer: unknown = null;

  constructor(answer: Answer, timers: Timers) {
    this.answer = answer;
    this.#timers = timers;
    // Its words alone: no sound may follow.
    this.#waitOn(QUIET_MS * 4);
  }

  get hasWords(): boolean {
    return this.#letters > 0;
  }

  /** Whether all that came of it has been heard for a while, where it is played as it comes. */
  get isPlayed(): boolean {
    return this.answer.isOver || (this.#beganAt !== null && this.#leftMs() <= 0);
  }

  /** Directions for the face, each once. @returns the tag, and when it is due: ms from the beginning. */
  takeCues(): { readonly tag: string; readonly atMs: number }[] {
    const { text } = this.answer.speech;
    return this.#cues.splice(0).map(({ tag, at }) => ({ tag, atMs: letters(text.slice(0, at)).length * LETTER_MS }));
  }

  says(text: string): void {
    const { said, cues } = readExpressiveTags(text);
    const before = this.answer.speech.text;
    if (before.length > MAX_TEXT_LENGTH) throw new RangeError('The agent says too much at once.');
    const lead = before === '' ? '' : ' ';
    this.#cues.push(...cues.map(({ tag, at }) => ({ tag, at: before.length + lead.length + at })));
    this.#letters += letters(said).length;
    this.believed = before + lead + said;
    if (said !== '') this.answer.says(lead + said);
  }

  sounds(pcm: Int16Array): void {
    this.#beganAt ??= this.#timers.now();
    this.answer.speech.addAudio(pcm);
    this.answer.sounds();
    this.#waitOn(this.#leftMs() + QUIET_MS);
  }

  /** It was interrupted. */
  stop(): void {
    if (!this.answer.isOver) this.#sound = 'stopped';
    this.end();
  }

  end(): void {
    if (this.#sound === 'coming') this.#sound = 'complete';
    this.#timers.clearTimeout(this.#timer);
    this.answer.done('stop');
  }

  /** @returns the words that were heard, or will be, as far as that can be known. */
  heard(): string {
    const { heardMs, durationMs, text, fate } = this.answer.speech;
    if (fate === 'spoken') return text;
    const wholeMs = this.#sound === 'complete' ? durationMs : Math.max(durationMs, this.#letters * LETTER_MS);
    let left = this.#letters * (wholeMs === 0 ? 0 : heardMs / wholeMs);
    const words = text.match(/\S+/gu) ?? [];
    return words.filter((word) => (left -= letters(word).length) >= 0).join(' ');
  }

  #leftMs(): number {
    return (this.#beganAt ?? 0) + this.answer.speech.durationMs - this.#timers.now();
  }

  #waitOn(ms: number): void {
    this.#timers.clearTimeout(this.#timer);
    this.#timer = this.#timers.setTimeout(() => this.end(), Math.max(ms, QUIET_MS));
  }
}
