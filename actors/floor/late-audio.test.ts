import { describe, expect, it } from 'vitest';
import { seededIds } from '../kernel/seeded-ids.ts';
import { createSession } from '../session/create-session.ts';
import type { SessionCommand } from '../commands.ts';
import { SteppingClock } from '../kernel/stepping-clock.ts';
import { SimulatedSession } from '../testing/simulated-session.ts';

const SENTENCE = 'what are your opening hours on saturday';
const SENTENCE_MS = 2_400;

function begin(ids = seededIds('late-sound')): SimulatedSession {
  return new SimulatedSession({ delays: { finalMs: 30 }, ids }).connect().wait(500).beginToSpeak(SENTENCE, SENTENCE_MS);
}

/** From the last voiced sample to the decision, ms. */
function waited(s: SimulatedSession): number {
  const turn = s.reports('turn').at(-1)?.turn;
  return (turn?.endOfTurnAt ?? 0) - (turn?.userSpeechEndedAt ?? 0);
}

describe('sound that comes late', () => {
  it.each([
    [600, 100],
    [600, 350],
    [2_000, 350],
    [2_200, 360],
  ])(
    'after %d ms of a sentence the network holds it up for %d ms: no silence, one utterance, the usual wait',
    (afterMs, heldUpMs) => {
      const s = begin().wait(afterMs).holdUpAudio(heldUpMs).wait(8_000);
      expect(s.messages('userSpeechEnded')).toHaveLength(1);
      expect(s.transcript()[0]).toBe(`user: ${SENTENCE}`);
      expect(waited(s)).toBeGreaterThanOrEqual(700);
      expect(waited(s)).toBeLessThanOrEqual(725);
    },
  );

  it.each([
    [600, 150],
    [600, 900],
    [1_200, 1_500],
    [2_000, 900],
    [2_350, 600],
  ])('after %d ms of a sentence the thread of the session stalls for %d ms: the same', (afterMs, stalledMs) => {
    const s = begin().wait(afterMs).stall(stalledMs).wait(8_000);
    expect(s.messages('userSpeechEnded')).toHaveLength(1);
    expect(s.performed('stt.finish')).toHaveLength(1);
    expect(s.transcript()[0]).toBe(`user: ${SENTENCE}`);
    // Decided late only as far as the stall itself reaches beyond the wait.
    expect(waited(s)).toBeLessThanOrEqual(Math.max(725, afterMs + stalledMs - SENTENCE_MS + 150));
  });

  it('a pause is not over while its sound is on its way: the user went on in it', () => {
    const s = new SimulatedSession({ delays: { finalMs: 30 } }).connect().wait(500).speak('book a table').wait(400);
    s.beginToSpeak('for two people', 900).holdUpAudio(380).wait(8_000);
    expect(s.transcript()[0]).toBe('user: book a table for two people');
  });

  /** A machine that was busy as somebody came into a meeting: "he was not an ill dis" and "posed young man" for the recognizer. */
  it.each([
    [170, 150],
    [190, 200],
    [170, 330],
  ])(
    'a pause of %d ms whose sound is %d ms late does not cut what a recognizer of whole utterances hears',
    (pauseMs, lateMs) => {
      const whole = { partials: false };
      const s = new SimulatedSession({ delays: { finalMs: 30 } }).connect().wait(500).speak('he was not', 900, whole);
      s.wait(pauseMs).beginToSpeak('an ill disposed young man', 1_900, whole).holdUpAudio(lateMs).wait(8_000);
      expect(s.performed('stt.finish')).toHaveLength(1);
      expect(s.transcript()[0]).toBe('user: he was not an ill disposed young man');
      expect(waited(s)).toBeLessThanOrEqual(725);
    },
  );

  it('the voice that went on after a gap of the network was no pause of the speaker', () => {
    const s = begin().wait(600).holdUpAudio(500).wait(8_000);
    expect(s.transcript().filter((line) => line.startsWith('user'))).toHaveLength(1);
    expect(waited(s)).toBeLessThanOrEqual(725);
    s.speak('and what does it cost').wait(8_000);
    expect(waited(s)).toBeLessThanOrEqual(725);
  });

  it('a microphone that is switched off with the last word costs nothing at the default wait', () => {
    const s = new SimulatedSession({ delays: { finalMs: 30 } })
      .connect()
      .wait(500)
      .speak(SENTENCE, SENTENCE_MS)
      .mute()
      .wait(8_000);
    expect(waited(s)).toBeGreaterThanOrEqual(700);
    expect(waited(s)).toBeLessThanOrEqual(725);
  });

  it('the log of a session that stalled replays to the same decisions', () => {
    const s = begin().wait(600).stall(900).wait(8_000);
    const clock = new SteppingClock();
    const decided: { at: number; type: SessionCommand['type'] }[] = [];
    const again = createSession({
      config: s.config,
      clock,
      ids: seededIds('late-sound'),
      startedAtWall: Date.UTC(2026, 0, 1),
      endOfTurnModelAvailable: false,
      perform: ({ type }) => decided.push({ at: clock.now(), type }),
    });
    for (const { at, event } of s.recorded) {
      clock.advanceTo(at);
      again.dispatch(event);
    }
    expect(decided.map(({ type }) => type)).toEqual(s.commands.map(({ command }) => command.type));
  });
});
