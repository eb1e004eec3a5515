import { useState } from 'preact/hooks';
import { sentenceOf } from '../../api/client.ts';
import {
  createPersona,
  deletePersona,
  getPersona,
  listAvatars,
  listLlms,
  listVoices,
  updatePersona,
} from '../../api/routes.ts';
import type { Llm, Persona, PersonaDraft } from '../../api/types.ts';
import { SelectField, TextField } from '../../components/fields.tsx';
import { Icon } from '../../components/icon.tsx';
import { LoadFailed, Notice } from '../../components/notice.tsx';
import { useLoaded } from '../../state/load.ts';
import { go } from '../../state/route.ts';
import { NO_CHANGES, saveDocuments } from '../../state/documents.ts';
import { Documents } from './documents.tsx';
import { LANGUAGES } from './languages.ts';
import { AvatarChoice } from './avatar-choice.tsx';
import { draftOf, isDeprecated, llmsFor, type Choices } from './draft.ts';
import { TurnTaking } from './turn-taking.tsx';

/** @param id null makes a new persona. */
export function PersonaForm({ id }: { id: string | null }) {
  const loaded = useLoaded(id ?? 'new', async () => {
    const [persona, avatars, voices, llms] = await Promise.all([
      id === null ? null : getPersona(id),
      listAvatars(),
      listVoices(),
      listLlms(),
    ]);
    return { persona, choices: { avatars, voices, llms } };
  });
  return (
    <main class="page narrow">
      <a class="back" href="#/">
        <Icon name="back" />
        All personas
      </a>
      <header class="page-head">
        <h1>{id === null ? 'New persona' : 'Change persona'}</h1>
      </header>
      {loaded.state === 'loading' && <div class="skeleton" style={{ height: '30rem' }} aria-busy="true" />}
      {loaded.state === 'failed' && <LoadFailed message={loaded.message} again={loaded.again} />}
      {loaded.state === 'ready' && <Form persona={loaded.value.persona} choices={loaded.value.choices} />}
    </main>
  );
}

function Form({ persona, choices }: { persona: Persona | null; choices: Choices }) {
  const [draft, setDraft] = useState(() => draftOf(persona, choices));
  const [avatars, setAvatars] = useState(choices.avatars.data);
  const [documents, setDocuments] = useState(NO_CHANGES);
  const [work, setWork] = useState<{ state: 'editing' | 'saving' } | { state: 'failed'; message: string }>({
    state: 'editing',
  });
  const change = (part: Partial<PersonaDraft>): void => setDraft((before) => ({ ...before, ...part }));

  async function run(task: () => Promise<unknown>): Promise<void> {
    setWork({ state: 'saving' });
    try {
      await task();
      go('#/');
    } catch (error) {
      setWork({ state: 'failed', message: sentenceOf(error) });
    }
  }

  function onSubmit(event: Event): void {
    event.preventDefault();
    void run(async () => {
      const toolIds = await saveDocuments(draft.name, persona, documents);
      // Not again when what follows fails and the form is sent once more.
      setDocuments(NO_CHANGES);
      const whole = toolIds === undefined ? draft : { ...draft, toolIds };
      setDraft(whole);
      await (persona === null ? createPersona(whole) : updatePersona(persona.id, whole));
    });
  }

  function onDelete(): void {
    if (persona !== null && confirm(`Delete ${persona.name}? This cannot be undone.`))
      void run(() => deletePersona(persona.id));
  }

  const voice = choices.voices.data.find(({ id }) => id === draft.voiceId);
  const llm = choices.llms.data.find(({ id }) => id === draft.llmId);
  return (
    <form class="stack" onSubmit={onSubmit}>
      <TextField
        label="Name"
        required
        maxLength={255}
        value={draft.name}
        placeholder="Robin"
        onInput={(name) => change({ name })}
      />
      <AvatarChoice
        avatars={avatars}
        value={draft.avatarId}
        onChange={(avatarId) => change({ avatarId })}
        onAvatars={setAvatars}
      />
      <div class="pair">
        <SelectField
          label="Voice"
          value={draft.voiceId}
          hint={voice?.description ?? ''}
          onChange={(voiceId) => change({ voiceId })}
        >
          {choices.voices.data.map(({ id, displayName }) => (
            <option key={id} value={id}>
              {displayName}
            </option>
          ))}
        </SelectField>
        <SelectField label="LLM" value={draft.llmId} hint={hintOf(llm)} onChange={(llmId) => change({ llmId })}>
          {llmsFor(persona, choices).map((one) => (
            <option key={one.id} value={one.id}>
              {one.displayName}
              {isDeprecated(one) && ' (deprecated)'}
              {one.unreadable === true && ' (its key must be entered again)'}
            </option>
          ))}
          {llm === undefined && draft.llmId !== '' && <option value={draft.llmId}>{draft.llmId}</option>}
        </SelectField>
      </div>
      <SelectField
        label="Language"
        value={draft.languageCode}
        hint="What the persona listens for and speaks."
        onChange={(languageCode) => change({ languageCode })}
      >
        <option value="inherit">Whatever is spoken</option>
        {LANGUAGES.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Who is it, and what should it do?"
        lines={6}
        maxLength={100_000}
        value={draft.systemPrompt}
        hint="The system prompt. Facts that are written here can be asked for."
        onInput={(systemPrompt) => change({ systemPrompt })}
      />
      <Documents groups={persona?.knowledge ?? []} value={documents} onChange={setDocuments} />
      <TextField
        label="First words"
        value={draft.initialMessage ?? ''}
        hint="Spoken word for word when the conversation begins. Left empty, the persona greets in its own words."
        onInput={(text) => change({ initialMessage: text === '' ? null : text })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={draft.skipGreeting}
          onChange={(event) => change({ skipGreeting: event.currentTarget.checked })}
        />
        Let me speak first
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={draft.enableSessionReplay}
          onChange={(event) => change({ enableSessionReplay: event.currentTarget.checked })}
        />
        Record conversations
      </label>
      <TextField
        label="Description"
        maxLength={300}
        value={draft.description}
        hint="Only shown on the card."
        onInput={(description) => change({ description })}
      />
      <TurnTaking
        value={draft.voiceDetectionOptions}
        onChange={(voiceDetectionOptions) => change({ voiceDetectionOptions })}
      />
      {work.state === 'failed' && (
        <Notice bad>
          <span>{work.message}</span>
        </Notice>
      )}
      <div class="form-end">
        <button class="button primary" type="submit" disabled={work.state === 'saving'}>
          {work.state === 'saving'
            ? documents.added.length > 0
              ? 'Reading the documents…'
              : 'Saving…'
            : persona === null
              ? 'Create'
              : 'Save'}
        </button>
        <a class="button quiet" href="#/">
          Cancel
        </a>
        {persona !== null && (
          <button class="button quiet delete" type="button" onClick={onDelete}>
            Delete
          </button>
        )}
      </div>
    </form>
  );
}

function hintOf(llm: Llm | undefined): string {
  if (llm !== undefined && isDeprecated(llm))
    return 'This LLM is deprecated. It still works for this persona; choose another one before it is removed.';
  return llm?.description ?? 'The language model that thinks for this persona.';
}
