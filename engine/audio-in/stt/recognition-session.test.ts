import { describe, expect, test } from 'vitest';
import { SimulatedClock } from 'xstate';
import type {
  RecognitionHandlers,
  RecognitionOptions,
  RecognitionStream,
  SpeechRecognizer,
} from '../../../models/ports.ts';
import { RecognitionSession } from './recognition-session.ts';

/** A recognizer whose answers come from the test. */
class HandRecognizer implements SpeechRecognizer {
  readonly name = 'hand';
  readonly languages = 'any';
  readonly opened: { handlers: RecognitionHandlers; calls: string[] }[] = [];
  refuses = false;

  open({ language, keyTerms, handlers }: RecognitionOptions): RecognitionStream {
    if (this.refuses) throw new Error('no');
    const calls = [`open ${language} ${keyTerms.join()}`];
    this.opened.push({ handlers, calls });
    return {
      write: (pcm) => calls.push(`write ${pcm.length}`),
      finish: () => calls.push('finish'),
      reset: () => calls.push('reset'),
      setLanguage: (code) => calls.push(`language ${code}`),
      close: () => calls.push('close'),
    };
  }

  stream(index: number) {
    return this.opened[index] as (typeof this.opened)[number];
  }

  async close(): Promise<void> {}
}

function setUp() {
  const recognizer = new HandRecognizer();
  const clock = new SimulatedClock();
  const events: string[] = [];
  const recognition = new RecognitionSession(
    recognizer,
    { language: 'en', keyTerms: ['Parley'] },
    (event) => {
      if (event.type === 'stt.partial') events.push(`partial ${event.text}`);
      if (event.type === 'stt.final') events.push(`final ${event.text}`);
      if (event.type === 'endOfTurn.predicted') events.push(`end of turn ${event.probability}`);
      if (event.type === 'stt.failed') events.push('failed');
    },
    clock,
  );
  const speak = () => recognition.write(new Int16Array(512));
  return { recognizer, clock, events, recognition, speak };
}

const died = new Error('died');

