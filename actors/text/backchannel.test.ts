import { describe, expect, test } from 'vitest';
import { isBackchannel } from './backchannel.ts';

describe('a sign of listening', () => {
  test.each([
    'mm-hm',
    'Mhm.',
    'uh-huh',
    'Yeah.',
    'yeah, right',
    'okay okay okay',
    'I see, that makes sense',
    'oh really',
    'hmmmmmm',
    '[laughter]',
    'wow',
    'sure',
    'got it',
    'right right yeah',
  ])('"%s" does not take the floor', (text) => {
    expect(isBackchannel(text, { language: 'en' })).toBe(true);
  });

  test.each([
    ['de', 'Ja, genau!'],
    ['de', 'ach so'],
    ['fr', "d'accord, je vois"],
    ['es', 'claro que sí'],
    ['it', 'ho capito'],
    ['pt', 'pois é'],
    ['nl', 'ja precies'],
    ['ru', 'ну да, конечно'],
    ['hi', 'ठीक है'],
    ['hi', 'haan'],
    ['ar', 'نعم'],
    ['zh', '对对对'],
    ['zh', '嗯，明白了'],
    ['ja', 'はい、そうですね'],
    ['ja', 'なるほど'],
    ['ko', '네네네'],
    ['tr', 'hı hı'],
    ['pl', 'no tak'],
    ['th', 'ใช่ครับ'],
    ['vi', 'đúng rồi'],
  ])('in %s: "%s"', (language, text) => {
    expect(isBackchannel(text, { language })).toBe(true);
    expect(isBackchannel(text)).toBe(true);
  });
});

describe('not a sign of listening', () => {
  test.each([
    'wait',
    'no',
    'yeah but',
    'okay stop',
    'right so what about Monday',
    'hmm that is wrong',
    'yes yes yes yes yes yes yes yes',
    'hello',
    '',
  ])('"%s"', (text) => {
    expect(isBackchannel(text, { language: 'en' })).toBe(false);
  });
});

/**
 * Users of voice agents report that "haan", "hmm" and "yeah" either always stop the agent or, if they are filtered out,
 * are also lost as answers. A filter of words cannot distinguish a yes from a backchannel. The question before it can.
 */
describe('after a question of the persona', () => {
  test.each(['yeah', 'mm-hm', 'uh-huh', 'okay', 'sure', 'I see'])('"%s" is an answer', (text) => {
    expect(isBackchannel(text, { language: 'en', personaJustAsked: true })).toBe(false);
  });

  test.each(['hmm', 'oh', '[laughter]', 'um'])('"%s" still is none', (text) => {
    expect(isBackchannel(text, { language: 'en', personaJustAsked: true })).toBe(true);
  });
});
