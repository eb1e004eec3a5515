import { expect, it } from 'vitest';
import type { Llm, Page } from '../../api/types.ts';
import { draftOf, llmsFor } from './draft.ts';

const llm = (id: string, displayTags: readonly string[] = []): Llm => ({
  id,
  displayName: id,
  description: null,
  isDefault: true,
  displayTags,
});
const page = <T>(data: readonly T[]) => ({ data }) as unknown as Page<T>;
const choices = { avatars: page([]), voices: page([]), llms: page([llm('old', ['deprecated']), llm('new')]) };

it('does not offer a deprecated LLM to a persona that has another one', () => {
  expect(draftOf(null, choices).llmId).toBe('new');
  expect(llmsFor({ llmId: 'new' }, choices).map(({ id }) => id)).toEqual(['new']);
});

it('leaves a deprecated LLM to the persona that has it', () => {
  expect(llmsFor({ llmId: 'old' }, choices).map(({ id }) => id)).toEqual(['old', 'new']);
});
