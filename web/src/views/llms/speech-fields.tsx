import { SelectField, TextField } from '../../components/fields.tsx';
import type { SpeechSettings } from './llm-api.ts';
import { TURNS } from './llm-draft.ts';

/** What only models have that hear and speak themselves. */
export function SpeechFields({
  speech,
  onChange,
}: {
  speech: SpeechSettings;
  onChange: (speech: SpeechSettings) => void;
}) {
  return (
    <>
      <p class="muted">
        This model hears and speaks itself: it replaces the recognizer and the voice of its personas. A persona’s own
        voice only says what the model cannot, such as an apology when its connection is lost.
      </p>
      <div class="pair">
        <TextField
          label="Voice of the model"
          path="speech.voice"
          required
          maxLength={64}
          hint="For example marin, cedar, alloy, coral or sage."
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
