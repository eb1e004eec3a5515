import type { Persona } from '../api/types.ts';
import { TextField } from './fields.tsx';

type Values = Readonly<Record<string, string>>;

/**
 * A field for each variable that a persona declares; nothing for a persona without.
 * @param props.path of the values in what is sent. @param props.values what is empty is left out: its default counts.
 */
export function VariableValues(props: {
  readonly declared: Persona['variables'];
  readonly values: Values;
  readonly path: string;
  /** Whether somebody has to give what has no default. @defaultValue false */
  readonly isComplete?: boolean;
  readonly onChange: (values: Values) => void;
}) {
  const { declared, values, path, isComplete = false, onChange } = props;
  if (declared.length === 0) return null;
  return (
    <fieldset class="field plain stack">
      <legend>Variables</legend>
      {declared.map(({ name, description, default: byDefault, fromVisitor }) => (
        <TextField
          key={name}
          label={name}
          path={`${path}.${name}`}
          hint={[description, fromVisitor ? 'A visitor may give another value.' : ''].filter(Boolean).join(' ')}
          placeholder={byDefault ?? ''}
          required={isComplete && byDefault === null && !fromVisitor}
          value={values[name] ?? ''}
          onInput={(text) => {
            const { [name]: _, ...others } = values;
            onChange(text === '' ? others : { ...others, [name]: text });
          }}
        />
      ))}
    </fieldset>
  );
}
