import { useState } from 'preact/hooks';
import { InputError } from '../../api/problem.ts';
import { listPersonas } from '../../api/routes.ts';
import { DeleteDialog } from '../../components/delete-dialog.tsx';
import { CheckField, TextField } from '../../components/fields.tsx';
import { GroupField } from '../../components/group-field.tsx';
import { FormEnd, RequestForm } from '../../components/request-form.tsx';
import { useFormWork } from '../../state/form-work.ts';
import { useLoaded } from '../../state/load.ts';
import { type EventName, EVENTS } from './event-wording.ts';
import { createWebhook, updateWebhook, type Webhook } from './webhook-api.ts';

/** What most programs want to know. */
const USUAL: readonly EventName[] = ['session.ended', 'transcript.ready'];

/** @param props.webhook null makes a new one. @param props.onSaved gets the secret of a new one. */
export function WebhookForm(props: {
  webhook: Webhook | null;
  onSaved: (webhook: Webhook, secret: string | null) => void;
  onDeleted: () => void;
}) {
  const { webhook } = props;
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [description, setDescription] = useState(webhook?.description ?? '');
  const [types, setTypes] = useState<readonly string[]>(webhook?.eventTypes ?? USUAL);
  const [personas, setPersonas] = useState<readonly string[] | null>(webhook?.personaIds ?? null);
  const [enabled, setEnabled] = useState(webhook?.enabled ?? true);
  const [asksToDelete, setAsksToDelete] = useState(false);
  const form = useFormWork();

  async function save(): Promise<void> {
    if (types.length === 0) throw new InputError({ path: 'eventTypes', message: 'Choose at least one.' });
    if (personas?.length === 0) throw new InputError({ path: 'personaIds', message: 'Choose at least one.' });
    const input = inputOf({ url, description, types, personas, enabled });
    if (webhook !== null) return props.onSaved(await updateWebhook(webhook.id, input), null);
    const { secret, ...made } = await createWebhook(input);
    props.onSaved(made, secret);
  }
  return (
    <RequestForm form={form} class="card padded stack" onSend={save}>
      <Address url={url} description={description} onUrl={setUrl} onDescription={setDescription} />
      <Events chosen={types} onChange={setTypes} />
      <PersonaFilter chosen={personas} onChange={setPersonas} />
      {webhook !== null && (
        <CheckField
          label="On"
          path="enabled"
          hint="While it is off, nothing that happens is kept for it."
          checked={enabled}
          onChange={setEnabled}
        />
      )}
      <FormEnd
        form={form}
        save={webhook === null ? 'Add webhook' : 'Save'}
        cancel="#/webhooks"
        onDelete={webhook === null ? undefined : () => setAsksToDelete(true)}
      />
      {asksToDelete && webhook !== null && (
        <DeleteDialog
          name={webhook.description ?? webhook.url}
          path={`/v1/webhooks/${webhook.id}`}
          text="What waits for it is not sent any more, and the record of its deliveries is deleted."
          onClose={() => setAsksToDelete(false)}
          onDeleted={props.onDeleted}
        />
      )}
    </RequestForm>
  );
}

function inputOf(draft: {
  readonly url: string;
  readonly description: string;
  readonly types: readonly string[];
  readonly personas: readonly string[] | null;
  readonly enabled: boolean;
}) {
  const { url, description, types, personas, enabled } = draft;
  return {
    url,
    description: description.trim() === '' ? null : description,
    eventTypes: EVENTS.map(([name]) => name).filter((name) => types.includes(name)),
    personaIds: personas === null ? null : [...personas],
    enabled,
  };
}

function Address(props: {
  url: string;
  description: string;
  onUrl: (url: string) => void;
  onDescription: (description: string) => void;
}) {
  return (
    <>
      <TextField
        label="URL"
        path="url"
        required
        type="url"
        placeholder="https://crm.example.com/parley"
        hint="Events are sent here with POST."
        value={props.url}
        onInput={props.onUrl}
      />
      <TextField
        label="Name"
        path="description"
        maxLength={200}
        placeholder="CRM"
        hint="To tell it from others."
        value={props.description}
        onInput={props.onDescription}
      />
    </>
  );
}

function Events({ chosen, onChange }: { chosen: readonly string[]; onChange: (chosen: readonly string[]) => void }) {
  return (
    <GroupField label="It is told when" path="eventTypes">
      <div class="checks">
        {EVENTS.map(([name, text]) => (
          <CheckField
            key={name}
            label={text}
            checked={chosen.includes(name)}
            onChange={(checked) => onChange(checked ? [...chosen, name] : chosen.filter((other) => other !== name))}
          />
        ))}
      </div>
    </GroupField>
  );
}

/** @param chosen null: events of all personas. */
function PersonaFilter({
  chosen,
  onChange,
}: {
  chosen: readonly string[] | null;
  onChange: (chosen: readonly string[] | null) => void;
}) {
  const personas = useLoaded('personas of a webhook', listPersonas);
  return (
    <GroupField label="Of" path="personaIds">
      <CheckField label="All personas" checked={chosen === null} onChange={(all) => onChange(all ? null : [])} />
      {chosen !== null && personas.state === 'ready' && (
        <div class="checks">
          {personas.value.data.map(({ id, name }) => (
            <CheckField
              key={id}
              label={name}
              checked={chosen.includes(id)}
              onChange={(checked) => onChange(checked ? [...chosen, id] : chosen.filter((other) => other !== id))}
            />
          ))}
        </div>
      )}
    </GroupField>
  );
}
