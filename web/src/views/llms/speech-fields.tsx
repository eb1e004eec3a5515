import { SelectField, TextField } from '../../components/fields.tsx';
import type { SpeechSettings } from './llm-api.ts';
import { PROTOCOLS, TURNS } from './llm-draft.ts';

/** Gemini leaves the turns to Parley. */
function withProtocol(speech: SpeechSettings, protocol: SpeechSettings['protocol']): SpeechSettings {
  return protocol === 'gemini'
    ? { ...speech, protocol, voice: 'Puck', turns: 'parley' }
    : { ...speech, protocol, voice: 'marin' };
}

interface FieldsProps {
  speech: SpeechSettings;
  onChange: (speech: SpeechSettings) => void;
}

/** What only models have that hear and speak themselves. */
export function SpeechFields({ speech, onChange }: FieldsProps) {
  return (
    <>
      <p class="muted">
        This model hears and speaks itself: it replaces the recognizer and the voice of its personas. A persona’s own
        voice only says what the model cannot, such as an apology when its connection is lost.
      </p>
      <ProtocolField speech={speech} onChange={onChange} />
      <div class="pair">
        <TextField
          label="Voice of the model"
          path="speech.voice"
          required
          maxLength={64}
          hint={
            speech.protocol === 'gemini' ? 'For example Puck, Kore or Aoede.' : 'For example marin, cedar or coral.'
          }
          value={speech.voice}
          onInput={(voice) => onChange({ ...speech, voice })}
        />
        <TextField
          label="Model for the transcript"
          path="speech.transcriptionModel"
          required
          maxLength={64}
          hint="It writes down what the user says."
          value={speech.transcriptionModel}
          onInput={(transcriptionModel) => onChange({ ...speech, transcriptionModel })}
        />
      </div>
      <SelectField
        label="Who says when the user has finished"
        path="speech.turns"
        value={speech.turns}
        onChange={(turns) => onChange({ ...speech, turns: turns as SpeechSettings['turns'] })}
      >
        {TURNS.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </>
  );
}

function ProtocolField({ speech, onChange }: FieldsProps) {
  return (
    <SelectField
      label="Protocol"
      path="speech.protocol"
      value={speech.protocol}
      onChange={(protocol) => onChange(withProtocol(speech, protocol as SpeechSettings['protocol']))}
    >
      {PROTOCOLS.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}
