import fields from '../../api/persona-fields.json';
import type { Avatar, KnowledgeGroup, Llm, Persona, Voice } from '../../api/types.ts';
import type { PersonaInput } from '../../../../control/api/personas/persona-schema.ts';

/** What the editor offers. */
export interface Choices {
  readonly avatars: readonly Avatar[];
  readonly voices: readonly Voice[];
  readonly llms: readonly Llm[];
}

/** Old names of fields are left to the API. */
type Field = Exclude<keyof PersonaInput, 'brain' | 'brainType' | 'tools' | 'publishingRequiresTests'>;

/** A persona as the editor has it: its fields as the API takes them. */
export type PersonaDraft = { readonly [Name in Field]-?: Exclude<PersonaInput[Name], undefined> } & {
  /** Knowledge that no tool searches yet: one is made for each when the persona is saved. */
  readonly knowledge: readonly KnowledgeGroup[];
};

/** What is not saved yet. */
export type Changes = Partial<PersonaDraft>;

export type VoiceOptions = NonNullable<PersonaDraft['voiceGenerationOptions']>;

const EXAMPLE_PROMPT = 'You are a friendly host. Answer in one or two short sentences and ask a question back.';

/** @returns the persona as it is saved, or a new one that works as it stands. */
export function draftOf(persona: Persona | null, choices: Choices): PersonaDraft {
  return persona === null ? newDraft(choices) : savedDraft(persona);
}

function newDraft({ avatars, voices, llms }: Choices): PersonaDraft {
  const usable = llms.filter((llm) => !isDeprecated(llm));
  return {
    name: '',
    description: null,
    personaPreset: '',
    avatarId: avatars[0]?.id ?? null,
    avatarModel: null,
    voiceId: voices[0]?.id ?? null,
    voiceSpeed: null,
    llmId: (usable.find(({ isDefault }) => isDefault) ?? usable[0])?.id ?? null,
    languageCode: 'inherit',
    systemPrompt: EXAMPLE_PROMPT,
    personality: null,
    initialMessage: null,
    skipGreeting: false,
    uninterruptibleGreeting: false,
    voiceDetectionOptions: null,
    voiceGenerationOptions: null,
    directorNotes: null,
    variables: [],
    grading: null,
    toolIds: [],
    mcpServerIds: [],
    knowledge: [],
    zeroDataRetention: false,
    enableSessionReplay: true,
    enableAudioPassthrough: false,
    maxSessionLengthSeconds: null,
    widgetConfig: {},
  };
}

function savedDraft(persona: Persona): PersonaDraft {
  return {
    name: persona.name,
    description: persona.description,
    personaPreset: persona.personaPreset,
    // Ids of what was deleted meanwhile are kept by the API, and of no use.
    avatarId: persona.avatar?.id ?? null,
    avatarModel: persona.avatarModel as PersonaDraft['avatarModel'],
    voiceId: persona.voice?.id ?? null,
    voiceSpeed: persona.voiceSpeed === 1 ? null : persona.voiceSpeed,
    llmId: persona.llmId,
    languageCode: persona.languageCode,
    systemPrompt: persona.systemPrompt,
    personality: persona.brain.personality,
    initialMessage: persona.initialMessage,
    skipGreeting: persona.skipGreeting,
    uninterruptibleGreeting: persona.uninterruptibleGreeting,
    voiceDetectionOptions: persona.voiceDetectionOptions as PersonaDraft['voiceDetectionOptions'],
    voiceGenerationOptions: persona.voiceGenerationOptions as PersonaDraft['voiceGenerationOptions'],
    directorNotes: persona.directorNotes as PersonaDraft['directorNotes'],
    variables: persona.variables,
    grading: persona.grading,
    toolIds: persona.toolIds,
    mcpServerIds: persona.mcpServerIds,
    knowledge: [],
    zeroDataRetention: persona.zeroDataRetention,
    enableSessionReplay: persona.enableSessionReplay,
    enableAudioPassthrough: persona.enableAudioPassthrough,
    maxSessionLengthSeconds: persona.maxSessionLengthSeconds,
    widgetConfig: persona.widgetConfig as PersonaDraft['widgetConfig'],
  };
}

