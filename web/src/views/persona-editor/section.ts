import { isAt, type Problem } from '../../api/problem.ts';
import type { Persona } from '../../api/types.ts';
import type { Changes, Choices, PersonaDraft } from './persona-draft.ts';

/** What each part of the editor is given. */
export interface SectionProps {
  readonly draft: PersonaDraft;
  readonly set: (part: Changes) => void;
  readonly choices: Choices;
  readonly setChoices: (choices: Choices) => void;
  /** As it is live. Null: it is not created yet. */
  readonly persona: Persona | null;
  readonly personaId: string | null;
  /** The service keeps a draft of it. */
  readonly hasDraft: boolean;
  /** What is live has changed. @param text says how. */
  readonly onLive: (text: string) => Promise<void>;
}

/** @returns how many problems lie in the fields of a section. */
export function problemsIn(fields: readonly (keyof PersonaDraft)[], problems: readonly Problem[]): number {
  return problems.filter((problem) => fields.some((field) => isAt(problem, field))).length;
}
