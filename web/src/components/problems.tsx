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
  /** Its user may see the fields, but not change them. @defaultValue false */
  readonly isReadOnly?: boolean;
}

const Context = createContext<FormOfFields>({ problems: [], forget: () => {} });

export const FormFields = Context.Provider;

/** Whether a control takes its value at its `input` event. The others take theirs at the `change` event after it. */
const TAKES_INPUT = ':is(input, textarea):not([type="checkbox"], [type="radio"], [type="file"])';

export interface FieldState {
  readonly problem: string | null;
  readonly formId: string | undefined;
  /** For the element around the control: a field that is changed shows its problem no longer. */
  readonly edits: { readonly onInput: (event: Event) => void; readonly onChange: () => void };
}

/** Whether the fields of the form around may only be seen. */
export function useReadOnly(): boolean {
  return useContext(Context).isReadOnly ?? false;
}

/** @param path of a field in what is sent, for example `voiceGenerationOptions.speed`. */
export function useProblem(path: string | undefined): FieldState {
  const { problems, forget, id: formId } = useContext(Context);
  const problem = path === undefined ? undefined : problems.find((one) => isAt(one, path));
  const onChange = (): void => {
    if (path !== undefined) forget(path);
  };
  return {
    problem: problem?.message ?? null,
    formId,
    edits: {
      // Too early, it would be shown with its old value again before it has told its new one.
      onInput: ({ target }) => target instanceof Element && target.matches(TAKES_INPUT) && onChange(),
      onChange,
    },
  };
}
