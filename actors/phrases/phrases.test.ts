import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../language/index.ts';
import { parseLanguageCode } from '../settings/languages.ts';
import { MARK } from '../testing/mark.ts';
import { instruction, standardSentence } from './phrases.ts';
import { de } from '../language/de.ts';
import { en } from '../language/en.ts';
import { fr } from '../language/fr.ts';

describe('standard sentences', () => {
  test('exist for at least twenty languages, each complete and none twice', () => {
    const all = Object.entries(LANGUAGES).flatMap(([code, { sentences }]) =>
      sentences === undefined ? [] : [[code, sentences] as const],
    );
    expect(all.length).toBeGreaterThanOrEqual(20);
    for (const [code, sentences] of all) {
      expect(parseLanguageCode(code)).toBe(code);
      for (const sentence of Object.values(sentences)) expect(sentence.trim().length).toBeGreaterThan(8);
    }
    expect(new Set(all.flatMap(([, sentences]) => Object.values(sentences))).size).toBe(all.length * 4);
  });

  test('follow the language, whatever its region, and fall back to English', () => {
    expect(standardSentence('goodbye', 'de-AT')).toBe(de.sentences.goodbye);
    for (const unknown of [null, 'tlh', 'cy', ''])
      expect(standardSentence('apology', unknown)).toBe(en.sentences.apology);
  });
});

describe('hidden instructions to the LLM', () => {
  test('are written in the language of the conversation and say that they are none of the user', () => {
    expect(instruction('greet', 'fr', MARK)).toBe(`${MARK.instruction} ${fr.sentences.greetInstruction} ${MARK.end}`);
  });

  test('name a language that there is no translation for', () => {
    expect(instruction('prompt', 'cy', MARK)).toContain('in Welsh');
  });

  test('leave the language to the LLM while it is unknown', () => {
    expect(instruction('greet', null, MARK)).not.toContain('English');
  });
});
