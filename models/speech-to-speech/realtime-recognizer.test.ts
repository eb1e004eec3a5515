import { expect, it } from 'vitest';
import { SimulatedClock } from 'xstate';
import { RealtimeRecognizer } from './realtime-recognizer.ts';

/** 16 kHz. */
const sound = (ms: number): Int16Array => new Int16Array(ms * 16);

function hear(turnsBy: 'parley' | 'model') {
  const told: string[] = [];
  const clock = new SimulatedClock();
  const sent: string[] = [];
  const recognizer = new RealtimeRecognizer({
    provider: 'House',
    timers: clock,
    turnsBy,
    send: ({ type }) => sent.push(type) > 0,
    committed() {},
    configure() {},
  });
  const stream = recognizer.open({
    language: 'en',
    keyTerms: [],
    handlers: {
      partial: (text) => told.push(`${text} …`),
      final: (text) => told.push(text),
      failed: () => told.push('failed'),
    },
  });
  const say = (ms: number): void => {
    stream.write(sound(ms));
    stream.finish();
  };
  return { recognizer, stream, told, say, sent, clock };
}

/** "Yes" of the sentence before stood for words over the persona, and only the newest piece of a text was told. */
it('does not take pieces that come late for words of the next utterance', () => {
  const { recognizer, stream, told, say } = hear('parley');
  say(400);
  recognizer.taken('one');
  stream.write(sound(200));
  recognizer.words('one', 'Good');
  recognizer.words('one', ' morning.');
  recognizer.understood('one', 'Good morning.');
  expect(told).toEqual(['Good morning.']);
});

it('tells all that is understood so far where the model says when a turn is over', () => {
  const { recognizer, stream, told } = hear('model');
  recognizer.voiceBegan();
  recognizer.taken('one');
  recognizer.words('one', 'I would');
  recognizer.words('one', ' like');
  recognizer.taken('two');
  recognizer.words('two', ' a table.');
  expect(told).toEqual(['I would …', 'I would like …', 'I would like a table. …']);
  recognizer.understood('one', 'I would like');
  recognizer.understood('two', 'a table.');
  stream.finish();
  expect(told.at(-1)).toBe('I would like a table.');
});

it('gives each utterance its own words where the server refuses one as too short', () => {
  const { recognizer, told, say } = hear('parley');
  for (const ms of [400, 120, 400]) say(ms);
  recognizer.taken('one');
  recognizer.refused();
  recognizer.taken('three');
  recognizer.understood('three', 'Three.');
  recognizer.understood('one', 'One.');
  expect(told).toEqual(['One.', '', 'Three.']);
});

/** A muted microphone sends nothing: the model waited for the end of the turn, and the user for its answer. */
it.each([
  ['model', 101],
  ['parley', 1],
] as const)('sends silence for a while where the %s says when a turn is over and nothing comes', (turnsBy, pieces) => {
  const { stream, sent, clock } = hear(turnsBy);
  const wait = (): void => {
    for (let ms = 0; ms < 20_000; ms += 100) clock.increment(100);
  };
  stream.write(sound(200));
  wait();
  expect(sent).toHaveLength(pieces);
  stream.write(sound(200));
  stream.close();
  wait();
  expect(sent).toHaveLength(pieces + 1);
});
