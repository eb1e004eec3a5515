import { problemsWith, sentenceOf } from '../api/problem.ts';
import type { Avatar, PersonaSummary, Voice } from '../api/types.ts';

/** A persona to talk to: a saved one, or one that is created from a stock face when needed. */
export interface Companion {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly avatar: Avatar | null;
  /** What the session is started with. */
  readonly personaConfig: Readonly<Record<string, unknown>>;
  /** The saved persona that can be changed, or null. */
  readonly editId: string | null;
  /** What it lacks so that it can talk, for people. */
  readonly lacks: string | null;
}

/** Why a conversation with somebody did not begin, for people. */
export function startProblem({ lacks }: Pick<Companion, 'lacks'>, error: unknown): string {
  if (!problemsWith(error).some(({ code }) => code === 'broken_persona')) return sentenceOf(error);
  return lacks ?? 'It uses something that was deleted: choose another one in its editor.';
}

export function companionOf(persona: PersonaSummary): Companion {
  const description =
    persona.description ||
    [persona.voice?.displayName, persona.avatar?.displayName].filter(Boolean).join(' · ') ||
    'No description yet.';
  return {
    key: persona.id,
    name: persona.name,
    description,
    avatar: persona.avatar,
    personaConfig: { personaId: persona.id },
    editId: persona.isDefaultPersona ? null : persona.id,
    lacks: lackText(persona.missing ?? []),
  };
}

const NAMES = { avatar: 'face', voice: 'voice', llm: 'LLM' } as const;

function lackText(missing: readonly (keyof typeof NAMES)[]): string | null {
  if (missing.length === 0) return null;
  return `Its ${missing.map((one) => NAMES[one]).join(' and ')} was deleted. Choose another one.`;
}

/** The tools with which the user can end the conversation, pause it and change its language by words. */
const SYSTEM_TOOLS = ['end_call', 'pause_conversation', 'change_language'].map((name) => ({ type: 'system', name }));

/** Everybody that the stock faces can be, so that the first conversation needs no preparation. */
export function starters(avatars: readonly Avatar[], voices: readonly Voice[]): readonly Companion[] {
  const used = new Map<string, number>();
  return avatars
    .filter((avatar) => avatar.createdByOrganizationId === null)
    .map((avatar) => {
      const gender = genderOf(avatar);
      const fitting = voices.filter((voice) => gender === null || voice.gender === gender);
      const turn = used.get(gender ?? '') ?? 0;
      used.set(gender ?? '', turn + 1);
      const voice = fitting[turn % Math.min(fitting.length, NATURAL_VOICES)] ?? voices[0];
      return {
        key: avatar.id,
        name: avatar.displayName,
        description: avatar.description ?? '',
        avatar,
        personaConfig: {
          name: avatar.displayName,
          avatarId: avatar.id,
          ...(voice === undefined ? {} : { voiceId: voice.id }),
          systemPrompt: promptFor(avatar.displayName),
          tools: SYSTEM_TOOLS,
        },
        editId: null,
        lacks: null,
      };
    });
}

/** Voices are listed best first; the later ones sound artificial. */
const NATURAL_VOICES = 2;

function genderOf(avatar: Avatar): 'female' | 'male' | null {
  const tags = avatar.displayTags ?? [];
  return tags.includes('woman') ? 'female' : tags.includes('man') ? 'male' : null;
}

function promptFor(name: string): string {
  return [
    `You are ${name}, a friendly host who shows what Parley can do.`,
    'Parley is a service for live conversations with AI personas, which everybody can run on a server of their own.',
    'A persona has a face, a voice and an LLM, and it can be interrupted at any time.',
    'Parley waits when you pause in the middle of a sentence, and goes on when you only say mm-hm.',
    'Answer in one or two short sentences.',
  ].join(' ');
}
