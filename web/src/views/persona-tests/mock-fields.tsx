import { SelectField, TextField } from '../../components/fields.tsx';
import { Icon } from '../../components/icon.tsx';
import { ChangeButton } from '../../components/permission.tsx';
import type { MockDraft } from './test-form-draft.ts';

/** What tools answer in a test. */
export function MockFields(props: { mocks: readonly MockDraft[]; onChange: (mocks: readonly MockDraft[]) => void }) {
  const { mocks, onChange } = props;
  const set = (index: number, part: Partial<MockDraft>): void =>
    onChange(mocks.map((mock, place) => (place === index ? { ...mock, ...part } : mock)));
  return (
    <>
      <h3>What tools answer</h3>
      <p class="muted small">No webhook is called in a test. Knowledge is searched, unless it has an answer here.</p>
      {mocks.map((mock, index) => (
        <fieldset key={index} class="test-check">
          <legend class="visually-hidden">Answer {index + 1}</legend>
          <TextField
            label="Tool"
            path={`mocks.${index}.tool`}
            value={mock.tool}
            onInput={(tool) => set(index, { tool })}
          />
          <SelectField
            label="It"
            value={mock.fails ? 'fails' : 'answers'}
            onChange={(how) => set(index, { fails: how === 'fails' })}
          >
            <option value="answers">answers</option>
            <option value="fails">fails</option>
          </SelectField>
          <TextField
            label={mock.fails ? 'Message' : 'Answer'}
            hint={mock.whenArguments === undefined ? undefined : `Only with ${JSON.stringify(mock.whenArguments)}`}
            lines={2}
            value={mock.answer}
            onInput={(answer) => set(index, { answer })}
          />
          <ChangeButton
            class="button quiet icon-only"
            aria-label={`Remove answer ${index + 1}`}
            onClick={() => onChange(mocks.filter((_, place) => place !== index))}
          >
            <Icon name="trash" />
          </ChangeButton>
        </fieldset>
      ))}
      <ChangeButton
        class="button"
        onClick={() => onChange([...mocks, { tool: '', answer: '', fails: false, whenArguments: undefined }])}
      >
        <Icon name="plus" />
        Add an answer
      </ChangeButton>
    </>
  );
}
