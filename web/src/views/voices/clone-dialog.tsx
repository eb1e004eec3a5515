import { useId, useState } from 'preact/hooks';
import type { VoiceOptions } from '../../../../control/voices/voice-schema.ts';
import { CheckField, SelectField, TextField } from '../../components/fields.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { useWork } from '../../state/work.ts';
import { LANGUAGES } from '../persona-editor/languages.ts';
import { cloneVoice } from './voice-api.ts';
import { languageName, recordingType, serviceName, sizeText } from './voice-wording.ts';

/** From a recording to a voice: what it is called, who speaks, and that this person agrees. */
export function CloneDialog(props: { cloning: VoiceOptions['cloning']; close: () => void; cloned: () => void }) {
  const { services, largestRecording } = props.cloning;
  const [provider, setProvider] = useState(services[0]?.provider ?? '');
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [language, setLanguage] = useState('en');
  const [enhance, setEnhance] = useState(true);
  const [consent, setConsent] = useState(false);
  const [file, setFile] = useState<File | null>(null);
  const [sent, setSent] = useState<number | null>(null);
  const { work, run } = useWork();
  const service = services.find((one) => one.provider === provider);
  const languages = service?.languages?.map((code) => ({ code, name: languageName(code) })) ?? LANGUAGES;
  const busy = work.state === 'running';

  function onSubmit(event: Event): void {
    event.preventDefault();
    void run(async () => {
      if (file === null) throw new Error('Choose a recording first.');
      const contentType = recordingType(file);
      if (contentType === null) throw new Error(`${file.name} is not a sound file.`);
      if (file.size > largestRecording)
        throw new Error(`${file.name} is larger than ${sizeText(largestRecording)}: choose a shorter recording.`);
      setSent(0);
      try {
        await cloneVoice({ name, description, language, provider, enhance }, { file, contentType }, setSent);
      } finally {
        setSent(null);
      }
      props.cloned();
      props.close();
    });
  }

  return (
    // What is being copied goes on, so the window stays until the service has answered.
    <Dialog title="Clone a voice" onClose={() => !busy && props.close()}>
      <form class="stack" onSubmit={onSubmit}>
        {services.length > 1 && (
          <SelectField label="Service" value={provider} onChange={setProvider}>
            {services.map((one) => (
              <option key={one.provider} value={one.provider}>
                {serviceName(one.provider)}
              </option>
            ))}
          </SelectField>
        )}
        <FilePick file={file} advice={service?.advice ?? ''} onPick={setFile} />
        <div class="pair">
          <TextField label="Name" required maxLength={255} placeholder="Robin" value={name} onInput={setName} />
          <SelectField label="Language of the recording" value={language} onChange={setLanguage}>
            {languages.map(({ code, name: shown }) => (
              <option key={code} value={code}>
                {shown}
              </option>
            ))}
          </SelectField>
        </div>
        <TextField label="Description" maxLength={300} value={description} onInput={setDescription} />
        <CheckField label="Remove noise from the recording" checked={enhance} onChange={setEnhance} />
        <label class="check consent">
          <input
            type="checkbox"
            required
            checked={consent}
            onChange={(event) => setConsent(event.currentTarget.checked)}
          />
          This is my own voice, or the person who speaks has agreed to be copied and to how the copy is used.
        </label>
        <p class="muted small">
          The recording goes to {serviceName(provider)}, which makes the copy. It is not kept here.
        </p>
        {sent !== null && <CloneProgress sent={sent} service={serviceName(provider)} />}
        {work.state === 'failed' && (
          <Notice bad>
            <span>{work.message}</span>
          </Notice>
        )}
        <div class="row">
          <button class="button primary" type="submit" disabled={busy}>
            Clone the voice
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function FilePick({ file, advice, onPick }: { file: File | null; advice: string; onPick: (file: File) => void }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>Recording</label>
      <input
        id={id}
        class="input"
        type="file"
        accept="audio/*"
        aria-describedby={`${id}-hint`}
        onChange={(event) => {
          const [picked] = event.currentTarget.files ?? [];
          if (picked !== undefined) onPick(picked);
        }}
      />
      <span class="hint" id={`${id}-hint`}>
        {advice} WAV, MP3, M4A, OGG or FLAC.{file !== null && ` ${sizeText(file.size)}.`}
      </span>
    </div>
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
