import type { SessionConfig } from '../../../actors/session-config.ts';
import { takesDirectorNotes } from '../../catalogue/avatar-models.ts';
import type { CheckedSession } from './check-session.ts';

/** How a persona looks and sounds: the part of a session's configuration that an avatar video has, too. */
export type Appearance = Pick<
  SessionConfig,
  'languageCode' | 'voice' | 'avatar' | 'directorNotes' | 'videoWidth' | 'videoHeight'
>;

export function appearanceOf({ persona, avatar, model, voice, size }: CheckedSession): Appearance {
  return {
    languageCode: persona.languageCode === 'inherit' ? null : persona.languageCode,
    voice: {
      voiceId: voice.id,
      provider: voice.engineProvider,
      providerVoiceId: voice.providerVoiceId,
      family: voice.family,
      languages: voice.languages,
      tuning: {
        ...voice.tuning,
        ...(persona.voiceSpeed === null ? {} : { speed: persona.voiceSpeed }),
        ...persona.voiceGenerationOptions,
      },
    },
    avatar: { avatarId: avatar.stock === null ? avatar.row.id : avatar.stock.id, model, engineKey: avatar.engineKey },
    directorNotes: takesDirectorNotes(model) ? persona.directorNotes : null,
    videoWidth: size.width,
    videoHeight: size.height,
  };
}
