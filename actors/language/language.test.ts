import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseLanguageCode } from '../settings/languages.ts';
import { allWords } from './lexicon.ts';
import { LANGUAGES } from './index.ts';

/** Every list of a language, by its name. */
function lists(part: object, name = ''): [string, readonly string[]][] {
  return Object.entries(part).flatMap(([key, value]: [string, unknown]) => {
    if (Array.isArray(value)) return [[`${name}${key}`, value as readonly string[]]];
    return typeof value === 'object' && value !== null ? lists(value, `${name}${key}.`) : [];
  });
}

describe('a language', () => {
  test('is one file, named by a code that personas can be set to', () => {
    const files = readdirSync(import.meta.dirname).filter((file) => /^[a-z]{2}\.ts$/.test(file));
    expect(Object.keys(LANGUAGES).toSorted()).toEqual(files.map((file) => file.slice(0, 2)).toSorted());
    for (const code of Object.keys(LANGUAGES)) expect(parseLanguageCode(code)).toBe(code);
  });

  test.each(Object.entries(LANGUAGES))(
    '%s has no word twice in a list, and none that nothing equals',
    (_, language) => {
      for (const [name, words] of lists(language)) {
        expect(new Set(words).size, name).toBe(words.length);
        for (const word of words) {
          expect(word, name).not.toBe('');
          expect(word, name).toBe(word.toLowerCase().normalize('NFC'));
        }
      }
    },
  );

  test('is English in doubt', () => {
    expect(Object.keys(LANGUAGES)[0]).toBe('en');
  });

  test('has words that count while the language is unknown', () => {
    expect(allWords('commands')).toContain('warte');
    expect(allWords('commands')).toContain('espera');
    expect(allWords('spokenDigits')).toContain('otto');
  });
});
