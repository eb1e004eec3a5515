import { isAt, type Problem } from '../../api/problem.ts';
import type { Changes, Choices, PersonaDraft } from './persona-draft.ts';

/** What each part of the editor is given. */
export interface SectionProps {
  readonly draft: PersonaDraft;
  readonly set: (part: Changes) => void;
  readonly choices: Choices;
  readonly setChoices: (choices: Choices) => void;
  /** Null: it is not created yet. */
  readonly personaId: string | null;
}

/** @returns how many problems lie in the fields of a section. */
export function problemsIn(fields: readonly (keyof PersonaDraft)[], problems: readonly Problem[]): number {
  return problems.filter((problem) => fields.some((field) => isAt(problem, field))).length;
}
