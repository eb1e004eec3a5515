import { describe, expect, it } from 'vitest';
import type { SessionCommand } from '../commands.ts';
import { SimulatedSession } from '../testing/simulated-session.ts';

/** As people say it: [silence before, voice, ms; words]. */
const SENTENCE = [
  [0, 1_850, 'and so my fellow americans'],
  [640, 900, 'ask not'],
  [600, 2_200, 'what your country can do for you'],
  [570, 2_340, 'ask what you can do for your country'],
] as const;
const WORDS = SENTENCE.map(([, , words]) => words).join(' ');

/** A recognizer that reads everything so much later than it is said, on a clock of its own. */
class LaggingRecognizer {
  readonly session = new SimulatedSession();
  readonly #lag: () => number;
  /** Words of the utterance, and when they were said. */
  #words: string[] = [];
  #saidAt = 0;

  constructor(lagMs: (secondsIn: number) => number) {
    const { engine, clock } = this.session;
    this.#lag = () => lagMs(clock.now() / 1_000);
    const perform = engine.perform.bind(engine);
    engine.perform = (command: SessionCommand) => (command.type === 'stt.finish' ? this.#finish() : perform(command));
    this.session.connect().wait(1_000);
  }

  speak(voiceMs: number, words: string): void {
    const { clock } = this.session;
    const all = words.split(' ');
    for (const [index, word] of all.entries())
      clock.setTimeout(() => this.#hear(word), (voiceMs * (index + 1)) / all.length);
    this.session.speak('', voiceMs);
  }

  #hear(word: string): void {
    this.#words.push(word);
    this.#saidAt = this.session.clock.now();
    const [text, utterance] = [this.#words.join(' '), this.#words];
    // What was asked for as a whole gives no more partial text.
    this.session.clock.setTimeout(() => {
      if (utterance === this.#words) this.session.dispatch({ type: 'stt.partial', text });
    }, this.#lag());
  }

  #finish(): void {
    const { clock } = this.session;
    const text = this.#words.join(' ');
    const readAt = this.#saidAt + this.#lag();
    this.#words = [];
    clock.setTimeout(
      () => this.session.dispatch({ type: 'stt.final', text, language: 'en' }),
      Math.max(60, readAt - clock.now()),
    );
  }
}

const turns = (session: SimulatedSession): string[] => session.transcript().filter((line) => line.startsWith('user'));

/**
 * On a busy machine a sentence became two turns: the recognizer was seconds behind, and what it had read of the sentence
 * by then was answered.
 */
describe('a recognizer behind the sound', () => {
  it.each([500, 1_000, 1_500, 2_000])('by %d ms: a sentence with pauses is one turn', (lagMs) => {
    const lagging = new LaggingRecognizer(() => lagMs);
    for (const [silenceMs, voiceMs, words] of SENTENCE) {
      lagging.session.wait(silenceMs);
      lagging.speak(voiceMs, words);
    }
    lagging.session.wait(12_000);
    expect(turns(lagging.session)).toEqual([`user: ${WORDS}`]);
    expect(lagging.session.engine.questions.at(-1)?.messages.at(-1)?.content).toBe(WORDS);
  });

  it('and more and more so: the whole sentence is waited for', () => {
    // After 8 s of speech it is 4.5 s behind.
    const lagging = new LaggingRecognizer((secondsIn) => 500 * secondsIn);
    for (const [silenceMs, voiceMs, words] of SENTENCE) {
      lagging.session.wait(silenceMs);
      lagging.speak(voiceMs, words);
    }
    lagging.session.wait(12_000);
    expect(turns(lagging.session)).toEqual([`user: ${WORDS}`]);
  });

  it('by 13 s, without a word before: the question is answered', () => {
    const lagging = new LaggingRecognizer(() => 13_000);
    lagging.speak(1_200, 'what is your name');
    lagging.session.wait(16_000);
    expect(turns(lagging.session)).toEqual(['user: what is your name']);
    expect(lagging.session.engine.questions.at(-1)?.messages.at(-1)?.content).toBe('what is your name');
  });

  it('that always answered soon, and hangs, is not waited for as long', () => {
    const lagging = new LaggingRecognizer((secondsIn) => (secondsIn < 4 ? 100 : 5_500));
    lagging.speak(1_500, 'what time is it');
    lagging.session.wait(3_000);
    lagging.speak(1_500, 'and what day is it');
    const endedAt = lagging.session.clock.now();
    lagging.session.wait(12_000);
    expect((lagging.session.engine.questions.at(-1)?.at ?? 0) - endedAt).toBeLessThan(7_000);
    expect(turns(lagging.session).at(-1)).toContain('and what day is it');
  });
});

/** Busy machines are late with the sound as well: each window, always. The voice had begun again when the turn was ended. */
describe('sound that is always late', () => {
  it.each([100, 140])('by %d ms: a pause that ends just before the wait is no end', (lateMs) => {
    const session = new SimulatedSession({ delays: { finalMs: 30 } }).connect().wait(500);
    session.speak('what is the best way').wait(590).beginToSpeak('to get to the station', 1_400);
    // What is said in the last moments of the wait is on its way.
    session.holdUpAudio(lateMs).wait(8_000);
    expect(turns(session)).toEqual(['user: what is the best way to get to the station']);
  });
});
