import { useState } from 'preact/hooks';
import type { TranscriptionResponse } from '../../../control/api/organization/transcription-schema.ts';
import { getTranscription, updateTranscription } from '../api/routes.ts';
import { SelectField, TextField } from '../components/fields.tsx';
import { FailedWork } from '../components/notice.tsx';
import { RequestForm, SubmitButton } from '../components/request-form.tsx';
import { useFormWork } from '../state/form-work.ts';
import { useLoaded } from '../state/load.ts';
import { LANGUAGES } from './persona-editor/languages.ts';
import { Options } from '../components/options.tsx';

/** In which language, by which recognizer and with which terms users are understood, for all personas. */
export function TranscriptionCard() {
  const loaded = useLoaded('transcription', getTranscription);
  return loaded.state === 'ready' ? <TranscriptionForm before={loaded.value} /> : null;
}

function TranscriptionForm({ before }: { before: TranscriptionResponse }) {
  const [languageCode, setLanguageCode] = useState(before.languageCode ?? '');
  const [recognizer, setRecognizer] = useState(before.recognizer ?? '');
  const [terms, setTerms] = useState(before.keyTerms.join(', '));
  const [isSaved, setSaved] = useState(false);
  const form = useFormWork();

  async function onSend(): Promise<void> {
    setSaved(false);
    await updateTranscription({
      languageCode: languageCode === '' ? null : languageCode,
      recognizer: recognizer === '' ? null : recognizer,
      keyTerms: terms.split(/[,\n]/u).flatMap((term) => (term.trim() === '' ? [] : [term.trim()])),
    });
    setSaved(true);
  }

  return (
    <RequestForm form={form} class="card padded stack" onSend={onSend}>
      <Title />
      <div class="pair">
        <SelectField
          label="Language of users"
          path="languageCode"
          value={languageCode}
          hint="For personas that have no language of their own."
          onChange={setLanguageCode}
        >
          <option value="">Whatever is spoken</option>
          <Options of={LANGUAGES.map(({ code, name }) => [code, name])} />
        </SelectField>
        <SelectField
          label="Recognizer"
          path="recognizer"
          value={recognizer}
          hint="The others take over when it fails."
          onChange={setRecognizer}
        >
          <option value="">The first one</option>
          <Options of={before.recognizers.map(({ id }) => [id, id])} />
        </SelectField>
      </div>
      <TextField
        label="Names and terms"
        path="keyTerms"
        value={terms}
        lines={2}
        hint="Separated by commas. Names of personas, their tools and their documents are known already."
        placeholder="Brightwater, Zsófia"
        onInput={setTerms}
      />
      <div class="row">
        <SubmitButton form={form}>Save</SubmitButton>
        {isSaved && <Saved />}
      </div>
      <FailedWork work={form.work} />
    </RequestForm>
  );
}

function Title() {
  return (
    <div>
      <h2>Speech recognition</h2>
      <p class="muted small">For all personas, from their next conversation on.</p>
    </div>
  );
}

function Saved() {
  return (
    <span class="badge good" role="status">
      Saved
    </span>
  );
}
