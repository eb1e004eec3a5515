import { describe, expect, it } from 'vitest';
import { createPersona } from '../../../../../control/api/personas/persona-schema.ts';
import { draftOf, inputOf } from '../persona-draft.ts';
import { undeclaredNames } from '../undeclared.ts';
import { isRewritten, templateChange } from './template.ts';
import { TEMPLATES } from './templates.ts';

const blank = draftOf(null, { avatars: [], voices: [], llms: [] });

describe.each(TEMPLATES)('the template $name', (template) => {
  const draft = { ...blank, ...templateChange(blank, template) };

  it('is a persona as the API takes it', () => {
    const { success, data } = createPersona.safeParse({ ...inputOf(draft, draft), name: template.name });
    expect(success).toBe(true);
    expect(data).toMatchObject({ personaPreset: template.id, ...template.content });
  });

  it('works as it stands: it says who the persona is, and each variable of its texts has a value', () => {
    const { systemPrompt, personality, initialMessage, variables } = draft;
    // The offline stand-in takes any such sentence for an answer to "Who are you?".
    expect(systemPrompt.match(/\bYou are\b/g)).toHaveLength(1);
    expect(systemPrompt).toMatch(/^You are /);
    expect(undeclaredNames([systemPrompt, personality, initialMessage], variables)).toEqual([]);
    for (const { name, default: value } of variables) expect(value, name).toBeTruthy();
  });
});

it('a blank persona has nothing of the template before', () => {
  const draft = { ...blank, ...templateChange(blank, TEMPLATES[0]!), ...templateChange(blank, null) };
  expect(draft).toEqual(blank);
});

it('what somebody wrote is noticed, and what a template wrote is not', () => {
  const [first] = TEMPLATES;
  const draft = { ...blank, ...templateChange(blank, first!) };
  expect(isRewritten(blank, blank, null)).toBe(false);
  expect(isRewritten(draft, blank, first!)).toBe(false);
  expect(isRewritten({ ...draft, name: 'Ada', languageCode: 'de' }, blank, first!)).toBe(false);
  expect(isRewritten({ ...draft, personality: 'Dry humor.' }, blank, first!)).toBe(true);
  expect(isRewritten({ ...blank, systemPrompt: 'You sell boats.' }, blank, null)).toBe(true);
});