/** @returns the changes with a further one. What is as it was saved is no change. */
export function withChange(base: PersonaDraft, changes: Changes, part: Changes): Changes {
  return Object.fromEntries(
    Object.entries({ ...changes, ...part }).filter(([name, value]) => !isSame(value, base[name as keyof PersonaDraft])),
  );
}

/**
 * @returns the changes once they are saved. What was changed while they were on their way stays changed.
 * @param sent what was saved. @param now what the form has. @param saved what the service keeps.
 */
export function afterSaving(base: PersonaDraft, sent: Changes, now: Changes, saved: Changes): Changes {
  const [before, after] = [
    { ...base, ...sent },
    { ...base, ...now },
  ];
  const names = Object.keys({ ...sent, ...now }) as (keyof PersonaDraft)[];
  const meanwhile = names.filter((name) => !isSame(before[name], after[name]));
  return withChange(base, saved, Object.fromEntries(meanwhile.map((name) => [name, after[name]])));
}

/** @returns what the API is sent for a change. */
export function inputOf(draft: PersonaDraft, changes: Changes): PersonaInput {
  const { knowledge: _, ...input } = changes;
  const { initialMessage, directorNotes } = input;
  return {
    ...input,
    // What was left empty is not said, and no style.
    ...(initialMessage === '' && { initialMessage: null }),
    ...(directorNotes?.customStylePrompt === '' && {
      directorNotes: orNull({ ...directorNotes, customStylePrompt: undefined }),
    }),
    // Without them, the API drops the options of the voice before.
    ...('voiceId' in input && { voiceGenerationOptions: draft.voiceGenerationOptions }),
  };
}

/** @returns the change to another voice: of the options that are set, it keeps those that this voice has, too. */
export function voiceChange(draft: PersonaDraft, voice: Voice): Changes {
  const rules = voiceRules(voice.provider);
  const kept = Object.entries(draft.voiceGenerationOptions ?? {}).filter(([name, value]) => {
    if (name === 'pronunciations') return true;
    const rule = rules[name];
    return rule !== undefined && (typeof value !== 'number' || isWithin(value, rule));
  });
  return {
    voiceId: voice.id,
    voiceGenerationOptions: kept.length === 0 ? null : (Object.fromEntries(kept) as VoiceOptions),
  };
}

/** @returns the change to another avatar, which may not be rendered by the model of the one before. */
export function avatarChange({ avatarModel }: PersonaDraft, { id, availableVersions }: Avatar): Changes {
  const keeps = avatarModel === null || availableVersions.includes(avatarModel);
  return { avatarId: id, avatarModel: keeps ? avatarModel : null };
}

export interface OptionRule {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly choices?: readonly string[];
  readonly default?: number;
}

/** @param provider of a voice. @returns the options that its voices have. */
export function voiceRules(provider: string): Readonly<Record<string, OptionRule>> {
  return (fields.voiceOptions as Readonly<Record<string, Readonly<Record<string, OptionRule>>>>)[provider] ?? {};
}

const isWithin = (value: number, { minimum = -Infinity, maximum = Infinity }: OptionRule): boolean =>
  value >= minimum && value <= maximum;

export function isDeprecated({ displayTags }: Llm): boolean {
  return displayTags.includes('deprecated');
}

/** @returns the LLMs that the persona may have: of the deprecated ones, only the one that it has. */
export function llmsFor(llmId: string | null, llms: readonly Llm[]): readonly Llm[] {
  return llms.filter((llm) => !isDeprecated(llm) || llm.id === llmId);
}

/** @returns null for an object without a key: it means the same to the API as none. */
export function orNull<T extends object>(value: T): T | null {
  return Object.values(value).every((one) => one === undefined) ? null : (JSON.parse(JSON.stringify(value)) as T);
}

/** The order of keys does not matter; that of lists does. */
export function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].every((key) => isSame(one[key as keyof typeof one], other[key as keyof typeof other]));
}
