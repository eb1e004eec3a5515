import { expect, it } from 'vitest';
import { createPersona } from '../../../../control/api/personas/persona-schema.ts';
import { draftOf } from './persona-draft.ts';
import { personaFile, readPersonaFile, type Stock } from './persona-file.ts';

const stock = (of: string, tools: readonly string[]): Stock => ({
  avatars: [{ id: `${of}-elena`, name: 'Elena' }],
  voices: [
    { id: `${of}-clara`, name: 'Clara' },
    { id: `${of}-joe`, name: 'Joe' },
  ],
  llms: [{ id: `${of}-stand-in`, name: 'Stand-in' }],
  tools: tools.map((name) => ({ id: `${of}-${name}`, name })),
  mcpServers: [],
});
const here = stock('here', ['show_map', 'free_rooms']);
const blank = {
  ...draftOf(null, { avatars: [], voices: [], llms: [] }),
  avatarId: 'here-elena',
  voiceId: 'here-clara',
  llmId: 'here-stand-in',
};
const concierge = {
  ...blank,
  name: 'Concierge',
  systemPrompt: 'You are the concierge.',
  voiceId: 'here-joe',
  toolIds: ['here-free_rooms', 'here-show_map'],
  variables: [{ name: 'hotel', description: '', default: 'Harbor', example: null, fromVisitor: false }],
  widgetConfig: { allowedOrigins: ['https://hotel.example.com'] },
};

it('a persona that was exported is imported with all that it says, by the names of what it uses', () => {
  const there = stock('there', ['free_rooms', 'show_map']);
  const { input, missing } = readPersonaFile(personaFile(concierge, here), blank, there);
  expect(missing).toEqual([]);
  expect(input).toMatchObject({
    name: 'Concierge',
    systemPrompt: 'You are the concierge.',
    voiceId: 'there-joe',
    toolIds: ['there-free_rooms', 'there-show_map'],
    variables: concierge.variables,
  });
});

it('the file says no ids, and not where the widget may be shown', () => {
  const file = personaFile(concierge, here);
  expect(file).not.toContain('here-');
  expect(file).not.toContain('hotel.example.com');
});

it('what it uses and what is not there is told, and the face, voice and LLM of a new persona are taken', () => {
  const bare: Stock = { avatars: [], voices: [], llms: [], tools: [{ id: 'map', name: 'show_map' }], mcpServers: [] };
  const { input, missing } = readPersonaFile(personaFile(concierge, here), blank, bare);
  expect(missing).toEqual(['the face Elena', 'the voice Joe', 'the LLM Stand-in', 'the tool free_rooms']);
  expect(input).toMatchObject({ voiceId: 'here-clara', toolIds: ['map'] });
});

it('what it says is checked by the API: a field of another kind is passed on', () => {
  const file = JSON.stringify({ ...JSON.parse(personaFile(concierge, here)), persona: { name: 5, variables: 'none' } });
  const { input } = readPersonaFile(file, blank, here);
  const { error } = createPersona.omit({ avatarId: true, voiceId: true, toolIds: true }).safeParse(input);
  expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['name', 'variables']);
});

it.each(['', 'no JSON', '[]', '{}', '{"format":"parley-persona/1"}', '{"persona":{}}', '{"format":1,"persona":{}}'])(
  'a file that is none is refused: %s',
  (text) => {
    expect(() => readPersonaFile(text, blank, here)).toThrow('This file is no persona that was exported here.');
  },
);

it('a file of a later format is refused with the format that is read', () => {
  expect(() => readPersonaFile('{"format":"parley-persona/2","persona":{}}', blank, here)).toThrow('parley-persona/1');
});
