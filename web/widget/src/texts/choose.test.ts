import { describe, expect, it } from 'vitest';
import { chooseTexts, LANGUAGES } from './choose.ts';
import { en } from './en.ts';
import type { Texts } from './texts.ts';

const flat = ({ problems, ...texts }: Texts): Record<string, string> => ({ ...texts, ...problems });

describe('the language of the widget', () => {
  it('is the first that is wanted and known, else English', () => {
    const of = (...wanted: (string | null)[]): string => chooseTexts(wanted).language;
    expect(of('pt-BR', 'en')).toBe('pt');
    expect(of(null, 'zz', 'DE-ch')).toBe('de');
    expect(of(null, '', 'ja')).toBe('en');
  });

  it.each(Object.keys(LANGUAGES).filter((language) => language !== 'en'))(
    'translates every text into %s, and names the persona where English does',
    (language) => {
      const translated = flat(LANGUAGES[language]!);
      // Some words are the same in two languages.
      const same = new Set(['message']);
      for (const [key, text] of Object.entries(flat(en))) {
        if (!same.has(key)) expect(translated[key], key).not.toBe(text);
        expect(translated[key]?.includes('{name}'), key).toBe(text.includes('{name}'));
      }
    },
  );
});
