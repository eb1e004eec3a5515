import { useState } from 'preact/hooks';
import type { TranscriptionResponse } from '../../../control/organization/transcription-schema.ts';
import { sentenceOf } from '../api/client.ts';
import { getTranscription, updateTranscription } from '../api/routes.ts';
import { SelectField, TextField } from '../components/fields.tsx';
import { Notice } from '../components/notice.tsx';
import { useLoaded } from '../state/load.ts';
import { LANGUAGES } from './persona-editor/languages.ts';

/** In which language, by which recognizer and with which terms users are understood, for all personas. */
export function TranscriptionCard() {
  const loaded = useLoaded('transcription', getTranscription);
  return loaded.state === 'ready' ? <TranscriptionForm before={loaded.value} /> : null;
}

function TranscriptionForm({ before }: { before: TranscriptionResponse }) {
  const [languageCode, setLanguageCode] = useState(before.languageCode ?? '');
  const [recognizer, setRecognizer] = useState(before.recognizer ?? '');
  const [terms, setTerms] = useState(before.keyTerms.join(', '));
  const [saving, setSaving] = useState<'no' | 'running' | 'done' | { readonly failed: string }>('no');

  function onSubmit(event: Event): void {
    event.preventDefault();
    setSaving('running');
    updateTranscription({
      languageCode: languageCode === '' ? null : languageCode,
      recognizer: recognizer === '' ? null : recognizer,
      keyTerms: terms.split(/[,\n]/u).flatMap((term) => (term.trim() === '' ? [] : [term.trim()])),
    }).then(
      () => setSaving('done'),
      (error: unknown) => setSaving({ failed: sentenceOf(error) }),
    );
  }

  return (
    <form class="card padded stack" onSubmit={onSubmit}>
      <div>
        <h2>Speech recognition</h2>
        <p class="muted small">For all personas, from their next conversation on.</p>
      </div>
      <div class="pair">
        <SelectField
          label="Language of users"
          value={languageCode}
          hint="For personas that have no language of their own."
          onChange={setLanguageCode}
        >
          <option value="">Whatever is spoken</option>
          {LANGUAGES.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Recognizer"
          value={recognizer}
          hint="The others take over when it fails."
          onChange={setRecognizer}
        >
          <option value="">The first one</option>
          {before.recognizers.map(({ id }) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
        </SelectField>
      </div>
      <TextField
        label="Names and terms"
        value={terms}
        lines={2}
        hint="Separated by commas. Names of personas, their tools and their documents are known already."
        placeholder="Brightwater, Zsófia"
        onInput={setTerms}
      />
      <div class="row">
        <button class="button primary" type="submit" disabled={saving === 'running'}>
          Save
        </button>
        {saving === 'done' && <span class="badge good">Saved</span>}
      </div>
      {typeof saving === 'object' && (
        <Notice bad>
          <span>{saving.failed}</span>
        </Notice>
      )}
    </form>
  );
}
