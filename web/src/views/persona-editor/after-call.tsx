import { useState } from 'preact/hooks';
import { CheckField, TextField } from '../../components/fields.tsx';
import { Icon } from '../../components/icon.tsx';
import { Notice } from '../../components/notice.tsx';
import { ChangeButton } from '../../components/permission.tsx';
import { ParameterList } from '../tools/parameter-list.tsx';
import { parametersOf, schemaOf } from '../tools/parameters.ts';
import type { PersonaDraft } from './persona-draft.ts';
import type { SectionProps } from './section.ts';

type Grading = NonNullable<PersonaDraft['grading']>;
type Criterion = Grading['criteria'][number];

const NOTHING: Grading = { summary: false, criteria: [], fields: null };

/** What the LLM of the persona is asked when a conversation is over. */
export function AfterCall({ draft, set }: SectionProps) {
  const grading = draft.grading ?? NOTHING;
  const change = (part: Partial<Grading>): void => {
    const next = { ...grading, ...part };
    const asks = next.summary || next.criteria.length > 0 || next.fields !== null;
    set({ grading: asks ? next : null });
  };
  const changeCriterion = (index: number, part: Partial<Criterion>): void =>
    change({ criteria: grading.criteria.map((one, place) => (place === index ? { ...one, ...part } : one)) });
  return (
    <>
      <p class="muted">
        When a conversation is over, the persona’s LLM reads it once more, in the background. What it says stands beside
        the session, in exports, and in the figures of each version.
      </p>
      {draft.zeroDataRetention && (
        <Notice>
          <span>This persona keeps nothing of its conversations, so nothing is asked of them.</span>
        </Notice>
      )}
      <CheckField
        label="Write a summary"
        path="grading.summary"
        checked={grading.summary}
        onChange={(summary) => change({ summary })}
      />
      <div class="stack">
        <div>
          <h3>When it is a success</h3>
          <p class="muted small">A conversation is a success when all of this is true of it.</p>
        </div>
        {grading.criteria.map((criterion, index) => (
          <CriterionFields
            key={index}
            criterion={criterion}
            path={`grading.criteria.${index}`}
            onChange={(part) => changeCriterion(index, part)}
            onRemove={() => change({ criteria: grading.criteria.filter((_, place) => place !== index) })}
          />
        ))}
        <div>
          <ChangeButton
            class="button"
            onClick={() => change({ criteria: [...grading.criteria, { name: '', description: '' }] })}
          >
            <Icon name="plus" />
            Add a criterion
          </ChangeButton>
        </div>
      </div>
      <ExtractedFields fields={grading.fields} onChange={(fields) => change({ fields })} />
    </>
  );
}

function CriterionFields(props: {
  readonly criterion: Criterion;
  readonly path: string;
  readonly onChange: (part: Partial<Criterion>) => void;
  readonly onRemove: () => void;
}) {
  const { criterion, path, onChange, onRemove } = props;
  return (
    <div class="card padded stack" role="group" aria-label={`Criterion ${criterion.name}`}>
      <TextField
        label="Name"
        path={`${path}.name`}
        required
        maxLength={64}
        placeholder="Booked"
        value={criterion.name}
        onInput={(name) => onChange({ name })}
      />
      <TextField
        label="What has to be true"
        path={`${path}.description`}
        required
        lines={2}
        maxLength={1000}
        placeholder="The guest has a room, and has confirmed the day."
        value={criterion.description}
        onInput={(description) => onChange({ description })}
      />
      <div class="row end">
        <ChangeButton class="button quiet" onClick={onRemove}>
          Remove<span class="visually-hidden"> {criterion.name || 'this criterion'}</span>
        </ChangeButton>
      </div>
    </div>
  );
}

/** As rows, or as the JSON Schema that says more than rows can show. */
function ExtractedFields(props: {
  readonly fields: Grading['fields'];
  readonly onChange: (fields: Grading['fields']) => void;
}) {
  const { fields, onChange } = props;
  const parameters = parametersOf(fields ?? undefined);
  const [text, setText] = useState(JSON.stringify(fields, null, 2));
  if (parameters === null)
    return (
      <TextField
        label="What is taken out of it"
        path="grading.fields"
        hint="A JSON Schema of an object. It says more than rows could show."
        lines={10}
        value={text}
        onInput={(next) => {
          setText(next);
          const schema = parsed(next);
          if (schema !== undefined) onChange(schema);
        }}
      />
    );
  return (
    <ParameterList
      label="What is taken out of it"
      one="field"
      path="grading.fields"
      value={parameters}
      onChange={(next) => onChange(next.length === 0 ? null : (schemaOf(next) as Grading['fields']))}
    />
  );
}

/** Undefined: it is no JSON yet. */
function parsed(text: string): Grading['fields'] | undefined {
  try {
    return text.trim() === '' ? null : (JSON.parse(text) as Grading['fields']);
  } catch {
    return undefined;
  }
}
