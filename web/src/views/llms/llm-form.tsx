import { useState } from 'preact/hooks';
import { listLlms } from '../../api/routes.ts';
import { DeleteDialog, namesOf } from '../../components/delete-dialog.tsx';
import { CheckField, SelectField, TextField } from '../../components/fields.tsx';
import { Notice } from '../../components/notice.tsx';
import { FormEnd, RequestForm } from '../../components/request-form.tsx';
import { useFormWork } from '../../state/form-work.ts';
import { checkLlm, createLlm, type LlmCheck, type LlmDetails, updateLlm } from './llm-api.ts';
import { draftOf, FORMATS, inputOf, type LlmDraft, SPEECH } from './llm-draft.ts';
import { SpeechFields } from './speech-fields.tsx';
import { GroupField } from '../../components/group-field.tsx';
import { LlmPriceFields } from '../prices/llm-price-fields.tsx';
import { Options } from '../../components/options.tsx';

/** Formats of services that always need a key. */
const NEEDS_KEY: ReadonlySet<string> = new Set(['anthropic', 'gemini', 'groq_openai', 'azure_openai', SPEECH]);

/**
 * @param props.llm null makes a new one. @param props.cancel where one goes without saving. @param props.onCreated also
 * when it is only to be checked, and the form goes on.
 */
export function LlmForm({
  llm,
  cancel,
  onCreated,
  onSaved,
  onDeleted,
}: {
  llm: LlmDetails | null;
  cancel: string | (() => void);
  onCreated?: (llm: LlmDetails) => void;
  onSaved: (llm: LlmDetails) => void;
  onDeleted?: () => void;
}) {
  // What was just created is changed from then on: the check needs it to be saved.
  const [saved, setSaved] = useState(llm);
  const [draft, setDraft] = useState(() => draftOf(llm));
  const [check, setCheck] = useState<LlmCheck | null>(null);
  const [asksToDelete, setAsksToDelete] = useState(false);
  const form = useFormWork();
  const change = (part: Partial<typeof draft>): void => {
    setDraft({ ...draft, ...part });
    setCheck(null);
  };

  async function save(): Promise<LlmDetails> {
    const now = await (saved === null ? createLlm(inputOf(draft)) : updateLlm(saved.id, inputOf(draft)));
    setSaved(now);
    if (saved === null) onCreated?.(now);
    return now;
  }

  return (
    <RequestForm form={form} class="card padded stack" onSend={async () => onSaved(await save())}>
      <Endpoint draft={draft} isNew={saved === null} change={change} />
      <Generation draft={draft} change={change} />
      <Prices draft={draft} change={change} />
      {check !== null && <CheckResult check={check} />}
      <FormEnd
        form={form}
        save="Save"
        cancel={cancel}
        onDelete={saved === null ? undefined : () => setAsksToDelete(true)}
        check={{
          label: 'Save and check the connection',
          run: async () => setCheck(await checkLlm((await save()).id)),
        }}
      />
      {asksToDelete && saved !== null && (
        <DeleteDialog
          name={saved.displayName}
          path={`/v1/llms/${saved.id}`}
          text="Its address and its key are deleted. This cannot be undone."
          replacements={async () => namesOf((await listLlms()).data, saved.id)}
          onClose={() => setAsksToDelete(false)}
          onDeleted={() => onDeleted?.()}
        />
      )}
    </RequestForm>
  );
}

interface PartProps {
  readonly draft: LlmDraft;
  readonly change: (part: Partial<LlmDraft>) => void;
}

/** Where it is, and what opens it. */
function Endpoint({ draft, isNew, change }: PartProps & { isNew: boolean }) {
  const format = FORMATS.find(({ id }) => id === draft.llmFormat);
  return (
    <>
      <TextField
        label="Name"
        path="displayName"
        required
        maxLength={255}
        placeholder="House model"
        value={draft.displayName}
        onInput={(displayName) => change({ displayName })}
      />
      <Model draft={draft} change={change} />
      <TextField
        label="URL"
        path="url"
        required
        type="url"
        placeholder={format?.url ?? 'https://llm.example.com/v1'}
        hint="Where its API begins. A server of your own (localhost:11434) has to be allowed where Parley starts; if it is not, you are told how."
        value={draft.url}
        onInput={(url) => change({ url })}
      />
      <TextField
        label="Key"
        path="secret"
        required={isNew && NEEDS_KEY.has(draft.llmFormat)}
        hint={NEEDS_KEY.has(draft.llmFormat) ? undefined : 'A server of your own may need none.'}
        type="password"
        placeholder={isNew ? '' : 'Unchanged'}
        value={draft.secret}
        onInput={(secret) => change({ secret })}
      />
      {draft.llmFormat === SPEECH && <SpeechFields speech={draft.speech} onChange={(speech) => change({ speech })} />}
      {draft.llmFormat === 'azure_openai' && <Azure draft={draft} change={change} />}
    </>
  );
}

function Model({ draft, change }: PartProps) {
  const isKnown = FORMATS.some(({ id }) => id === draft.llmFormat);
  return (
    <div class="pair">
      <SelectField
        label="Format"
        path="llmFormat"
        value={draft.llmFormat}
        onChange={(llmFormat) => change({ llmFormat })}
      >
        <Options of={FORMATS.map(({ id, name }) => [id, name])} />
        {!isKnown && <option value={draft.llmFormat}>{draft.llmFormat}</option>}
      </SelectField>
      <TextField
        label="Model"
        path="modelName"
        required
        maxLength={255}
        value={draft.modelName}
        onInput={(modelName) => change({ modelName })}
      />
    </div>
  );
}

function Azure({ draft, change }: PartProps) {
  return (
    <div class="pair">
      <TextField
        label="Deployment"
        path="deploymentName"
        value={draft.deploymentName}
        onInput={(deploymentName) => change({ deploymentName })}
      />
      <TextField
        label="API version"
        path="apiVersion"
        value={draft.apiVersion}
        onInput={(apiVersion) => change({ apiVersion })}
      />
    </div>
  );
}

/** How it answers, and what becomes of what it is sent. */
function Generation({ draft, change }: PartProps) {
  return (
    <>
      <div class="pair">
        <TextField
          label="Temperature"
          path="temperature"
          type="number"
          hint="Left empty: as the endpoint decides."
          value={draft.temperature}
          onInput={(temperature) => change({ temperature })}
        />
        <TextField
          label="Longest answer, in tokens"
          path="maxTokens"
          type="number"
          value={draft.maxTokens}
          onInput={(maxTokens) => change({ maxTokens })}
        />
      </div>
      <CheckField
        label="The endpoint keeps nothing of what it is sent"
        path="isZdr"
        checked={draft.isZdr}
        onChange={(isZdr) => change({ isZdr })}
      />
    </>
  );
}

function Prices({ draft, change }: PartProps) {
  return (
    <GroupField
      label="What a million tokens cost"
      path="prices"
      hint="In the currency of your prices, see Settings. Without them its cost is not known."
    >
      <LlmPriceFields
        prices={draft.prices}
        path="prices"
        speaks={draft.llmFormat === SPEECH}
        onChange={(prices) => change({ prices })}
      />
    </GroupField>
  );
}

function CheckResult({ check }: { check: LlmCheck }) {
  return (
    <Notice tone={check.ok ? 'good' : 'bad'}>
      <div class="sentences">
        <p>{check.ok ? 'It answers. Personas can use it.' : check.message}</p>
        {check.notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
      </div>
    </Notice>
  );
}
