import { expect, test } from 'vitest';
import type { ToolDefinition } from '../../../actors/session-config.ts';
import { sessionKeyTerms } from './session-key-terms.ts';

const tool = (name: string, kind: string) => ({ name, kind }) as ToolDefinition;

test('the persona and its tools are key terms, as they are said', () => {
  const tools = [tool('check_orderStatus', 'webhook'), tool('search_Kölner-Dom', 'rag'), tool('end_call', 'system')];
  expect(sessionKeyTerms({ personaName: ' Zsófia ', meeting: null, tools })).toEqual([
    'Zsófia',
    'check order status',
    'search kölner dom',
  ]);
});

test('so are the terms of the organization, before the titles of what it can search', () => {
  const transcription = { recognizer: null, keyTerms: ['Zsófia'] };
  const terms = sessionKeyTerms({
    personaName: 'Ada',
    meeting: null,
    tools: [],
    knowledgeTitles: ['Museum'],
    transcription,
  });
  expect(terms).toEqual(['Ada', 'Zsófia', 'Museum']);
});

test('so are the titles of what it can search', () => {
  expect(
    sessionKeyTerms({ personaName: 'Ada', meeting: null, tools: [], knowledgeTitles: ['Brightwater Museum', 'Ada'] }),
  ).toEqual(['Ada', 'Brightwater Museum']);
});

test('so is the name by which a meeting knows the persona, as it is said', () => {
  const meeting = { displayName: 'Elena Marsh (AI)', groupCall: true };
  expect(sessionKeyTerms({ personaName: 'Ada', meeting, tools: [] })).toEqual(['Ada', 'Elena Marsh']);
});
