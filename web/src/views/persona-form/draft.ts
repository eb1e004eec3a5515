import type { Avatar, Llm, Page, Persona, PersonaDraft, Voice } from '../../api/types.ts';

/** What the form offers. */
export interface Choices {
  readonly avatars: Page<Avatar>;
  readonly voices: Page<Voice>;
  readonly llms: Page<Llm>;
}

const EXAMPLE_PROMPT = 'You are a friendly host. Answer in one or two short sentences and ask a question back.';

/** The form's first values: the persona as it is, or a new one that works as it stands. */
export function draftOf(persona: Persona | null, choices: Choices): PersonaDraft {
  const llms = llmsFor(persona, choices);
  const llm = llms.find(({ isDefault }) => isDefault) ?? llms[0];
  return {
    name: persona?.name ?? '',
    description: persona?.description ?? '',
    avatarId: persona?.avatar?.id ?? choices.avatars.data[0]?.id ?? '',
    voiceId: persona?.voice?.id ?? choices.voices.data[0]?.id ?? '',
    llmId: persona?.llmId ?? llm?.id ?? '',
    systemPrompt: persona === null ? EXAMPLE_PROMPT : (persona.brain?.systemPrompt ?? persona.systemPrompt ?? ''),
    initialMessage: persona?.initialMessage ?? null,
    skipGreeting: persona?.skipGreeting ?? false,
    enableSessionReplay: persona?.enableSessionReplay ?? true,
    languageCode: persona?.languageCode ?? 'inherit',
    voiceDetectionOptions: persona?.voiceDetectionOptions ?? {},
  };
}

export function isDeprecated({ displayTags }: Llm): boolean {
  return displayTags.includes('deprecated');
}

/** @returns the LLMs that the persona may have: of the deprecated ones, only the one that it has. */
export function llmsFor(persona: Pick<Persona, 'llmId'> | null, choices: Choices): readonly Llm[] {
  return choices.llms.data.filter((llm) => !isDeprecated(llm) || llm.id === persona?.llmId);
}