describe('recognition session', () => {
  test('answers a finish without sound at once, without opening a recognizer', () => {
    const { recognizer, events, recognition } = setUp();
    recognition.finish();
    expect(events).toEqual(['final ']);
    expect(recognizer.opened).toHaveLength(0);
  });

  test('passes hints about the end of a turn on, while there is an utterance', () => {
    const { recognizer, events, recognition, speak } = setUp();
    speak();
    const { handlers } = recognizer.stream(0);
    handlers.endOfTurn?.(0.8);
    recognition.finish();
    handlers.endOfTurn?.(0.9);
    expect(events).toEqual(['end of turn 0.8']);
  });

  test('passes partials and the final on', () => {
    const { recognizer, events, recognition, speak } = setUp();
    speak();
    const { handlers, calls } = recognizer.stream(0);
    handlers.partial('hello');
    recognition.finish();
    handlers.final('hello there', 'en');
    expect(events).toEqual(['partial hello', 'final hello there']);
    expect(calls).toEqual(['open en Parley', 'write 512', 'finish']);
  });

  test('keeps the order when an utterance without sound follows one that is still recognized', () => {
    const { recognizer, events, recognition, speak } = setUp();
    speak();
    recognition.finish();
    recognition.finish();
    expect(events).toEqual([]);
    recognizer.stream(0).handlers.final('first', 'en');
    recognizer.stream(0).handlers.final('', 'en');
    expect(events).toEqual(['final first', 'final ']);
  });

  test('goes on with the words known so far when the final does not come', () => {
    const { recognizer, clock, events, recognition, speak } = setUp();
    speak();
    recognizer.stream(0).handlers.partial('so far');
    recognition.finish();
    clock.increment(7_999);
    expect(events).toEqual(['partial so far']);
    clock.increment(1);
    expect(events).toEqual(['partial so far', 'final so far']);
    recognizer.stream(0).handlers.final('too late', 'en');
    expect(events).toHaveLength(2);
    expect(recognizer.stream(0).calls).toContain('close');
  });

  test('answers what was asked when the recognizer dies, and opens another for the next utterance', () => {
    const { recognizer, events, recognition, speak } = setUp();
    speak();
    recognizer.stream(0).handlers.partial('half a');
    recognition.finish();
    recognizer.stream(0).handlers.failed(died);
    expect(events).toEqual(['partial half a', 'final half a']);
    speak();
    recognition.finish();
    recognizer.stream(1).handlers.final('whole', 'en');
    expect(events.at(-1)).toBe('final whole');
  });

  test('joins the words of two recognizers when the first dies in mid-utterance', () => {
    const { recognizer, events, recognition, speak } = setUp();
    speak();
    recognizer.stream(0).handlers.partial('book a table');
    recognizer.stream(0).handlers.failed(died);
    speak();
    recognizer.stream(1).handlers.partial('for two');
    recognition.finish();
    recognizer.stream(1).handlers.final('for two people', 'en');
    expect(events).toEqual([
      'partial book a table',
      'partial book a table for two',
      'final book a table for two people',
    ]);
  });

  test('uses up no more than two recognizers for one utterance', () => {
    const { recognizer, events, recognition, speak } = setUp();
    for (let i = 0; i < 10; i++) {
      speak();
      recognizer.opened.at(-1)?.handlers.failed(died);
    }
    expect(recognizer.opened).toHaveLength(2);
    recognition.finish();
    expect(events).toEqual(['final ']);
  });

  test('tells once that recognition is unavailable, and again after it had worked', () => {
    const { recognizer, events, recognition, speak } = setUp();
    const fail = () => {
      speak();
      recognizer.opened.at(-1)?.handlers.failed(died);
      recognition.reset();
    };
    for (let i = 0; i < 6; i++) fail();
    expect(events).toEqual(['failed']);
    speak();
    recognizer.opened.at(-1)?.handlers.partial('works');
    recognition.reset();
    for (let i = 0; i < 3; i++) fail();
    expect(events).toEqual(['failed', 'partial works', 'failed']);
  });

  test('survives a recognizer that cannot be opened', () => {
    const { recognizer, events, recognition, speak } = setUp();
    recognizer.refuses = true;
    for (let i = 0; i < 5; i++) speak();
    recognition.finish();
    expect(events).toEqual(['final ']);
    recognizer.refuses = false;
    speak();
    expect(recognizer.opened).toHaveLength(1);
  });

  test('drops the partials of what was finished or reset', () => {
    const { recognizer, events, recognition, speak } = setUp();
    speak();
    recognition.reset();
    recognizer.stream(0).handlers.partial('old');
    speak();
    recognition.finish();
    recognizer.stream(0).handlers.partial('old');
    expect(events).toEqual([]);
  });

  test('speaks the new language from the next recognizer on as well', () => {
    const { recognizer, recognition, speak } = setUp();
    speak();
    recognition.setLanguage('de');
    recognizer.stream(0).handlers.failed(died);
    speak();
    expect(recognizer.stream(0).calls).toContain('language de');
    expect(recognizer.stream(1).calls[0]).toBe('open de Parley');
  });

  test('is silent after it was closed', () => {
    const { recognizer, clock, events, recognition, speak } = setUp();
    speak();
    recognition.finish();
    recognition.close();
    recognizer.stream(0).handlers.final('late', 'en');
    recognizer.stream(0).handlers.failed(died);
    recognition.finish();
    speak();
    clock.increment(60_000);
    expect(events).toEqual([]);
    expect(recognizer.opened).toHaveLength(1);
  });

  /**
   * On a busy machine, five short phrases of one sentence were read one after the other, 2 s each. When the oldest had
   * waited for 8 s, the others were thrown away with it: words of a person who was understood a moment later were lost.
   */
  test('a recognizer that is slow and gives finals is waited for', () => {
    const { recognizer, clock, events, recognition, speak } = setUp();
    for (let phrase = 0; phrase < 5; phrase += 1) {
      speak();
      recognition.finish();
    }
    for (const text of ['ask', 'not', 'what', 'your']) {
      clock.increment(2_500);
      recognizer.stream(0).handlers.final(text, 'en');
    }
    expect(events).toEqual(['final ask', 'final not', 'final what', 'final your']);
    clock.increment(2_500);
    recognizer.stream(0).handlers.final('country', 'en');
    expect(events.at(-1)).toBe('final country');
  });

  /**
   * Five programs beside the service: a person's only question was read for more than 8 s. It was given up without a word of
   * it, and nobody answered.
   */
  test('so is one that has read nothing yet: to give it up would lose what was said', () => {
    const { recognizer, clock, events, recognition, speak } = setUp();
    speak();
    recognition.finish();
    clock.increment(13_000);
    recognizer.stream(0).handlers.final('what is your name', 'en');
    expect(events).toEqual(['final what is your name']);
  });

  test('but not for longer than 14 s: nobody takes the words then', () => {
    const { recognizer, clock, events, recognition, speak } = setUp();
    for (const _ of ['one', 'two']) {
      speak();
      recognition.finish();
    }
    clock.increment(7_000);
    recognizer.stream(0).handlers.final('one', 'en');
    clock.increment(6_999);
    expect(events).toEqual(['final one']);
    clock.increment(1);
    expect(events).toEqual(['final one', 'final ']);
  });
});
