import { useState } from 'preact/hooks';
import { CheckField, SelectField, TextField } from '../../components/fields.tsx';
import { GroupField } from '../../components/group-field.tsx';
import { FailedWork } from '../../components/notice.tsx';
import { RequestForm, SubmitButton } from '../../components/request-form.tsx';
import { InputError } from '../../api/problem.ts';
import { useFormWork } from '../../state/form-work.ts';
import { createApiKey } from './api-key-api.ts';
import { Options } from '../../components/options.tsx';
import { KEY_USES, type KeyUse, scopesFor } from './key-uses.ts';

/** @param scopes what the key of this browser can give on. @param usual those of them that a new key has by default. */
export function NewKeyForm(props: {
  scopes: readonly string[];
  usual: readonly string[];
  made: (key: { readonly name: string; readonly key: string }) => void;
}) {
  const [name, setName] = useState('');
  const [use, setUse] = useState<KeyUse>('conversations');
  const [chosen, setChosen] = useState(() => scopesFor('conversations', props.scopes, props.usual));
  const form = useFormWork();

  function onUse(next: KeyUse): void {
    setUse(next);
    if (next !== 'own') setChosen(scopesFor(next, props.scopes, props.usual));
  }

  async function onSend(): Promise<void> {
    if (chosen.length === 0) throw new InputError({ path: 'scopes', message: 'Choose at least one.' });
    props.made(await createApiKey(name, chosen));
    setName('');
  }

  return (
    <RequestForm form={form} class="card padded stack" onSend={onSend}>
      <h2>New key</h2>
      <TextField
        label="Name"
        path="name"
        required
        maxLength={255}
        placeholder="Web site"
        hint="To tell it from others."
        value={name}
        onInput={setName}
      />
      <SelectField label="What it is for" value={use} onChange={(value) => onUse(value as KeyUse)}>
        <Options of={Object.entries(KEY_USES)} />
      </SelectField>
      <Scopes
        offered={props.scopes}
        chosen={chosen}
        onChange={(scopes) => {
          setUse('own');
          setChosen(scopes);
        }}
      />
      <FailedWork work={form.work} />
      <div class="row">
        <SubmitButton form={form}>Create key</SubmitButton>
      </div>
    </RequestForm>
  );
}

function Scopes(props: {
  offered: readonly string[];
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}) {
  const { offered, chosen, onChange } = props;
  return (
    <GroupField label="It may use" path="scopes">
      <div class="checks">
        {offered.map((scope) => (
          <CheckField
            key={scope}
            label={scope}
            checked={chosen.includes(scope)}
            onChange={(checked) => onChange(checked ? [...chosen, scope] : chosen.filter((other) => other !== scope))}
          />
        ))}
      </div>
    </GroupField>
  );
}
