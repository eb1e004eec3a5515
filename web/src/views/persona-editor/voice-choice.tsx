import { useState } from 'preact/hooks';
import { GroupField } from '../../components/group-field.tsx';
import { SampleButton } from '../../components/sample-button.tsx';
import { ChangeButton } from '../../components/permission.tsx';
import { VoiceTraits } from '../voices/voice-traits.tsx';
import { voiceChange } from './persona-draft.ts';
import type { SectionProps } from './section.ts';
import { VoiceDialog } from './voice-dialog.tsx';

/** The voice of the persona, and a window in which another one is found and heard. */
export function VoiceChoice({
  draft,
  set,
  choices,
  setChoices,
}: Pick<SectionProps, 'draft' | 'set' | 'choices' | 'setChoices'>) {
  const [isChoosing, setChoosing] = useState(false);
  const voice = choices.voices.find(({ id }) => id === draft.voiceId);
  const close = (): void => setChoosing(false);
  return (
    <>
      <GroupField label="Voice" path="voiceId">
        <div class="card voices voice-choice">
          {voice === undefined ? (
            <span class="what">The first one of this service</span>
          ) : (
            <>
              <SampleButton voice={voice} />
              <VoiceTraits voice={voice} />
            </>
          )}
          <ChangeButton class="button" onClick={() => setChoosing(true)}>
            Change<span class="visually-hidden"> the voice</span>
          </ChangeButton>
        </div>
      </GroupField>
      {isChoosing && (
        <VoiceDialog
          chosen={draft.voiceId}
          language={draft.languageCode}
          close={close}
          choose={(chosen) => {
            if (!choices.voices.some(({ id }) => id === chosen.id))
              setChoices({ ...choices, voices: [...choices.voices, chosen] });
            set(voiceChange(draft, chosen));
            close();
          }}
        />
      )}
    </>
  );
}
