import { CheckField } from '../../components/fields.tsx';
import { SampleButton } from '../../components/sample-button.tsx';
import { orNull } from './persona-draft.ts';
import { Pronunciations } from './pronunciations.tsx';
import type { SectionProps } from './section.ts';
import { VoiceOptionFields } from './voice-options.tsx';

/** How the voice speaks. Which voice it is stands in Basics. */
export function VoiceSection({ draft, set, choices: { voices } }: SectionProps) {
  const voice = voices.find(({ id }) => id === draft.voiceId) ?? voices[0];
  const options = draft.voiceGenerationOptions ?? {};
  return (
    <>
      <div class="card padded stack">
        <div class="attach-head">
          <div>
            <h3>{voice === undefined ? 'Voice' : voice.displayName}</h3>
            <p class="muted small">
              {voice?.description} These are the options that it has; the sample does not have them.
            </p>
          </div>
          {voice !== undefined && <SampleButton voice={voice} />}
        </div>
        <VoiceOptionFields draft={draft} set={set} voice={voice} />
      </div>
      <Pronunciations
        value={options.pronunciations ?? []}
        onChange={(pronunciations) =>
          set({
            voiceGenerationOptions: orNull({
              ...options,
              pronunciations: pronunciations.length === 0 ? undefined : pronunciations,
            }),
          })
        }
      />
      <CheckField
        label="My own program makes the voice (audio passthrough)"
        hint="It sends finished speech, which the face speaks; the voice and its options above are then not used."
        path="enableAudioPassthrough"
        checked={draft.enableAudioPassthrough}
        onChange={(enableAudioPassthrough) => set({ enableAudioPassthrough })}
      />
    </>
  );
}
