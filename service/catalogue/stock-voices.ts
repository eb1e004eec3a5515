import { stockId, ttsServices, type Settings, type StockVoice } from '../../control/index.ts';
import {
  LOCAL,
  LOCAL_VOICES,
  neuralStockVoices,
  ttsProvider,
  type LocalModels,
  type StockVoice as ProviderVoice,
} from '../../engine/index.ts';
import type { OfferedVoice } from '../../models/tts/account/voice-account.ts';
import type { VoiceAccounts } from '../parts/voice-accounts.ts';
import { isMarked } from './zdr-marks.ts';

/**
 * The voices of the operator's services come first: those that the settings name, else those of the account, else those
 * that the provider is known to have. Then come the neural ones that are here, then the classic ones.
 * @param accounts what the services tell of their voices.
 */
export function stockVoices(
  settings: Settings,
  local: Pick<LocalModels, 'voices'>,
  accounts: VoiceAccounts | null,
): StockVoice[] {
  const remote = ttsServices(settings).flatMap(({ name, choice, voices: named }) => {
    const { apiName, family, stockVoices: published, languages = 'any', languageOf } = ttsProvider(choice.provider);
    const told = new Map(accounts?.voicesOf(name)?.map((voice) => [voice.providerVoiceId, voice]));
    const known = new Map(published.map((voice) => [voice.providerVoiceId, voice]));
    return idsOf(named, known, told).map((id): StockVoice => {
      const ofAccount = told.get(id);
      const own = languageOf?.(id) ?? null;
      const spoken = own === null ? languages : [own];
      return {
        ...fieldsOf(apiName, id, ofAccount ?? known.get(id) ?? null, spoken),
        family,
        isZdr: isMarked(settings, name),
        languages: spoken,
        displayTags: [],
        sample: ofAccount === undefined ? null : sampleOf(name, ofAccount, accounts),
      };
    });
  });
  const offline = [...neuralStockVoices(local.voices), ...LOCAL_VOICES].map((voice): StockVoice => ({
    ...fieldsOf(LOCAL, voice.providerVoiceId, voice, 'any'),
    family: 'local',
    // What stays on this machine is retained by nobody else.
    isZdr: true,
    // Where a voice has not the language, espeak-ng speaks.
    languages: 'any',
    displayTags: ['offline'],
    sample: null,
  }));
  return [...remote, ...offline];
}

/**
 * The voice of personas that name none: the operator's first one. An account tells no order of preference, so of its
 * voices it is the first one for English.
 * @param voices at least one.
 */
export function defaultVoice(settings: Settings, voices: readonly StockVoice[]): StockVoice {
  const first = voices[0]!;
  const named = ttsServices(settings)[0]?.voices ?? [];
  if (named.includes(first.providerVoiceId)) return first;
  const ofService = voices.filter(({ provider }) => provider === first.provider);
  return ofService.find(({ ownLanguages }) => ownLanguages === 'any' || ownLanguages.includes('en')) ?? first;
}

/** Voices that the provider publishes come first, in its order; those that the account does not have are left out. */
function idsOf(
  named: readonly string[],
  known: ReadonlyMap<string, ProviderVoice>,
  told: ReadonlyMap<string, OfferedVoice>,
): readonly string[] {
  if (named.length > 0) return named;
  if (told.size === 0) return [...known.keys()];
  return [...[...known.keys()].filter((id) => told.has(id)), ...[...told.keys()].filter((id) => !known.has(id))];
}

function fieldsOf(
  provider: string,
  id: string,
  voice: OfferedVoice | ProviderVoice | null,
  spoken: StockVoice['languages'],
) {
  const own = voice === null ? null : 'languages' in voice ? voice.languages : voice.language && [voice.language];
  return {
    id: stockId('voice', `${provider} ${id}`),
    displayName: voice?.displayName ?? id,
    description: voice === null ? `Voice ${id} of the configured speech service.` : voice.description,
    provider,
    engineProvider: provider,
    providerVoiceId: id,
    providerModelId: null,
    gender: voice?.gender ?? null,
    country: voice?.country ?? null,
    ownLanguages: own === null || own === '' ? spoken : own,
  };
}

function sampleOf(service: string, { sampleUrl }: OfferedVoice, accounts: VoiceAccounts | null): StockVoice['sample'] {
  const url = sampleUrl === null ? null : URL.parse(sampleUrl);
  if (url === null || accounts === null) return null;
  return {
    // What stands behind the question mark may be a signature that changes.
    key: url.origin + url.pathname,
    read: (signal) => accounts.readSample(service, url.href, signal),
  };
}
