import { expect, it } from 'vitest';
import type { LocalModelNote } from '../../engine/index.ts';
import { modelLine } from './model-line.ts';

const note: LocalModelNote = {
  id: 'kitten-en',
  title: 'Kitten nano, English',
  kind: 'voice',
  state: 'used',
  realTimeFactor: 0.312,
  problem: null,
};

it.each<[Partial<LocalModelNote>, string]>([
  [{}, 'Kitten nano, English: 0.31 s for a second of sound'],
  [
    { state: 'too slow', realTimeFactor: 0.9 },
    'not used, this machine needs 0.90 s for a second of sound, and the limit is 0.60',
  ],
  [
    { state: 'unusable', realTimeFactor: null, problem: 'It ended (SIGABRT).' },
    'check kitten-en). It ended (SIGABRT).',
  ],
  [{ state: 'too few cores', realTimeFactor: null }, 'too few cores for it (PARLEY_LOCAL_MODELS=all uses it)'],
  [{ state: 'damaged', realTimeFactor: null }, 'node scripts/models.ts fetch kitten-en'],
])('says of a model %o: %s', (change, line) => {
  expect(modelLine({ ...note, ...change })).toContain(line);
});
