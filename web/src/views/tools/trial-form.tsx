import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { SelectField, TextField } from '../../components/fields.tsx';
import { FailedWork } from '../../components/notice.tsx';
import { RequestForm } from '../../components/request-form.tsx';
import { useFormWork } from '../../state/form-work.ts';
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
  const form = useFormWork();
  const isRunning = form.work.state === 'running';

  async function onSend(): Promise<void> {
    setTrial(null);
    setTrial(await tryOut(argumentsOf(fields, texts)));
  }

  return (
    <RequestForm form={form} class="stack" aria-label={label} onSend={onSend}>
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
        <button class="button" type="submit" aria-disabled={isRunning}>
          {isRunning ? 'Running…' : 'Run the tool'}
        </button>
        {trial !== null && (
          <span class={trial.ok ? 'badge good' : 'badge bad'} role="status">
            {trial.ok ? 'Answered' : 'Failed'} after {trial.durationSeconds.toFixed(2)} s
          </span>
        )}
      </div>
      <FailedWork work={form.work} />
      {trial !== null && (
        <pre class="output" tabIndex={0} aria-label="What the persona is told">
          {trial.output}
        </pre>
      )}
    </RequestForm>
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
  const path = `arguments.${name}`;
  if (kind === 'choice' || kind === 'flag')
    return (
      <SelectField label={name} path={path} value={value} onChange={onInput} hint={hint}>
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
      path={path}
      hint={hint}
      type={kind === 'number' ? 'number' : 'text'}
      required={required}
      value={value}
      onInput={onInput}
    />
  );
}
