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
import { Options } from '../../components/options.tsx';

/** What is sent with the recording. */
type CloneDraft = Parameters<typeof cloneVoice>[0];

/** From a recording to a voice: what it is called, who speaks, and that this person agrees. */
export function CloneDialog(props: { cloning: VoiceOptions['cloning']; close: () => void; cloned: () => void }) {
  const { services, largestRecording } = props.cloning;
  const [voice, setVoice] = useState<CloneDraft>({
    provider: services[0]?.provider ?? '',
    name: '',
    description: '',
    language: 'en',
    enhance: true,
  });
  const [consent, setConsent] = useState(false);
  const [file, setFile] = useState<File | null>(null);
  const [sent, setSent] = useState<number | null>(null);
  const form = useFormWork();
  const change = (part: Partial<CloneDraft>): void => setVoice({ ...voice, ...part });
  const service = services.find((one) => one.provider === voice.provider);
  const busy = form.work.state === 'running';

  async function onSend(): Promise<void> {
    const recording = checkedRecording(file, largestRecording);
    setSent(0);
    try {
      await cloneVoice(voice, recording, setSent);
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
          <SelectField
            label="Service"
            path="provider"
            value={voice.provider}
            onChange={(provider) => change({ provider })}
          >
            <Options of={services.map((one) => [one.provider, serviceName(one.provider)])} />
          </SelectField>
        )}
        <Recording file={file} advice={service?.advice ?? ''} onFile={setFile} />
        <About voice={voice} codes={service?.languages ?? null} change={change} />
        <Consent given={consent} service={serviceName(voice.provider)} onChange={setConsent} />
        {sent !== null && <CloneProgress sent={sent} service={serviceName(voice.provider)} />}
        <FailedWork work={form.work} />
        <div class="row">
          <SubmitButton form={form}>Clone the voice</SubmitButton>
        </div>
      </RequestForm>
    </Dialog>
  );
}

function Consent(props: { given: boolean; service: string; onChange: (given: boolean) => void }) {
  return (
    <>
      <CheckField
        label="This is my own voice, or the person who speaks has agreed to be copied and to how the copy is used."
        path="consent"
        required
        checked={props.given}
        onChange={props.onChange}
      />
      <p class="muted small">The recording goes to {props.service}, which makes the copy. It is not kept here.</p>
    </>
  );
}

function Recording(props: { file: File | null; advice: string; onFile: (file: File | null) => void }) {
  const { file, advice, onFile } = props;
  const [source, setSource] = useState<'file' | 'microphone'>('file');
  return (
    <>
      <ChoiceField
        label="How the voice is recorded"
        value={source}
        options={[
          ['file', 'A file'],
          ['microphone', 'The microphone'],
        ]}
        onChange={(next) => {
          setSource(next);
          onFile(null);
        }}
      />
      {source === 'file' ? (
        <FilePick file={file} advice={advice} onPick={onFile} />
      ) : (
        <RecorderField advice={advice} onFile={onFile} />
      )}
    </>
  );
}

/** @param props.codes of the languages that the service takes. Null: it does not say. */
function About(props: {
  voice: CloneDraft;
  codes: readonly string[] | null;
  change: (part: Partial<CloneDraft>) => void;
}) {
  const { voice, codes, change } = props;
  const languages = codes?.map((code) => ({ code, name: languageName(code) })) ?? LANGUAGES;
  return (
    <>
      <div class="pair">
        <TextField
          label="Name"
          path="name"
          required
          maxLength={255}
          placeholder="Robin"
          value={voice.name}
          onInput={(name) => change({ name })}
        />
        <SelectField
          label="Language of the recording"
          path="language"
          value={voice.language}
          onChange={(language) => change({ language })}
        >
          <Options of={languages.map(({ code, name }) => [code, name])} />
        </SelectField>
      </div>
      <TextField
        label="Description"
        path="description"
        maxLength={300}
        value={voice.description}
        onInput={(description) => change({ description })}
      />
      <CheckField
        label="Remove noise from the recording"
        path="enhance"
        checked={voice.enhance}
        onChange={(enhance) => change({ enhance })}
      />
    </>
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
