import type { ComponentChildren } from 'preact';
import type { FormWork } from '../state/form-work.ts';
import { FailedWork } from './notice.tsx';
import { useBlocked } from './permission.tsx';
import { FormFields } from './problems.tsx';

/** A form that sends something to the API. What is wrong stands beside its field, and what was entered stays. */
export function RequestForm({
  form,
  onSend,
  onlyReads = false,
  children,
  ...attributes
}: {
  form: FormWork;
  onSend: () => Promise<void>;
  /** It asks for something and changes nothing, so whoever sees it may send it. @defaultValue false */
  onlyReads?: boolean;
  children: ComponentChildren;
  class?: string;
  'aria-label'?: string;
}) {
  const { work, forget, element, send } = form;
  const isReadOnly = useBlocked() !== null && !onlyReads;
  return (
    <form
      {...attributes}
      ref={element}
      // The browser says what is wrong in its own way and language, and only of one field.
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isReadOnly) void send(onSend);
      }}
    >
      <FormFields value={{ problems: work.state === 'failed' ? work.problems : [], forget, isReadOnly }}>
        {children}
      </FormFields>
    </form>
  );
}

/** It keeps the keyboard while it is at work, so it is not disabled then: a form sends one thing at a time anyway. */
export function SubmitButton({ form: { work }, children }: { form: FormWork; children: string }) {
  const running = work.state === 'running';
  const blocked = useBlocked();
  return (
    <button
      class="button primary"
      type="submit"
      disabled={blocked !== null}
      title={blocked ?? undefined}
      aria-disabled={running}
    >
      {running ? 'One moment…' : children}
    </button>
  );
}

/** The buttons under a form, and why it could not be saved. */
export function FormEnd(props: {
  form: FormWork;
  save: string;
  /** Where one goes without saving. */
  cancel: string | (() => void);
  onDelete?: (() => void) | undefined;
  /** A second way to save: what is saved is tried at once. */
  check?: { readonly label: string; readonly run: () => Promise<void> };
}) {
  const { form, check, cancel } = props;
  const blocked = useBlocked();
  const onDelete = blocked === null ? props.onDelete : undefined;
  return (
    <>
      <FailedWork work={form.work} />
      <div class="form-end">
        <SubmitButton form={form}>{props.save}</SubmitButton>
        {check !== undefined && blocked === null && (
          <button
            class="button"
            type="button"
            aria-disabled={form.work.state === 'running'}
            onClick={() => void form.send(check.run)}
          >
            {check.label}
          </button>
        )}
        {typeof cancel === 'string' ? (
          <a class="button quiet" href={cancel}>
            Cancel
          </a>
        ) : (
          <button class="button quiet" type="button" onClick={cancel}>
            Cancel
          </button>
        )}
        {onDelete !== undefined && (
          <button class="button quiet delete" type="button" onClick={onDelete}>
            Delete
          </button>
        )}
      </div>
    </>
  );
}
