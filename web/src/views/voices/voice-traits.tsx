import type { Voice } from '../../api/types.ts';
import { genderText, languagesText, serviceName } from './voice-wording.ts';

/** Name and description of a voice, and by what it is told from others: language, gender, where it comes from. */
export function VoiceTraits({ voice }: { voice: Voice }) {
  const traits = [languagesText(voice.languages), genderText(voice.gender), serviceName(voice.provider)];
  return (
    <>
      <span class="what">
        <strong>{voice.displayName}</strong>
        {voice.description !== null && <span class="muted small">{voice.description}</span>}
      </span>
      <span class="traits">
        {voice.createdByOrganizationId !== null && <span class="badge good">Yours</span>}
        {traits.map(
          (trait) =>
            trait !== null && (
              <span key={trait} class="badge">
                {trait}
              </span>
            ),
        )}
      </span>
    </>
  );
}
