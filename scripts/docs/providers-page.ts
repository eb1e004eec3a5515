import { EMBEDDINGS_PROVIDERS, NOISE_FILTERS } from '../../engine/providers.ts';
import { embeddingsSettings, llmSettings, sttSettings, ttsSettings } from '../../control/index.ts';
import { GENERATED } from './generated.ts';

interface Row {
  readonly id: string;
  readonly about?: string;
  readonly languages?: readonly string[] | 'any';
}

/** The providers of each kind, as their registries have them. */
export function providersPage(): string {
  return [
    '# Providers',
    '',
    GENERATED,
    '',
    'What a deployment can use for each kind of model. [Real providers](../guides/real-providers.md) has examples,',
    '[settings](settings.md) the meaning of each setting, and [add a provider](../guides/add-a-provider.md) the steps to add one.',
    '',
    ...table('LLM', '`PARLEY_LLM_PROVIDER`, `PARLEY_LLM_FALLBACK_PROVIDER`', llmSettings.providers, (provider) =>
      llmSettings.namesOf(provider),
    ),
    'The ids are also the `llmFormat` of LLMs that are added through the API.',
    '',
    ...table('STT', '`PARLEY_STT_PROVIDER`, `PARLEY_STT_FALLBACK_PROVIDER`', sttSettings.providers, (provider) =>
      sttSettings.namesOf(provider),
    ),
    ...table('TTS', '`PARLEY_TTS_PROVIDER`', ttsSettings.providers, (provider) => ttsSettings.namesOf(provider)),
    ...table('Embeddings', '`PARLEY_EMBEDDINGS_PROVIDER`', EMBEDDINGS_PROVIDERS, (provider) =>
      embeddingsSettings.namesOf(provider),
    ),
    ...table('Noise filters', '`PARLEY_NOISE_FILTER`', NOISE_FILTERS, () => []),
  ].join('\n');
}

function table<P extends Row>(
  kind: string,
  setting: string,
  providers: readonly P[],
  settingsOf: (provider: P) => readonly string[],
): string[] {
  return [
    `## ${kind}`,
    '',
    `Chosen with ${setting}.`,
    '',
    '| Id | What | Languages | Settings |',
    '|---|---|---|---|',
    ...providers.map((provider) => {
      const settings = settingsOf(provider).map((name) => `\`${name}\``);
      return `| \`${provider.id}\` | ${provider.about ?? ''} | ${languagesOf(provider)} | ${settings.join(', ')} |`;
    }),
    '',
  ];
}

function languagesOf({ languages }: Row): string {
  if (languages === undefined) return '';
  return languages === 'any' ? 'any' : languages.join(', ');
}
