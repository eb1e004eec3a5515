import { useState } from 'preact/hooks';
import { CheckField, TextField } from '../../components/fields.tsx';
import { Notice } from '../../components/notice.tsx';
import { useWork } from '../../state/work.ts';
import { createApiKey } from './api-key-api.ts';

/** @param scopes what the key of this browser can give on. @param usual those of them that are checked at first. */
export function NewKeyForm(props: {
  scopes: readonly string[];
  usual: readonly string[];
  made: (key: { readonly name: string; readonly key: string }) => void;
}) {
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState(props.usual);
  const { work, run } = useWork();

  function onSubmit(event: Event): void {
    event.preventDefault();
    void run(async () => {
      props.made(await createApiKey(name, chosen));
      setName('');
    });
  }

  return (
    <form class="card padded stack" onSubmit={onSubmit}>
      <h2>New key</h2>
      <TextField
        label="Name"
        required
        maxLength={255}
        placeholder="Web site"
        hint="To tell it from others."
        value={name}
        onInput={setName}
      />
      <fieldset class="field plain">
        <legend>It may use</legend>
        <div class="checks">
          {props.scopes.map((scope) => (
            <CheckField
              key={scope}
              label={scope}
              checked={chosen.includes(scope)}
              onChange={(checked) =>
                setChosen(checked ? [...chosen, scope] : chosen.filter((other) => other !== scope))
              }
            />
          ))}
        </div>
      </fieldset>
      {work.state === 'failed' && (
        <Notice bad>
          <span>{work.message}</span>
        </Notice>
      )}
      <div class="row">
        <button class="button primary" type="submit" disabled={work.state === 'running' || chosen.length === 0}>
          Create key
        </button>
      </div>
    </form>
  );
}
