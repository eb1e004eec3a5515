import type { ComponentChildren } from 'preact';
import { useFieldNotes } from './field-notes.tsx';

/** Attributes that a control has of its field. */
export interface ControlAttributes {
  readonly id: string;
  readonly form: string | undefined;
  readonly 'data-path': string | undefined;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': 'true' | undefined;
}

/**
 * A label, its control, a hint, and what is wrong with it. @param path of the field in what is sent: see
 * `components/problems.tsx`.
 */
export function Field(props: {
  label: string;
  hint?: string | undefined;
  path?: string | undefined;
  class?: string;
  children: (attributes: ControlAttributes) => ComponentChildren;
}) {
  const { id, problem, formId, edits, describedBy, notes } = useFieldNotes(props.path, props.hint, props.label);
  return (
    <div class={props.class === undefined ? 'field' : `field ${props.class}`} {...edits}>
      <label for={id}>{props.label}</label>
      {props.children({
        id,
        form: formId,
        'data-path': props.path,
        'aria-describedby': describedBy,
        'aria-invalid': problem === null ? undefined : 'true',
      })}
      {notes}
    </div>
  );
}
