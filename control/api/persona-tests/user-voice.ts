import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { References } from '../../catalogue/references.ts';
import type { SessionConfig } from '../../../actors/session-config.ts';
import type { SpokenConversationRequest } from '../../../engine/index.ts';

export interface UserVoiceParts {
  readonly references: References;
  readonly catalogue: Catalogue;
}

/** Where a persona has no language, the user speaks this one. */
const USUAL_LANGUAGE = 'en';
/** The provider of voices that need no account: nobody pays for a test's user. */
const OFFLINE = 'LOCAL';

/**
 * Who speaks the lines of a test's user.
 * @param voiceId undefined: an offline voice of the persona's language, and not the persona's own.
 * @returns null: that voice does not exist.
 */
export async function userVoice(
  { references, catalogue }: UserVoiceParts,
  { organizationId, languageCode, voice }: Pick<SessionConfig, 'organizationId' | 'languageCode' | 'voice'>,
  voiceId: string | undefined,
): Promise<SpokenConversationRequest['voice'] | null> {
  const language = languageCode ?? USUAL_LANGUAGE;
  const id = voiceId ?? offlineVoice(catalogue, language, voice.voiceId);
  const found = await references.voice(organizationId, id);
  return found && { provider: found.engineProvider, providerVoiceId: found.providerVoiceId, language };
}

function offlineVoice({ voices, defaultVoiceId }: Catalogue, language: string, but: string | null): string {
  const offline = voices.filter(({ provider }) => provider === OFFLINE);
  const speaks = offline.filter(({ ownLanguages }) => ownLanguages === 'any' || ownLanguages.includes(language));
  return (speaks.find(({ id }) => id !== but) ?? speaks[0] ?? offline[0])?.id ?? defaultVoiceId;
}
