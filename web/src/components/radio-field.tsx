import { useId } from 'preact/hooks';
import { GroupField } from './group-field.tsx';
import { useReadOnly } from './problems.tsx';

/** One of a few, one below the other. */
export function RadioField<T extends string>(props: {
  label: string;
  path?: string;
  value: T;
  choices: readonly { readonly value: T; readonly label: string; readonly hint?: string }[];
  onChange: (value: T) => void;
}) {
  const name = useId();
  const isReadOnly = useReadOnly();
  return (
    <GroupField label={props.label} path={props.path}>
      {props.choices.map(({ value, label, hint }) => (
        <div key={value} class="check-field">
          <label class="check">
            <input
              type="radio"
              name={name}
              value={value}
              disabled={isReadOnly}
              checked={value === props.value}
              aria-describedby={hint === undefined ? undefined : `${name}-${value}`}
              onChange={() => props.onChange(value)}
            />
            {label}
          </label>
          {hint !== undefined && (
            <span class="hint" id={`${name}-${value}`}>
              {hint}
            </span>
          )}
        </div>
      ))}
    </GroupField>
  );
}
