import { describe, expect, it, test } from 'vitest';
import { isArpabet } from '../arpabet.ts';
import type { TimedUnit } from '../../ports.ts';
import { lettersToArpabet } from './letters-to-arpabet.ts';
import { spellingRules } from './spelling-rules.ts';

/** 50 ms for each letter, as a service might time them. */
const timed = (text: string): TimedUnit[] =>
  [...text].map((character, at) => ({ text: character, startMs: at * 50, endMs: (at + 1) * 50 }));
const said = (text: string, language = 'en'): string =>
  (lettersToArpabet(timed(text), language) ?? []).map((phoneme) => phoneme.text).join(' ');

describe('the mouth of a voice that times its letters', () => {
  it.each([
    ['My mother bought a big apple pie', 'm ay pau m aa th er pau b ao t pau ax pau b ih g pau ae p l pau p iy'],
    ['the ship', 'dh ax pau sh ih p'],
    ['name names', 'n ey m pau n ey m z'],
    ['phone', 'f ow n'],
    ['queen', 'k w iy n'],
  ])('says "%s" in English', (text, phonemes) => {
    expect(said(text)).toBe(phonemes);
  });

  it.each([
    ['de', 'Wasser und Brot', 'v aa s er pau uw n d pau b r ao t'],
    ['de', 'Schöne Füße', 'sh uh n ax pau f uw s ax'],
    ['es', 'queso y vino', 'k eh s ao pau iy pau b iy n ao'],
    ['fr', "beaucoup d'eau", 'b ow k uw pau d ow'],
    ['it', 'bicchiere', 'b iy k iy eh r eh'],
    ['pt', 'mamão', 'm aa m aw'],
  ])('says it in "%s": %s', (language, text, phonemes) => {
    expect(said(text, language)).toBe(phonemes);
  });

  it('holds the lips closed for exactly as long as their letters last', () => {
    expect(lettersToArpabet(timed('happy'), 'en')?.find(({ text }) => text === 'p')).toEqual({
      text: 'p',
      startMs: 100,
      endMs: 200,
    });
  });

  it('rests where a mark or a space lasts', () => {
    const times = [
      { text: 'a', startMs: 0, endMs: 80 },
      { text: ',', startMs: 80, endMs: 200 },
      { text: ' ', startMs: 200, endMs: 300 },
      { text: 'b', startMs: 300, endMs: 340 },
    ];
    expect(lettersToArpabet(times, 'de')).toContainEqual({ text: 'pau', startMs: 80, endMs: 300 });
  });

  it('moves for a letter that no rule has', () => {
    expect(said('Łódź', 'en')).toBe('ax aa d z');
  });

  it('does not guess in a language whose spelling it does not know', () => {
    expect(lettersToArpabet(timed('здравствуйте'), 'ru')).toBeNull();
  });
});

test.each(['en', 'de', 'es', 'fr', 'it', 'pt'])('every sound of the rules of "%s" is a phoneme', (language) => {
  const sounds = [...(spellingRules(language)?.values() ?? [])].flat();
  expect(sounds.filter((sound) => !isArpabet(sound))).toEqual([]);
});
