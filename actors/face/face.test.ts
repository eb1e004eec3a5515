import { describe, expect, it } from 'vitest';
import type { EventOf } from '../events.ts';
import { SimulatedSession } from '../testing/simulated-session.ts';

function cue(tag: string, more: Partial<EventOf<'client.cue'>> = {}): EventOf<'client.cue'> {
  return { type: 'client.cue', tag, inSeconds: null, atSeconds: null, problem: null, ...more };
}

const LONG = 'This is a sentence that takes a while to say, so that a cue can come in the middle of it.';

describe('the face', () => {
  it('listens, thinks, speaks and rests', () => {
    const s = new SimulatedSession().connect().wait(500).speak('how are you').wait(5_000);
    const moods = s
      .performed('face.show')
      .map((command) => command.mood)
      .filter((mood, index, all) => mood !== all[index - 1]);
    expect(moods).toEqual(['idle', 'listening', 'thinking', 'speaking', 'idle']);
  });
});

describe('director cues', () => {
  it('take effect at once, are acknowledged, and end with the turn', () => {
    const s = new SimulatedSession().connect();
    s.engine.answer = () => ({ text: LONG });
    s.type('go').wait(1_500).dispatch(cue('happy'));
    expect(s.performed('face.cue')).toEqual([{ type: 'face.cue', tag: 'happy' }]);
    expect(s.messages('directorNoteCueApplied')[0]?.data).toMatchObject({
      cue_tag: 'happy',
      user_action_correlation_id: s.speechChunks()[0]?.user_action_correlation_id,
    });
    s.wait(9_000);
    expect(s.performed('face.cue').at(-1)).toEqual({ type: 'face.cue', tag: null });
    expect(s.speechChunks().some((chunk) => chunk.cue_tag === 'happy')).toBe(true);
  });

  it('in_seconds counts from receipt, at_seconds from the start of the speech', () => {
    const s = new SimulatedSession().connect();
    s.engine.answer = () => ({ text: LONG });
    s.type('go').dispatch(cue('sad', { atSeconds: 2 }));
    s.wait(1_000).dispatch(cue('warm', { inSeconds: 0.5 }));
    s.wait(5_000);
    const startedAt = s.engine.heard[0]?.from ?? s.reports('turn')[0]?.turn.speakingStartedAt ?? 0;
    const applied = s.commands.flatMap(({ at, command }) =>
      command.type === 'face.cue' ? [[command.tag, at] as const] : [],
    );
    expect(applied[0]).toEqual(['warm', 1_500]);
    expect(applied[1]).toEqual(['sad', startedAt + 2_000]);
  });

  it('of the persona itself, in brackets, are acted and not said', () => {
    const s = new SimulatedSession().connect();
    s.engine.answer = () => ({ text: '[surprised] Oh, really now?' });
    s.type('go').wait(3_000);
    expect(s.performed('face.cue').map((command) => command.tag)).toEqual(['surprised', null]);
    expect(s.transcript()).toEqual(['persona: Oh, really now?']);
    expect(s.messages('directorNoteCueApplied')).toEqual([]);
  });

  it('that are wrong are rejected by a warning; nothing is purged', () => {
    const s = new SimulatedSession().connect();
    for (const wrong of [
      cue('bored'),
      cue('happy', { inSeconds: -1 }),
      cue('happy', { inSeconds: 1, atSeconds: 1 }),
      cue('happy', { problem: 'not a number' }),
    ])
      s.dispatch(wrong);
    expect(s.performed('signal.warning')).toHaveLength(4);
    expect(
      s.performed('signal.warning').every((command) => command.text.startsWith('Director note cue rejected: ')),
    ).toBe(true);
    expect(s.performed('face.cue')).toEqual([]);
    expect(s.performed('speech.cut')).toEqual([]);
  });

  it('are ignored without a word by faces that cannot act', () => {
    const s = new SimulatedSession({
      config: { avatar: { avatarId: 'a', model: 'cara-3', engineKey: 'ada' } },
    }).connect();
    s.dispatch(cue('happy'));
    s.dispatch(cue('nonsense'));
    expect(s.performed('face.cue')).toEqual([]);
    expect(s.performed('signal.warning')).toEqual([]);
  });
});
