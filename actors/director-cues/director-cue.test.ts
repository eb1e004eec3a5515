import { describe, expect, test } from 'vitest';
import { canAct, checkCue, cueDueAt, type DirectorCue } from './director-cue.ts';

const untimed = { inSeconds: null, atSeconds: null };

describe("a client's cue", () => {
  test('takes effect now, later, or at a place in the speech', () => {
    expect(checkCue({ tag: 'happy', ...untimed })).toEqual({ ok: true, cue: { tag: 'happy', when: { kind: 'now' } } });
    expect(checkCue({ tag: 'sad', ...untimed, inSeconds: 1.5 })).toEqual({
      ok: true,
      cue: { tag: 'sad', when: { kind: 'in', ms: 1500 } },
    });
    expect(checkCue({ tag: 'sad', ...untimed, atSeconds: 0 })).toEqual({
      ok: true,
      cue: { tag: 'sad', when: { kind: 'at', ms: 0 } },
    });
  });

  test.each([
    ['an unknown tag', { tag: 'bored', ...untimed }],
    ['an empty tag', { tag: '', ...untimed }],
    ['a tag in capitals', { tag: 'HAPPY', ...untimed }],
    ['a long tag', { tag: 'é'.repeat(33), ...untimed }],
    ['both times', { tag: 'happy', inSeconds: 1, atSeconds: 1 }],
    ['a negative time', { tag: 'happy', ...untimed, inSeconds: -0.1 }],
    ['no number', { tag: 'happy', ...untimed, atSeconds: Number.NaN }],
    ['infinity', { tag: 'happy', ...untimed, atSeconds: Number.POSITIVE_INFINITY }],
    ['what the edge found wrong', { tag: 'happy', ...untimed, problem: 'in_seconds must be a number' }],
  ])('%s is refused', (_, request) => {
    expect(checkCue(request)).toEqual({ ok: false, problem: expect.stringMatching(/./) });
  });
});

describe('when it is due', () => {
  const cue = (when: DirectorCue['when']): DirectorCue => ({ tag: 'happy', when });

  test.each([
    ['now', { kind: 'now' }, null, 500],
    ['counted from receipt', { kind: 'in', ms: 200 }, null, 700],
    ['counted from the start of the speech', { kind: 'at', ms: 900 }, 100, 1000],
    ['a place that has passed', { kind: 'at', ms: 100 }, 100, 500],
    ['a place in speech that has not begun', { kind: 'at', ms: 100 }, null, null],
  ] as const)('%s', (_, when, speechStartedAt, expected) => {
    expect(cueDueAt(cue(when), 500, speechStartedAt)).toBe(expected);
  });
});

test('only the newest avatars act', () => {
  expect(['cara-2', 'cara-3', 'cara-4', 'cara-4-latest'].filter(canAct)).toEqual(['cara-4', 'cara-4-latest']);
});
