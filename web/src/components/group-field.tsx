import type { ComponentChildren } from 'preact';
import { useFieldNotes } from './field-notes.tsx';

/** Several controls under one name, and what is wrong with them as a whole. */
export function GroupField(props: {
  label: string;
  hint?: ComponentChildren;
  path?: string | undefined;
  children: ComponentChildren;
}) {
  const { problem, edits, describedBy, notes } = useFieldNotes(props.path, props.hint, props.label);
  return (
    <fieldset
      class="field plain"
      data-path={props.path}
      data-invalid={problem === null ? undefined : 'true'}
      aria-describedby={describedBy}
      // After a refusal the keyboard is brought here.
      tabIndex={problem === null ? undefined : -1}
      {...edits}
    >
      <legend>{props.label}</legend>
      {props.children}
      {notes}
    </fieldset>
  );
}
