import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { SelectField, TextField } from '../../components/fields.tsx';
import { Notice } from '../../components/notice.tsx';
import { useWork } from '../../state/work.ts';
import { type ArgumentField, argumentFields, argumentsOf } from './arguments.ts';
import type { ToolTrial } from './tool-api.ts';

/**
 * Runs a tool with arguments that the user enters, and shows what the persona would be told.
 * @param label what a screen reader calls the form. @param schemas of its arguments.
 */
export function TrialForm({
  label,
  schemas,
  run: tryOut,
  children,
}: {
  label: string;
  schemas: readonly unknown[];
  run: (args: Readonly<Record<string, unknown>>) => Promise<ToolTrial>;
  /** Stands above the arguments. */
  children?: ComponentChildren;
}) {
  const fields = argumentFields(...schemas);
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [trial, setTrial] = useState<ToolTrial | null>(null);
  const { work, run } = useWork();

  function onSubmit(event: Event): void {
    event.preventDefault();
    setTrial(null);
    void run(async () => setTrial(await tryOut(argumentsOf(fields, texts))));
  }

  return (
    <form class="stack" onSubmit={onSubmit} aria-label={label}>
      {children}
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={texts[field.name] ?? ''}
          onInput={(text) => setTexts({ ...texts, [field.name]: text })}
        />
      ))}
      <div class="row">
        <button class="button" type="submit" disabled={work.state === 'running'}>
          {work.state === 'running' ? 'Running…' : 'Run the tool'}
        </button>
        {trial !== null && (
          <span class={trial.ok ? 'badge good' : 'badge bad'} role="status">
            {trial.ok ? 'Answered' : 'Failed'} after {trial.durationSeconds.toFixed(2)} s
          </span>
        )}
      </div>
      {work.state === 'failed' && (
        <Notice bad>
          <span>{work.message}</span>
        </Notice>
      )}
      {trial !== null && (
        <pre class="output" tabIndex={0} aria-label="What the persona is told">
          {trial.output}
        </pre>
      )}
    </form>
  );
}

function Field({
  field: { name, kind, description, required, choices },
  value,
  onInput,
}: {
  field: ArgumentField;
  value: string;
  onInput: (text: string) => void;
}) {
  const hint = description === '' ? undefined : description;
  if (kind === 'choice' || kind === 'flag')
    return (
      <SelectField label={name} value={value} onChange={onInput} {...(hint === undefined ? {} : { hint })}>
        <option value="">–</option>
        {(kind === 'flag' ? ['true', 'false'] : choices).map((choice) => (
          <option key={choice} value={choice}>
            {choice === 'true' ? 'Yes' : choice === 'false' ? 'No' : choice}
          </option>
        ))}
      </SelectField>
    );
  return (
    <TextField
      label={kind === 'json' ? `${name} (JSON)` : name}
      type={kind === 'number' ? 'number' : 'text'}
      required={required}
      value={value}
      onInput={onInput}
      {...(hint === undefined ? {} : { hint })}
    />
  );
}
