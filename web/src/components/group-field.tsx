import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { useProblem } from './problems.tsx';

/** Several controls under one name, and what is wrong with them as a whole. */
export function GroupField(props: {
  label: string;
  hint?: ComponentChildren;
  path?: string | undefined;
  children: ComponentChildren;
}) {
  const id = useId();
  const { problem, edits } = useProblem(props.path);
  const hasHint = props.hint !== undefined;
  const described = [hasHint ? `${id}-hint` : '', problem === null ? '' : `${id}-problem`].join(' ').trim();
  return (
    <fieldset
      class="field plain"
      data-path={props.path}
      data-invalid={problem === null ? undefined : 'true'}
      aria-describedby={described === '' ? undefined : described}
      // After a refusal the keyboard is brought here.
      tabIndex={problem === null ? undefined : -1}
      {...edits}
    >
      <legend>{props.label}</legend>
      {props.children}
      {hasHint && (
        <span class="hint" id={`${id}-hint`}>
          {props.hint}
        </span>
      )}
      {problem !== null && (
        <span class="problem" id={`${id}-problem`}>
          {problem}
        </span>
      )}
    </fieldset>
  );
}
