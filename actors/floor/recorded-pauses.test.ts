import { expect, it } from 'vitest';
import { SimulatedSession } from '../testing/simulated-session.ts';

/**
 * A speech of 11 s with long pauses, as the VAD and PocketSphinx gave it: [silence before, voice, ms; what was understood,
 * and how sure it was]. Before, the persona answered in the first and in the second pause.
 */
const RECORDED: readonly (readonly [number, number, string, number])[] = [
  [0, 1_850, 'and i know my fellow americans', 0.45],
  [1_090, 570, 'and', 0.9],
  [200, 320, 'not', 0.9],
  [1_020, 2_210, 'like your kind they knew for you', 0.19],
  [570, 2_340, 'and when you can do for your country', 0.22],
];

/** @param confidence instead of what was recorded. */
function listen(confidence?: number | null): SimulatedSession {
  const session = new SimulatedSession().connect().wait(1_000);
  for (const [silenceMs, voiceMs, words, recorded] of RECORDED) {
    session.wait(silenceMs);
    session.engine.confidence = confidence === undefined ? recorded : confidence;
    session.speak(words, voiceMs);
  }
  return session.wait(6_000);
}

const turns = (session: SimulatedSession): string[] => session.transcript().filter((line) => line.startsWith('user'));

it('a speaker who pauses for a second in mid-sentence is heard out, where the words are unsure', () => {
  expect(turns(listen())).toEqual([`user: ${RECORDED.map(([, , words]) => words).join(' ')}`]);
});

it('no word of it is lost where the words are sure and the pause is taken for the end', () => {
  const heard = turns(listen(1));
  expect(heard.length).toBeGreaterThan(1);
  expect(heard.map((line) => line.replace('user: ', '')).join(' ')).toBe(
    RECORDED.map(([, , words]) => words).join(' '),
  );
});

it.each([
  [1, 700],
  [0.5, 700],
  [null, 700],
  [0.45, 1_225],
])('a whole sentence of confidence %s is answered after %d ms of silence', (confidence, expected) => {
  const session = new SimulatedSession().connect().wait(1_000);
  session.engine.confidence = confidence;
  session.speak('what time is it now', 1_500);
  const endedAt = session.clock.now();
  session.wait(4_000);
  const ended = session.commands.find(
    ({ command }) => command.type === 'message.send' && command.message.messageType === 'speechText',
  );
  expect((ended?.at ?? 0) - endedAt).toBeCloseTo(expected, -1.7);
});
