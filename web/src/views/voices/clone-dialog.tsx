import { useState } from 'preact/hooks';
import type { VoiceOptions } from '../../../../control/api/voices/voice-schema.ts';
import { Field } from '../../components/field.tsx';
import { CheckField, ChoiceField, SelectField, TextField } from '../../components/fields.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FailedWork } from '../../components/notice.tsx';
import { RequestForm, SubmitButton } from '../../components/request-form.tsx';
import { useFormWork } from '../../state/form-work.ts';
import { LANGUAGES } from '../persona-editor/languages.ts';
import { RecorderField } from './recorder-field.tsx';
import { checkedRecording, RECORDING_FIELD } from './recording-file.ts';
import { cloneVoice } from './voice-api.ts';
import { languageName, serviceName, sizeText } from './voice-wording.ts';

/** From a recording to a voice: what it is called, who speaks, and that this person agrees. */
export function CloneDialog(props: { cloning: VoiceOptions['cloning']; close: () => void; cloned: () => void }) {
  const { services, largestRecording } = props.cloning;
  const [provider, setProvider] = useState(services[0]?.provider ?? '');
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [language, setLanguage] = useState('en');
  const [enhance, setEnhance] = useState(true);
  const [consent, setConsent] = useState(false);
  const [source, setSource] = useState<'file' | 'microphone'>('file');
  const [file, setFile] = useState<File | null>(null);
  const [sent, setSent] = useState<number | null>(null);
  const form = useFormWork();
  const service = services.find((one) => one.provider === provider);
  const languages = service?.languages?.map((code) => ({ code, name: languageName(code) })) ?? LANGUAGES;
  const busy = form.work.state === 'running';

  async function onSend(): Promise<void> {
    const recording = checkedRecording(file, largestRecording);
    setSent(0);
    try {
      await cloneVoice({ name, description, language, provider, enhance }, recording, setSent);
    } finally {
      setSent(null);
    }
    props.cloned();
    props.close();
  }

  return (
    // What is being copied goes on, so the window stays until the service has answered.
    <Dialog title="Clone a voice" onClose={() => !busy && props.close()}>
      <RequestForm form={form} class="stack" onSend={onSend}>
        {services.length > 1 && (
          <SelectField label="Service" path="provider" value={provider} onChange={setProvider}>
            {services.map((one) => (
              <option key={one.provider} value={one.provider}>
                {serviceName(one.provider)}
              </option>
            ))}
          </SelectField>
        )}
        <ChoiceField
          label="How the voice is recorded"
          value={source}
          options={[
            ['file', 'A file'],
            ['microphone', 'The microphone'],
          ]}
          onChange={(next) => {
            setSource(next);
            setFile(null);
          }}
        />
        {source === 'file' ? (
          <FilePick file={file} advice={service?.advice ?? ''} onPick={setFile} />
        ) : (
          <RecorderField advice={service?.advice ?? ''} onFile={setFile} />
        )}
        <div class="pair">
          <TextField
            label="Name"
            path="name"
            required
            maxLength={255}
            placeholder="Robin"
            value={name}
            onInput={setName}
          />
          <SelectField label="Language of the recording" path="language" value={language} onChange={setLanguage}>
            {languages.map(({ code, name: shown }) => (
              <option key={code} value={code}>
                {shown}
              </option>
            ))}
          </SelectField>
        </div>
        <TextField
          label="Description"
          path="description"
          maxLength={300}
          value={description}
          onInput={setDescription}
        />
        <CheckField label="Remove noise from the recording" path="enhance" checked={enhance} onChange={setEnhance} />
        <CheckField
          label="This is my own voice, or the person who speaks has agreed to be copied and to how the copy is used."
          path="consent"
          required
          checked={consent}
          onChange={setConsent}
        />
        <p class="muted small">
          The recording goes to {serviceName(provider)}, which makes the copy. It is not kept here.
        </p>
        {sent !== null && <CloneProgress sent={sent} service={serviceName(provider)} />}
        <FailedWork work={form.work} />
        <div class="row">
          <SubmitButton form={form}>Clone the voice</SubmitButton>
        </div>
      </RequestForm>
    </Dialog>
  );
}

function FilePick({ file, advice, onPick }: { file: File | null; advice: string; onPick: (file: File) => void }) {
  return (
    <Field
      label="Recording"
      path={RECORDING_FIELD}
      hint={`${advice} WAV, MP3, M4A, OGG or FLAC.${file === null ? '' : ` ${sizeText(file.size)}.`}`}
    >
      {(attributes) => (
        <input
          {...attributes}
          class="input"
          type="file"
          accept="audio/*"
          onChange={(event) => {
            const [picked] = event.currentTarget.files ?? [];
            if (picked !== undefined) onPick(picked);
          }}
        />
      )}
    </Field>
  );
}

/** @param sent 0…1; 1: all of it is there, and the service works. */
function CloneProgress({ sent, service }: { sent: number; service: string }) {
  const text = sent < 1 ? 'Sending the recording…' : `${service} copies the voice…`;
  return (
    <div class="clone-progress" role="status">
      <span class="small">{text}</span>
      <progress max={1} aria-label={text} {...(sent < 1 && { value: sent })} />
    </div>
  );
}
