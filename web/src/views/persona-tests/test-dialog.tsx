import { useState } from 'preact/hooks';
import { InputError } from '../../api/problem.ts';
import { Dialog } from '../../components/dialog.tsx';
import { SelectField, TextField } from '../../components/fields.tsx';
import { Icon } from '../../components/icon.tsx';
import { FormEnd, RequestForm } from '../../components/request-form.tsx';
import { ChangeButton } from '../../components/permission.tsx';
import { useFormWork } from '../../state/form-work.ts';
import { CheckFields } from './check-fields.tsx';
import { MockFields } from './mock-fields.tsx';
import { AudioFields } from './audio-fields.tsx';
import { createTestOf, type PersonaTest, updateTest } from './test-api.ts';
import { draftOfTest, EMPTY_CHECK, inputOfTest, type TestDraft } from './test-form-draft.ts';

/** One test of a persona. @param props.test null: a new one. */
export function TestDialog(props: {
  personaId: string;
  test: PersonaTest | null;
  onClose: () => void;
  onSaved: () => void;
}) {
  const { personaId, test } = props;
  const [draft, setDraft] = useState(() => draftOfTest(test));
  const form = useFormWork();
  const set = (part: Partial<TestDraft>): void => setDraft({ ...draft, ...part });

  async function save(): Promise<void> {
    let input;
    try {
      input = inputOfTest(draft);
    } catch {
      throw new InputError({ path: 'arguments', message: 'Arguments have to be JSON, such as {"city":"Paris"}.' });
    }
    await (test === null ? createTestOf(personaId, input) : updateTest(personaId, test.id, input));
    props.onSaved();
  }

  return (
    <Dialog title={test === null ? 'New test' : 'Change the test'} onClose={props.onClose}>
      <RequestForm class="stack" form={form} onSend={save}>
        <TextField label="Name of the test" path="name" value={draft.name} onInput={(name) => set({ name })} required />
        <User draft={draft} set={set} />
        <AudioFields sound={draft.sound} onChange={(sound) => set({ sound })} />
        <Checks checks={draft.checks} onChange={(checks) => set({ checks })} />
        <MockFields mocks={draft.mocks} onChange={(mocks) => set({ mocks })} />
        <Repetitions draft={draft} set={set} />
        <FormEnd form={form} save="Save the test" cancel={props.onClose} />
      </RequestForm>
    </Dialog>
  );
}

interface PartProps {
  readonly draft: TestDraft;
  readonly set: (part: Partial<TestDraft>) => void;
}

/** Who talks with the persona. */
function User({ draft, set }: PartProps) {
  return (
    <>
      <SelectField
        label="Who talks with it"
        value={draft.userKind}
        onChange={(userKind) => set({ userKind: userKind as TestDraft['userKind'] })}
      >
        <option value="lines">Somebody who says fixed lines</option>
        <option value="simulated">Somebody with a goal, played by the LLM</option>
      </SelectField>
      {draft.userKind === 'lines' ? (
        <TextField
          label="Lines"
          hint="One a line. Each is said when the persona has answered the one before."
          path="user.lines"
          lines={4}
          value={draft.lines}
          onInput={(lines) => set({ lines })}
        />
      ) : (
        <Simulated draft={draft} set={set} />
      )}
    </>
  );
}

/** Somebody whom the LLM plays. */
function Simulated({ draft, set }: PartProps) {
  return (
    <>
      <TextField label="Goal" path="user.goal" lines={3} value={draft.goal} onInput={(goal) => set({ goal })} />
      <TextField
        label="Manner"
        hint="Impatient, for example, or always off the point."
        path="user.manner"
        value={draft.manner}
        onInput={(manner) => set({ manner })}
      />
      <TextField
        label="Most lines"
        type="number"
        path="user.maxTurns"
        value={draft.maxTurns}
        onInput={(maxTurns) => set({ maxTurns })}
      />
    </>
  );
}

function Checks({
  checks,
  onChange,
}: {
  checks: TestDraft['checks'];
  onChange: (checks: TestDraft['checks']) => void;
}) {
  return (
    <>
      <h3>What has to come of it</h3>
      {checks.map((check, index) => (
        <CheckFields
          key={index}
          number={index + 1}
          check={check}
          onChange={(one) => onChange(checks.map((old, place) => (place === index ? one : old)))}
          onRemove={() => onChange(checks.filter((_, place) => place !== index))}
        />
      ))}
      <ChangeButton class="button" onClick={() => onChange([...checks, EMPTY_CHECK])}>
        <Icon name="plus" />
        Add a check
      </ChangeButton>
    </>
  );
}

function Repetitions({ draft, set }: PartProps) {
  return (
    <div class="pair">
      <TextField
        label="Repetitions"
        hint="LLMs do not always say the same."
        type="number"
        path="repeat"
        value={draft.repeat}
        onInput={(repeat) => set({ repeat })}
      />
      <TextField
        label="Have to pass, in percent"
        type="number"
        path="passRate"
        value={draft.passRate}
        onInput={(passRate) => set({ passRate })}
      />
    </div>
  );
}
