import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { sentenceAbout } from '../api/problem.ts';
import { type ControlAttributes, Field } from './field.tsx';
import { GroupField } from './group-field.tsx';
import { useProblem, useReadOnly } from './problems.tsx';
import { webAddress } from './web-address.ts';

interface Common {
  readonly label: string;
  readonly hint?: string | undefined;
  /** Of the field in what is sent: problems that the API has with it stand beside it. */
  readonly path?: string;
}

interface Shared extends ControlAttributes {
  readonly class: string;
  readonly value: string;
  readonly placeholder: string | undefined;
  readonly required: boolean | undefined;
  /** Its text can still be selected and copied. */
  readonly readOnly: boolean;
  readonly maxLength: number | undefined;
  readonly onInput: (event: { readonly currentTarget: { readonly value: string } }) => void;
}

/** `datetime-local`: a time of this browser's place, as `2026-03-01T10:30`. */
type FieldType = 'text' | 'url' | 'password' | 'number' | 'datetime-local';

export function TextField(
  props: Common & {
    value: string;
    onInput: (value: string) => void;
    lines?: number;
    /** @defaultValue text */
    type?: FieldType;
    placeholder?: string;
    required?: boolean;
    maxLength?: number;
  },
) {
  const isReadOnly = useReadOnly();
  return (
    <Field label={props.label} hint={props.hint} path={props.path}>
      {(attributes) => {
        const shared: Shared = {
          ...attributes,
          class: 'input',
          value: props.value,
          placeholder: props.placeholder,
          required: props.required,
          readOnly: isReadOnly,
          maxLength: props.maxLength,
          onInput: (event) => props.onInput(event.currentTarget.value),
        };
        return props.lines === undefined ? (
          <Input type={props.type} {...shared} />
        ) : (
          <textarea rows={props.lines} {...shared} />
        );
      }}
    </Field>
  );
}

/** Each type by itself: its attributes differ. */
function Input({ type, ...rest }: { type: FieldType | undefined } & Shared) {
  switch (type) {
    case 'number':
      return <input type="number" step="any" autocomplete="off" {...rest} />;
    case 'password':
      return <input type="password" autocomplete="new-password" {...rest} />;
    case 'datetime-local':
      return <input type="datetime-local" {...rest} />;
    case 'url':
      return <input type="url" autocomplete="off" onChange={completeAddress(rest.onInput)} {...rest} />;
    default:
      return <input type="text" autocomplete="off" {...rest} />;
  }
}

/** When the field is left, so that nothing changes below somebody's fingers. */
function completeAddress(onInput: Shared['onInput']): Shared['onInput'] {
  return ({ currentTarget: { value } }) => {
    const whole = webAddress(value);
    if (whole !== value) onInput({ currentTarget: { value: whole } });
  };
}

export function SelectField(
  props: Common & { value: string; onChange: (value: string) => void; children: ComponentChildren },
) {
  const isReadOnly = useReadOnly();
  return (
    <Field label={props.label} hint={props.hint} path={props.path}>
      {(attributes) => (
        <select
          {...attributes}
          class="input"
          disabled={isReadOnly}
          value={props.value}
          onChange={(event) => props.onChange(event.currentTarget.value)}
        >
          {props.children}
        </select>
      )}
    </Field>
  );
}

export function CheckField(
  props: Common & { checked: boolean; onChange: (checked: boolean) => void; required?: boolean },
) {
  const id = useId();
  const isReadOnly = useReadOnly();
  const { problem, formId, edits } = useProblem(props.path);
  const below = problem === null ? props.hint : sentenceAbout(props.label, problem);
  return (
    <div class="check-field" {...edits}>
      <label class="check">
        <input
          type="checkbox"
          form={formId}
          data-path={props.path}
          required={props.required}
          disabled={isReadOnly}
          checked={props.checked}
          aria-invalid={problem === null ? undefined : 'true'}
          aria-describedby={below === undefined ? undefined : `${id}-below`}
          onChange={(event) => props.onChange(event.currentTarget.checked)}
        />
        {props.label}
      </label>
      {below !== undefined && (
        <span class={problem === null ? 'hint' : 'problem'} id={`${id}-below`}>
          {below}
        </span>
      )}
    </div>
  );
}

/** One of a few, all of them in sight. */
export function ChoiceField<T extends string>(
  props: Common & {
    value: T;
    options: readonly (readonly [T, string])[];
    onChange: (value: T) => void;
  },
) {
  const name = useId();
  const isReadOnly = useReadOnly();
  return (
    <GroupField label={props.label} hint={props.hint} path={props.path}>
      <div class="segmented">
        {props.options.map(([value, text]) => (
          <label key={value}>
            <input
              type="radio"
              name={name}
              disabled={isReadOnly}
              checked={props.value === value}
              onChange={() => props.onChange(value)}
            />
            <span>{text}</span>
          </label>
        ))}
      </div>
    </GroupField>
  );
}
