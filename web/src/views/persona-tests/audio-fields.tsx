import { listVoices } from '../../api/routes.ts';
import { CheckField, SelectField, TextField } from '../../components/fields.tsx';
import { useLoaded } from '../../state/load.ts';
import { EMPTY_SOUND, type SoundDraft } from './test-form-draft.ts';

const NOISES: readonly (readonly [SoundDraft['noise'], string])[] = [
  ['none', 'none'],
  ['fan', 'a fan, traffic far away'],
  ['keyboard', 'somebody types'],
];

/** Whether the user of a test speaks, and how that sounds. @param props.sound null: the user types. */
export function AudioFields(props: { sound: SoundDraft | null; onChange: (sound: SoundDraft | null) => void }) {
  const { sound, onChange } = props;
  return (
    <>
      <CheckField
        label="The user speaks"
        hint="Understood by the recognizer of calls; the persona answers with its voice. It takes as long as a call."
        checked={sound !== null}
        onChange={(speaks) => onChange(speaks ? EMPTY_SOUND : null)}
      />
      {sound !== null && <Sound sound={sound} set={(part) => onChange({ ...sound, ...part })} />}
    </>
  );
}

interface PartProps {
  readonly sound: SoundDraft;
  readonly set: (part: Partial<SoundDraft>) => void;
}

function Sound({ sound, set }: PartProps) {
  return (
    <>
      <VoiceField sound={sound} set={set} />
      <div class="pair">
        <SelectField
          label="Noise"
          value={sound.noise}
          onChange={(noise) => set({ noise: noise as SoundDraft['noise'] })}
        >
          {NOISES.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </SelectField>
        {sound.noise !== 'none' && (
          <TextField
            label="The voice is louder by, in dB"
            type="number"
            path="audio.voiceToNoiseDb"
            value={sound.voiceToNoiseDb}
            onInput={(voiceToNoiseDb) => set({ voiceToNoiseDb })}
          />
        )}
      </div>
      <div class="pair">
        <TextField
          label="Lines that interrupt"
          hint="Their numbers, such as 2, 4. Line 1 interrupts the greeting."
          path="audio.interruptions"
          value={sound.interruptions}
          onInput={(interruptions) => set({ interruptions })}
        />
        <TextField
          label="After the persona has talked for, in ms"
          type="number"
          path="audio.afterMs"
          value={sound.afterMs}
          onInput={(afterMs) => set({ afterMs })}
        />
      </div>
    </>
  );
}

function VoiceField({ sound, set }: PartProps) {
  const voices = useLoaded('voices of tests', listVoices);
  return (
    <SelectField label="Voice of the user" value={sound.voiceId} onChange={(voiceId) => set({ voiceId })}>
      <option value="">An offline voice</option>
      {voices.state === 'ready' &&
        voices.value.data.map(({ id, displayName }) => (
          <option key={id} value={id}>
            {displayName}
          </option>
        ))}
    </SelectField>
  );
}
