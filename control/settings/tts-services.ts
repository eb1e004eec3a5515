import { z } from 'zod';
import { TTS_PROVIDERS } from '../../engine/providers.ts';
import type { ProviderChoice } from '../../models/provider.ts';
import { ProviderSettings } from './provider-settings.ts';
import { ttsSettings } from './providers.ts';
import { list } from './values.ts';

/** A speech service of this deployment. */
export interface TtsService {
  /** As its settings begin, without `PARLEY_` and in lower case: `tts`, `tts_cartesia`. */
  readonly name: string;
  readonly choice: ProviderChoice;
  /** Voices that the operator named, in the names of the service; none: those that the provider lists. */
  readonly voices: readonly string[];
}

type Values = Readonly<Record<string, unknown>>;

/** Each provider may be used beside the first one: once one of its own settings is set. */
const further = TTS_PROVIDERS.map((provider) => {
  const kind = `TTS_${provider.id.replaceAll('-', '_').toUpperCase()}`;
  return {
    id: provider.id,
    settings: new ProviderSettings(kind, [provider], (given) => (given.size > 0 ? provider.id : null), ttsSettings),
    voices: `PARLEY_${kind}_VOICES`,
  };
});

export const furtherTtsKinds: readonly string[] = further.map(({ settings }) => settings.kind);

const voiceList = () => list(z.string().min(1).max(128));

/** The schemas of the voices, and of all that belongs to one provider. */
export function ttsServiceSettings() {
  const ofEach = further.map(({ id, settings, voices }) => ({
    ...settings.options(),
    [voices]: voiceList().describe(`As \`PARLEY_TTS_VOICES\`, for \`${id}\` beside \`PARLEY_TTS_PROVIDER\`.`),
  }));
  return {
    PARLEY_TTS_VOICES: voiceList().describe(
      'Voices of the TTS service that Parley offers, separated by commas. Use the names of the service. The first one is the default voice of personas. Unset: all that the service tells of its account, or that are published.',
    ),
    // Their names are known only here; `ttsServices` reads them.
    ...(Object.assign({}, ...ofEach) as Record<never, z.ZodType>),
  };
}

/** @param settings that have no problems. @returns the services that are used, the one with the default voice first. */
export function ttsServices(settings: Values): TtsService[] {
  const choices = [
    { kind: ttsSettings.kind, choice: ttsSettings.choice(settings), voices: 'PARLEY_TTS_VOICES' },
    ...further.map(({ settings: own, voices }) => ({ kind: own.kind, choice: own.choice(settings), voices })),
  ];
  return choices.flatMap(({ kind, choice, voices }) =>
    choice === null ? [] : [{ name: kind.toLowerCase(), choice, voices: settings[voices] as readonly string[] }],
  );
}

/** @param values texts by the name of the setting. @returns a line for each setting that cannot be used. */
export function ttsServiceProblems(values: Values): string[] {
  const first = ttsSettings.chosen(values)?.id;
  return further.flatMap(({ id, settings, voices }) => {
    const isUsed = settings.chosen(values) !== null;
    if (isUsed && id === first)
      return [`PARLEY_TTS_PROVIDER: ${id} is set twice; PARLEY_TTS_API_KEY and so on are its settings, too`];
    if (!isUsed && values[voices] !== undefined) return [`${voices}: ${id} needs an address or a key`];
    // There is no setting that names the provider: its options do.
    return settings.problems(values).map((line) => line.replace(/_PROVIDER: /, '_…: '));
  });
}
