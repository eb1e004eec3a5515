import { expect, it } from 'vitest';
import type { Llm, Voice } from '../../api/types.ts';
import { afterSaving, draftOf, inputOf, llmsFor, orNull, voiceChange, withChange } from './persona-draft.ts';
import { toolName } from './tool-name.ts';

const llm = (id: string, displayTags: readonly string[] = []): Llm => ({
  id,
  displayName: id,
  description: null,
  isDefault: true,
  displayTags,
});
const voice = (id: string, provider: string): Voice => ({
  id,
  provider,
  displayName: id,
  description: null,
  gender: null,
  languages: null,
  sampleUrl: null,
  createdByOrganizationId: null,
});
const choices = {
  avatars: [],
  voices: [voice('clara', 'LOCAL')],
  llms: [llm('old', ['deprecated']), llm('new')],
};
const draft = draftOf(null, choices);

it('does not offer a deprecated LLM to a persona that has another one', () => {
  expect(draft.llmId).toBe('new');
  expect(llmsFor('new', choices.llms).map(({ id }) => id)).toEqual(['new']);
});

it('leaves a deprecated LLM to the persona that has it', () => {
  expect(llmsFor('old', choices.llms).map(({ id }) => id)).toEqual(['old', 'new']);
});

it('what is as it was saved is no change, whatever the order of its keys', () => {
  const base = { ...draft, voiceDetectionOptions: { endOfSpeechSensitivity: 0.3, speechEnhancementLevel: 0 } };
  const moved = withChange(base, {}, { voiceDetectionOptions: { endOfSpeechSensitivity: 0.4 }, name: 'Ada' });
  expect(Object.keys(moved)).toEqual(['voiceDetectionOptions', 'name']);
  const back = { speechEnhancementLevel: 0, endOfSpeechSensitivity: 0.3 };
  expect(withChange(base, moved, { voiceDetectionOptions: back, name: '' })).toEqual({});
});

/** The answer overwrote it: the field had its old text again. */
it('what is changed while a draft is on its way to the service stays changed', () => {
  const sent = { name: 'Ada', systemPrompt: 'Be kind.' };
  const typed = { name: 'Ada', systemPrompt: 'Be kind and brief.', personality: 'Dry.' };
  expect(afterSaving(draft, sent, typed, sent)).toEqual(typed);
  // Taken back meanwhile: a change of what is in the draft now, which is none of what is live.
  expect(afterSaving(draft, sent, { name: 'Ada' }, sent)).toEqual({ name: 'Ada' });
  expect(afterSaving(draft, sent, sent, { name: 'Ada' }), 'as the service keeps it').toEqual({ name: 'Ada' });
});

it('options of a voice without a value are none', () => {
  expect(orNull({ speed: undefined })).toBeNull();
  expect(orNull({ speed: undefined, volume: 2 })).toEqual({ volume: 2 });
});

it('another voice keeps the options that it has, too, within its own ranges', () => {
  const pronunciations = [{ word: 'Siobhan', say: 'Shivawn' }];
  const spoken = { ...draft, voiceGenerationOptions: { speed: 1.8, stability: 0.5, model: 'm', pronunciations } };
  expect(voiceChange(spoken, voice('rachel', 'ELEVENLABS')).voiceGenerationOptions).toEqual({
    stability: 0.5,
    model: 'm',
    pronunciations,
  });
  expect(voiceChange(spoken, voice('russell', 'LOCAL')).voiceGenerationOptions).toEqual({ speed: 1.8, pronunciations });
});

it('sends the options of a voice with a new voice: without them, the API drops them', () => {
  const spoken = { ...draft, voiceGenerationOptions: { speed: 1.2 } };
  expect(inputOf(spoken, { voiceId: 'v2' })).toEqual({ voiceId: 'v2', voiceGenerationOptions: { speed: 1.2 } });
});

it('neither speaks nor acts what was left empty', () => {
  const empty = { initialMessage: '', directorNotes: { customStylePrompt: '' } };
  expect(inputOf({ ...draft, ...empty }, empty)).toEqual({ initialMessage: null, directorNotes: null });
});

it('a tool that searches knowledge is named after it', () => {
  expect(toolName('House rules', new Set())).toBe('search_house_rules');
  expect(toolName('Küche & Bar', new Set(['search_kuche_bar']))).toBe('search_kuche_bar_2');
  expect(toolName('営業時間', new Set(['search_knowledge']))).toBe('search_knowledge_2');
});
