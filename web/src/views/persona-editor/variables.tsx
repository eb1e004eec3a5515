import { CheckField, TextField } from '../../components/fields.tsx';
import { Icon } from '../../components/icon.tsx';
import { Notice } from '../../components/notice.tsx';
import { ChangeButton } from '../../components/permission.tsx';
import type { PersonaDraft } from './persona-draft.ts';
import type { SectionProps } from './section.ts';
import { undeclaredNames } from './undeclared.ts';

type Variable = PersonaDraft['variables'][number];

const NEW_VARIABLE: Variable = { name: '', description: '', default: null, example: null, fromVisitor: false };

/** What is filled into the texts of the persona. */
export function Variables({ draft, set }: SectionProps) {
  const { variables } = draft;
  const add = (name: string): void => set({ variables: [...variables, { ...NEW_VARIABLE, name }] });
  const undeclared = undeclaredNames([draft.systemPrompt, draft.personality, draft.initialMessage], variables);
  return (
    <>
      <p class="muted">
        Where the instructions, the first words, or a tool’s arguments and headers say <code>{'{{name}}'}</code>, a
        conversation has the value that its token, its share link or its widget gives.
      </p>
      {undeclared.map((name) => (
        <Notice key={name}>
          <span>
            The texts say <code>{`{{${name}}}`}</code>, which is not declared: it would be taken as it is.
          </span>
          <ChangeButton class="button" onClick={() => add(name)}>
            Declare it<span class="visually-hidden">: {name}</span>
          </ChangeButton>
        </Notice>
      ))}
      {variables.map((variable, index) => (
        <VariableCard
          key={index}
          variable={variable}
          path={`variables.${index}`}
          onChange={(part) =>
            set({ variables: variables.map((one, place) => (place === index ? { ...one, ...part } : one)) })
          }
          onRemove={() => set({ variables: variables.filter((_, place) => place !== index) })}
        />
      ))}
      <div>
        <ChangeButton class="button" onClick={() => add('')}>
          <Icon name="plus" />
          Add a variable
        </ChangeButton>
      </div>
    </>
  );
}

function VariableCard(props: {
  readonly variable: Variable;
  readonly path: string;
  readonly onChange: (part: Partial<Variable>) => void;
  readonly onRemove: () => void;
}) {
  const { variable, path, onChange, onRemove } = props;
  const orNull = (text: string): string | null => (text === '' ? null : text);
  return (
    <div class="card padded stack" role="group" aria-label={`Variable ${variable.name}`}>
      <div class="pair">
        <TextField
          label="Name"
          path={`${path}.name`}
          required
          value={variable.name}
          onInput={(name) => onChange({ name })}
        />
        <TextField
          label="What it means"
          path={`${path}.description`}
          value={variable.description}
          onInput={(description) => onChange({ description })}
        />
      </div>
      <div class="pair">
        <TextField
          label="Default"
          hint="Left empty: somebody has to give a value."
          path={`${path}.default`}
          value={variable.default ?? ''}
          onInput={(text) => onChange({ default: orNull(text) })}
        />
        <TextField
          label="Example"
          hint="For trials and tests, where there is no default."
          path={`${path}.example`}
          value={variable.example ?? ''}
          onInput={(text) => onChange({ example: orNull(text) })}
        />
      </div>
      <CheckField
        label="Visitors of a web site or a share link may give it"
        checked={variable.fromVisitor}
        onChange={(fromVisitor) => onChange({ fromVisitor })}
      />
      <div class="row end">
        <ChangeButton class="button quiet" onClick={onRemove}>
          Remove<span class="visually-hidden"> {variable.name || 'this variable'}</span>
        </ChangeButton>
      </div>
    </div>
  );
}
