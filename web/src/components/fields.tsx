import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface Shared {
  readonly id: string;
  readonly class: string;
  readonly value: string;
  readonly placeholder: string | undefined;
  readonly required: boolean | undefined;
  readonly maxLength: number | undefined;
  readonly 'aria-describedby': string | undefined;
  readonly onInput: (event: { readonly currentTarget: { readonly value: string } }) => void;
}

/** `datetime-local`: a time of this browser's place, as `2026-03-01T10:30`. */
type FieldType = 'text' | 'url' | 'password' | 'number' | 'datetime-local';

export function TextField(props: {
  label: string;
  value: string;
  onInput: (value: string) => void;
  hint?: string;
  lines?: number;
  /** @defaultValue text */
  type?: FieldType;
  placeholder?: string;
  required?: boolean;
  maxLength?: number;
}) {
  const id = useId();
  const shared: Shared = {
    id,
    class: 'input',
    value: props.value,
    placeholder: props.placeholder,
    required: props.required,
    maxLength: props.maxLength,
    'aria-describedby': props.hint === undefined ? undefined : `${id}-hint`,
    onInput: (event) => props.onInput(event.currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      {props.lines === undefined ? (
        <Input type={props.type} {...shared} />
      ) : (
        <textarea rows={props.lines} {...shared} />
      )}
      {props.hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {props.hint}
        </span>
      )}
    </div>
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
      return <input type="url" autocomplete="off" {...rest} />;
    default:
      return <input type="text" autocomplete="off" {...rest} />;
  }
}

export function SelectField(props: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  hint?: string;
  children: ComponentChildren;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <select
        id={id}
        class="input"
        value={props.value}
        aria-describedby={props.hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => props.onChange(event.currentTarget.value)}
      >
        {props.children}
      </select>
      {props.hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {props.hint}
        </span>
      )}
    </div>
  );
}

/** One of a few, all of them in sight. */
export function ChoiceField<T extends string>(props: {
  label: string;
  value: T;
  options: readonly (readonly [T, string])[];
  onChange: (value: T) => void;
  hint?: string;
}) {
  const id = useId();
  return (
    <fieldset class="field plain" aria-describedby={props.hint === undefined ? undefined : `${id}-hint`}>
      <legend>{props.label}</legend>
      <div class="segmented">
        {props.options.map(([value, name]) => (
          <label key={value}>
            <input type="radio" name={id} checked={props.value === value} onChange={() => props.onChange(value)} />
            <span>{name}</span>
          </label>
        ))}
      </div>
      {props.hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {props.hint}
        </span>
      )}
    </fieldset>
  );
}

export function SliderField(props: {
  label: string;
  hint: string;
  value: number;
  min: number;
  max: number;
  step: number;
  show: (value: number) => string;
  onInput: (value: number) => void;
}) {
  const id = useId();
  return (
    <div class="slider field">
      <label for={id}>{props.label}</label>
      <output for={id}>{props.show(props.value)}</output>
      <input
        id={id}
        type="range"
        min={props.min}
        max={props.max}
        step={props.step}
        value={props.value}
        aria-describedby={`${id}-hint`}
        aria-valuetext={props.show(props.value)}
        onInput={(event) => props.onInput(event.currentTarget.valueAsNumber)}
      />
      <span class="hint" id={`${id}-hint`}>
        {props.hint}
      </span>
    </div>
  );
}

export function CheckField(props: { label: string; checked: boolean; onChange: (checked: boolean) => void }) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={props.checked}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      {props.label}
    </label>
  );
}
