import { expect, test } from 'vitest';
import { MARK } from '../testing/mark.ts';
import { assembleSystemPrompt, type SystemPromptParts } from './system-prompt.ts';

const parts = {
  systemPrompt: ' You are Ada. ',
  personality: null,
  style: null,
  meeting: null,
  language: null,
  languages: { recognized: 'any', spoken: 'any' },
  tools: [],
  canAct: false,
  mark: MARK,
} satisfies SystemPromptParts;

test("the persona's own words come first, its personality next, the service's last", () => {
  const prompt = assembleSystemPrompt({ ...parts, personality: 'Dry humor.' });
  expect(prompt.startsWith('You are Ada.\n\nYour personality: Dry humor.\n\n')).toBe(true);
  expect(prompt).toContain('spoken');
  expect(prompt).toContain('no markdown');
});

test("the director's style in words reaches the LLM, between who the persona is and what the service needs", () => {
  const prompt = assembleSystemPrompt({
    ...parts,
    personality: 'Dry humor.',
    style: ' Like a radio host at night. ',
    canAct: true,
  });
  expect(prompt).toContain(
    'Your personality: Dry humor.\n\nHow you come across, in your words and in your expression: Like a radio host at night.\n\nYou are talking',
  );
});

test('an empty persona still gets what a spoken conversation needs', () => {
  expect(assembleSystemPrompt({ ...parts, systemPrompt: '', personality: ' ' })).toMatch(
    /^You are talking with a person/,
  );
});

test('the configured language is named', () => {
  expect(assembleSystemPrompt({ ...parts, language: 'de' })).toContain('Speak German');
  expect(assembleSystemPrompt(parts)).toContain('the language that the user speaks');
});

/** With a recognizer for English alone, personas offered to speak German and then heard nothing of it. */
test('no language is promised that is not understood or not spoken', () => {
  const languages = { recognized: ['en', 'de'], spoken: ['en'] };
  const prompt = assembleSystemPrompt({ ...parts, language: 'de', languages });
  expect(prompt).not.toContain('Speak German');
  expect(prompt).toContain('Speech recognition understands only English and German. Your voice speaks only English.');
});

test('a long list of languages is not sent with every request', () => {
  const many = ['en', 'de', 'es', 'fr', 'it', 'pt', 'nl', 'sv', 'da', 'no', 'fi', 'pl', 'cs'];
  expect(assembleSystemPrompt({ ...parts, languages: { recognized: many, spoken: many } })).not.toContain('Portuguese');
});

test('tools and cues are mentioned only where there are some', () => {
  expect(assembleSystemPrompt(parts)).not.toMatch(/tool|square brackets where/);
  expect(assembleSystemPrompt({ ...parts, tools: [{ name: 'x', description: '', parameters: {} }] })).toContain(
    'Use a tool',
  );
  expect(assembleSystemPrompt({ ...parts, canAct: true })).toContain('laughter');
});
