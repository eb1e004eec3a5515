import { expect, it } from 'vitest';
import type { Tool } from '../../api/types.ts';
import { chosenKnowledge, groupOf, knowledgeChoices } from './knowledge-choices.ts';

const tool = (id: string, type: Tool['type'], documentFolderIds: readonly string[] = []): Tool => ({
  id,
  name: id,
  description: '',
  type,
  config: { documentFolderIds },
});
const groups = [
  { id: 'house', name: 'House rules', documentCount: 1 },
  { id: 'menu', name: 'Menu', documentCount: 2 },
];
const tools = [
  tool('rooms', 'SERVER_WEBHOOK'),
  tool('search_house', 'SERVER_RAG', ['house']),
  tool('all', 'SERVER_RAG', ['house', 'menu']),
];

it('knowledge goes by its name, whether a tool searches it or none does yet', () => {
  expect(knowledgeChoices(tools, groups).map(({ title, text }) => `${title}: ${text}`)).toEqual([
    'House rules: Looked up by the tool search_house',
    'House rules, Menu: Looked up by the tool all',
    'Menu: 2 documents',
  ]);
});

it('a persona has the knowledge of its tools, and what is about to get one', () => {
  const chosen = chosenKnowledge(['rooms', 'all'], tools, [{ id: 'menu', name: 'Menu' }]);
  expect(chosen).toEqual(['all', 'group menu']);
  expect(chosen.map((choice) => groupOf(choice, groups)?.name ?? null)).toEqual([null, 'Menu']);
});
