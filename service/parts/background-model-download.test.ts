import { expect, it } from 'vitest';
import { readSettings } from '../../control/index.ts';
import { NO_MODELS, type FoundModels } from '../../engine/index.ts';
import { missingModels } from './background-model-download.ts';

const missing = (environment: Record<string, string> = {}, local: Partial<FoundModels> = {}) =>
  missingModels(readSettings(environment), { ...NO_MODELS, ...local });
const note = { title: 'Joe', kind: 'voice', realTimeFactor: 2, problem: null } as const;

it('a recognizer, a voice and the end-of-turn model are fetched where there are none', () => {
  expect(missing()).toEqual(['whisper-tiny-en', 'piper-en-joe', 'smart-turn']);
});

it('nothing is fetched that a service does', () => {
  expect(missing({ PARLEY_STT_BASE_URL: 'http://ear.example/v1' })).toEqual(['piper-en-joe', 'smart-turn']);
  expect(missing({ PARLEY_TTS_BASE_URL: 'http://mouth.example/v1' })).toEqual(['whisper-tiny-en', 'smart-turn']);
  expect(missing({ PARLEY_END_OF_TURN_MODEL: 'off' })).toEqual(['whisper-tiny-en', 'piper-en-joe']);
});

it('a model that this machine is too slow for is not fetched again and again', () => {
  expect(missing({}, { notes: [{ ...note, id: 'piper-en-joe', state: 'too slow' }] })).not.toContain('piper-en-joe');
  expect(missing({}, { notes: [{ ...note, id: 'piper-en-joe', state: 'damaged' }] })).toContain('piper-en-joe');
});

it('no start fetches anything unless it is told to, as the tests rely on', () => {
  expect(readSettings({}).PARLEY_MODELS).toBe('off');
});
