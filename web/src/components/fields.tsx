import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

export function TextField(props: {
  label: string;
  value: string;
  onInput: (value: string) => void;
  hint?: string;
  lines?: number;
  placeholder?: string;
  required?: boolean;
  maxLength?: number;
}) {
  const id = useId();
  const shared = {
    id,
    class: 'input',
    value: props.value,
    placeholder: props.placeholder,
    required: props.required,
    maxLength: props.maxLength,
    'aria-describedby': props.hint === undefined ? undefined : `${id}-hint`,
    onInput: (event: { currentTarget: { value: string } }) => props.onInput(event.currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      {props.lines === undefined ? (
        <input type="text" autocomplete="off" {...shared} />
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
