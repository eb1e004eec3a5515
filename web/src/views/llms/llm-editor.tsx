import { useState } from 'preact/hooks';
import { CheckField, SelectField, TextField } from '../../components/fields.tsx';
import { Notice } from '../../components/notice.tsx';
import { BackLink, FormEnd, PageHead, Shown } from '../../components/page.tsx';
import { useLoaded } from '../../state/load.ts';
import { go } from '../../state/route.ts';
import { useWork } from '../../state/work.ts';
import { checkLlm, createLlm, deleteLlm, getLlm, type LlmDetails, updateLlm } from './llm-api.ts';
import { draftOf, FORMATS, inputOf } from './llm-draft.ts';

/** @param id null makes a new one. */
export function LlmEditor({ id }: { id: string | null }) {
  const loaded = useLoaded(id ?? 'new', async () => (id === null ? null : getLlm(id)));
  return (
    <main class="page narrow">
      <BackLink href="#/llms">All LLMs</BackLink>
      <Shown loaded={loaded}>
        {(llm) => (
          <>
            <PageHead
              title={llm?.displayName ?? 'New LLM'}
              text={llm?.description ?? 'An endpoint of your own. Its key is stored encrypted and never shown.'}
            />
            {llm?.isDefault === true ? (
              <p class="card padded">Its operator configures it. Any persona can use it; it cannot be changed here.</p>
            ) : (
              <Form llm={llm} />
            )}
          </>
        )}
      </Shown>
    </main>
  );
}

function Form({ llm }: { llm: LlmDetails | null }) {
  // What was just created is changed from then on: the check needs it to be saved.
  const [saved, setSaved] = useState(llm);
  const [draft, setDraft] = useState(() => draftOf(llm));
  const [check, setCheck] = useState<{ readonly ok: boolean; readonly message: string | null } | null>(null);
  const { work, run } = useWork();
  const change = (part: Partial<typeof draft>): void => {
    setDraft({ ...draft, ...part });
    setCheck(null);
  };

  async function save(): Promise<string> {
    const now = await (saved === null ? createLlm(inputOf(draft)) : updateLlm(saved.id, inputOf(draft)));
    setSaved(now);
    return now.id;
  }
  function onSubmit(event: Event): void {
    event.preventDefault();
    void run(async () => {
      await save();
      go('#/llms');
    });
  }
  function onDelete(): void {
    if (saved !== null && confirm(`Delete ${saved.displayName}? Personas that use it need another one.`))
      void run(async () => {
        await deleteLlm(saved.id);
        go('#/llms');
      });
  }
  const format = FORMATS.find(({ id }) => id === draft.llmFormat);
  return (
    <form class="card padded stack" onSubmit={onSubmit}>
      <TextField
        label="Name"
        required
        maxLength={255}
        placeholder="House model"
        value={draft.displayName}
        onInput={(displayName) => change({ displayName })}
      />
      <div class="pair">
        <SelectField label="Format" value={draft.llmFormat} onChange={(llmFormat) => change({ llmFormat })}>
          {FORMATS.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          {format === undefined && <option value={draft.llmFormat}>{draft.llmFormat}</option>}
        </SelectField>
        <TextField
          label="Model"
          required
          maxLength={255}
          value={draft.modelName}
          onInput={(modelName) => change({ modelName })}
        />
      </div>
      <TextField
        label="URL"
        required
        type="url"
        placeholder={format?.url ?? 'https://llm.example.com/v1'}
        hint="Where its API begins. It must be reachable on the public internet, unless the operator allows its host."
        value={draft.url}
        onInput={(url) => change({ url })}
      />
      <TextField
        label="Key"
        required={saved === null}
        type="password"
        placeholder={saved === null ? '' : 'Unchanged'}
        value={draft.secret}
        onInput={(secret) => change({ secret })}
      />
      {draft.llmFormat === 'azure_openai' && (
        <div class="pair">
          <TextField
            label="Deployment"
            value={draft.deploymentName}
            onInput={(deploymentName) => change({ deploymentName })}
          />
          <TextField label="API version" value={draft.apiVersion} onInput={(apiVersion) => change({ apiVersion })} />
        </div>
      )}
      <div class="pair">
        <TextField
          label="Temperature"
          type="number"
          hint="Left empty: as the endpoint decides."
          value={draft.temperature}
          onInput={(temperature) => change({ temperature })}
        />
        <TextField
          label="Longest answer, in tokens"
          type="number"
          value={draft.maxTokens}
          onInput={(maxTokens) => change({ maxTokens })}
        />
      </div>
      <CheckField
        label="The endpoint keeps nothing of what it is sent"
        checked={draft.isZdr}
        onChange={(isZdr) => change({ isZdr })}
      />
      {check !== null && (
        <Notice bad={!check.ok}>
          <span>{check.ok ? 'It answers. Personas can use it.' : check.message}</span>
        </Notice>
      )}
      <FormEnd
        work={work}
        save="Save"
        cancel="#/llms"
        onDelete={saved === null ? undefined : onDelete}
        check={{
          label: 'Save and check the connection',
          run: () => void run(async () => setCheck(await checkLlm(await save()))),
        }}
      />
    </form>
  );
}
