import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { isAt, type Problem } from '../api/problem.ts';

/** What the fields of a form have in common. */
export interface FormOfFields {
  /** What is wrong with fields. Each shows its own. */
  readonly problems: readonly Problem[];
  /** Called when a field is changed. */
  readonly forget: (path: string) => void;
  /** The id of the form, for fields that do not stand inside of it. */
  readonly id?: string;
}

const Context = createContext<FormOfFields>({ problems: [], forget: () => {} });

export const FormFields = Context.Provider;

/** @param path of a field in what is sent, for example `voiceGenerationOptions.speed`. */
export function useProblem(path: string | undefined): {
  readonly problem: string | null;
  readonly forget: () => void;
  readonly formId: string | undefined;
} {
  const { problems, forget, id: formId } = useContext(Context);
  if (path === undefined) return { problem: null, forget: () => {}, formId };
  const problem = problems.find((one) => isAt(one, path))?.message ?? null;
  return { problem, forget: () => forget(path), formId };
}
