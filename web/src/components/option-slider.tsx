import { Field } from './field.tsx';
import { useReadOnly } from './problems.tsx';

/**
 * A slider for something that has a default: it shows the default until it is moved, and can go back to it.
 * @param stops the values that it can have, in their order. @param ends what its two ends mean.
 */
export function OptionSlider(props: {
  label: string;
  hint?: string;
  path?: string;
  value: number | undefined;
  /** Undefined: whatever the model does of itself. */
  usual: number | undefined;
  stops: readonly number[];
  ends: readonly [low: string, high: string];
  show: (value: number) => string;
  onChange: (value: number | undefined) => void;
}) {
  const { value, usual, stops } = props;
  const isReadOnly = useReadOnly();
  const shown = value ?? usual;
  const said = shown === undefined ? 'default' : `${props.show(shown)}${value === undefined ? ' (default)' : ''}`;
  return (
    <Field label={props.label} hint={props.hint} path={props.path} class="slider">
      {(attributes) => (
        <>
          <span class="slider-value">
            <output for={attributes.id}>{said}</output>
            {value !== undefined && !isReadOnly && (
              <button class="link" type="button" onClick={() => props.onChange(undefined)}>
                Default<span class="visually-hidden"> for {props.label}</span>
              </button>
            )}
          </span>
          <input
            {...attributes}
            type="range"
            disabled={isReadOnly}
            min={0}
            max={stops.length - 1}
            step={1}
            value={shown === undefined ? Math.floor(stops.length / 2) : nearest(stops, shown)}
            aria-valuetext={said}
            onInput={(event) => props.onChange(stops[event.currentTarget.valueAsNumber])}
          />
          <span class="slider-ends">
            <span>{props.ends[0]}</span>
            <span>{props.ends[1]}</span>
          </span>
        </>
      )}
    </Field>
  );
}

/** @returns the place of the stop that is nearest to a value, which somebody may have set by the API. */
export function nearest(stops: readonly number[], value: number): number {
  const distance = (index: number): number => Math.abs((stops[index] ?? Infinity) - value);
  return stops.reduce((best, _, index) => (distance(index) < distance(best) ? index : best), 0);
}
