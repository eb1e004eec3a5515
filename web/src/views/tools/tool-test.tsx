import { useState } from 'preact/hooks';
import { SelectField, TextField } from '../../components/fields.tsx';
import { Notice } from '../../components/notice.tsx';
import { useWork } from '../../state/work.ts';
import { type ArgumentField, argumentFields, argumentsOf, QUERY_SCHEMA } from './arguments.ts';
import { type ToolDetails, type ToolTrial, tryTool } from './tool-api.ts';

/** Runs a saved tool with arguments, and shows what the persona would be told. */
export function ToolTest({ tool }: { tool: ToolDetails }) {
  const { parameters, queryParameters } = tool.config;
  const schema = parameters ?? (tool.type === 'SERVER_RAG' ? QUERY_SCHEMA : undefined);
  const fields = argumentFields(schema, queryParameters);
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [trial, setTrial] = useState<ToolTrial | null>(null);
  const { work, run } = useWork();

  function onSubmit(event: Event): void {
    event.preventDefault();
    setTrial(null);
    void run(async () => setTrial(await tryTool(tool.id, argumentsOf(fields, texts))));
  }

  return (
    <form class="card padded stack" onSubmit={onSubmit} aria-label="Test">
      <div>
        <h2>Test</h2>
        <p class="muted small">
          {tool.type === 'SERVER_WEBHOOK'
            ? 'Calls the webhook now, as a conversation would. It may have its effect.'
            : 'Searches the documents now, as a conversation would.'}
        </p>
      </div>
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
