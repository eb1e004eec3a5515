import { expect, it } from 'vitest';
import { InputError } from '../api/problem.ts';
import { companionOf, starters, startProblem } from './companions.ts';

const avatar = (id: string, displayName: string, tags: string[], owner: string | null = null) => ({
  id,
  displayName,
  imageUrl: '',
  landscapeImageUrl: null,
  description: 'A face.',
  displayTags: tags,
  availableVersions: [],
  createdByOrganizationId: owner,
});
const voice = (id: string, gender: string) => ({
  id,
  displayName: id,
  description: null,
  gender,
  provider: 'LOCAL',
  languages: null,
  sampleUrl: null,
  createdByOrganizationId: null,
});

it('makes somebody to talk to of every stock face, with a voice that fits', () => {
  const made = starters(
    [
      avatar('a1', 'Elena', ['woman']),
      avatar('a2', 'Marcus', ['man']),
      avatar('a3', 'Leo', ['man']),
      avatar('mine', 'Photo', [], 'org'),
    ],
    [voice('clara', 'female'), voice('russell', 'male'), voice('alan', 'male'), voice('robot', 'male')],
  );
  expect(made.map(({ name, personaConfig }) => [name, personaConfig.avatarId, personaConfig.voiceId])).toEqual([
    ['Elena', 'a1', 'clara'],
    ['Marcus', 'a2', 'russell'],
    ['Leo', 'a3', 'alan'],
  ]);
  expect(made[0]?.personaConfig.systemPrompt).toContain('You are Elena');
});

it('does without a fitting voice, and without any', () => {
  expect(starters([avatar('a1', 'Elena', ['woman'])], [voice('russell', 'male')])[0]?.personaConfig.voiceId).toBe(
    'russell',
  );
  expect(starters([avatar('a1', 'Elena', ['woman'])], [])[0]?.personaConfig).not.toHaveProperty('voiceId');
});

it('starts a saved persona by its id, and offers to change it unless it is built in', () => {
  const saved = {
    id: 'p1',
    name: 'Guide',
    description: '',
    avatar: null,
    voice: voice('clara', 'female'),
    isDefaultPersona: false,
  };
  expect(companionOf(saved)).toMatchObject({ personaConfig: { personaId: 'p1' }, description: 'clara', editId: 'p1' });
  expect(companionOf({ ...saved, isDefaultPersona: true }).editId).toBeNull();
});

/** The console showed “personaConfig.personaId: The saved persona has to be repaired, … llmId: LLM not found”. */
it('says in plain words why a persona that lost something does not talk', () => {
  const message = 'The saved persona has to be repaired, or another one named: llmId: LLM not found';
  const broken = new InputError({ path: 'personaConfig.personaId', message, code: 'broken_persona' });
  const lacks = 'Its LLM was deleted. Choose another one.';
  expect(startProblem({ lacks }, broken)).toBe(lacks);
  expect(startProblem({ lacks: null }, broken)).toContain('in its editor');
  const away = new Error('The service cannot be reached.');
  expect(startProblem({ lacks }, away)).toBe('The service cannot be reached.');
});
