import { type Changes, isSame, type PersonaDraft } from '../persona-draft.ts';

/** What a template says. The rest of a new persona (face, voice, LLM, language) is as without one. */
const FIELDS = [
  'personaPreset',
  'systemPrompt',
  'personality',
  'initialMessage',
  'skipGreeting',
  'voiceDetectionOptions',
  'variables',
  'grading',
] as const satisfies readonly (keyof PersonaDraft)[];

/** What somebody may have written, and would miss. */
const WRITTEN = ['systemPrompt', 'personality', 'initialMessage', 'variables', 'grading'] as const;

/** A persona that works as it stands, to be changed. */
export interface PersonaTemplate {
  /** Kept as `personaPreset`. */
  readonly id: string;
  readonly name: string;
  /** What it is for, in one sentence. */
  readonly text: string;
  readonly content: Pick<PersonaDraft, 'systemPrompt'> &
    Partial<Omit<Pick<PersonaDraft, (typeof FIELDS)[number]>, 'personaPreset'>>;
}

/**
 * @param blank a new persona without a template. @param template null: none.
 * @returns the change of a new persona to a template. What the template does not say is as in a blank one.
 */
export function templateChange(blank: PersonaDraft, template: PersonaTemplate | null): Changes {
  const content: Changes = template === null ? {} : { ...template.content, personaPreset: template.id };
  return Object.fromEntries(FIELDS.map((field) => [field, field in content ? content[field] : blank[field]]));
}

/** @returns whether another template would overwrite what somebody wrote: it is not what the template before said. */
export function isRewritten(draft: PersonaDraft, blank: PersonaDraft, before: PersonaTemplate | null): boolean {
  const given = { ...blank, ...templateChange(blank, before) };
  return WRITTEN.some((field) => !isSame(draft[field], given[field]));
}
