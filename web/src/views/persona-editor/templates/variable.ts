import type { PersonaDraft } from '../persona-draft.ts';

/** @param value its default, which somebody replaces. @returns a variable of a template. */
export function variable(name: string, description: string, value: string): PersonaDraft['variables'][number] {
  return { name, description, default: value, example: null, fromVisitor: false };
}
