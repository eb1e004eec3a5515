import { CheckField, SelectField, TextField } from '../../components/fields.tsx';
import { GroupField } from '../../components/group-field.tsx';
import { Icon } from '../../components/icon.tsx';
import { Options } from '../../components/options.tsx';
import { ChangeButton } from '../../components/permission.tsx';
import { type Parameter, TYPES } from './parameters.ts';

const EMPTY: Parameter = { name: '', type: 'string', description: '', required: true, choices: [] };

/** The arguments that the LLM fills in, one row each. */
export function ParameterList(props: {
  readonly value: readonly Parameter[];
  readonly onChange: (value: readonly Parameter[]) => void;
  /** @defaultValue what it is for a tool */
  readonly label?: string;
  /** What a row is called. */
  readonly one?: 'argument' | 'field';
  readonly path?: string;
}) {
  const { value, onChange, label = 'What the persona fills in', one = 'argument', path = 'config.parameters' } = props;
  const change = (index: number, part: Partial<Parameter>): void =>
    onChange(value.map((row, other) => (other === index ? { ...row, ...part } : row)));
  return (
    <GroupField label={label} path={path}>
      {value.map((parameter, index) => (
        <ParameterRow
          key={index}
          one={one}
          number={index + 1}
          parameter={parameter}
          onChange={(part) => change(index, part)}
          onRemove={() => onChange(value.filter((_, other) => other !== index))}
        />
      ))}
      <div>
        <ChangeButton class="button" onClick={() => onChange([...value, { ...EMPTY, required: one === 'argument' }])}>
          <Icon name="plus" />
          Add {one === 'argument' ? 'an argument' : 'a field'}
        </ChangeButton>
      </div>
    </GroupField>
  );
}

function ParameterRow(props: {
  one: 'argument' | 'field';
  number: number;
  parameter: Parameter;
  onChange: (part: Partial<Parameter>) => void;
  onRemove: () => void;
}) {
  const { one, number, parameter, onChange, onRemove } = props;
  const title = one === 'argument' ? 'Argument' : 'Field';
  return (
    <div class="parameter" role="group" aria-label={`${title} ${number}`}>
      <TextField
        label={title}
        required
        maxLength={64}
        placeholder="place"
        value={parameter.name}
        onInput={(name) => onChange({ name })}
      />
      <SelectField
        label="Kind"
        value={parameter.type}
        onChange={(type) => onChange({ type: type as Parameter['type'] })}
      >
        <Options of={Object.entries(TYPES)} />
      </SelectField>
      <div class="wide">
        <TextField
          label="What it means"
          placeholder="The town that the user asks about"
          value={parameter.description}
          onInput={(description) => onChange({ description })}
        />
      </div>
      {parameter.type === 'string' && (
        <div class="wide">
          <TextField
            label="Only these values"
            hint="Separated by commas. Left empty: any."
            value={parameter.choices.join(', ')}
            onInput={(text) => onChange({ choices: text === '' ? [] : text.split(/,\s*/u) })}
          />
        </div>
      )}
      <div class="row wide">
        {one === 'argument' && (
          <CheckField label="Required" checked={parameter.required} onChange={(required) => onChange({ required })} />
        )}
        <ChangeButton
          class="button quiet icon-only"
          aria-label={`Remove ${parameter.name || `this ${one}`}`}
          onClick={onRemove}
        >
          <Icon name="trash" />
        </ChangeButton>
      </div>
    </div>
  );
}
