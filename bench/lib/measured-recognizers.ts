import { resolve } from 'node:path';
import { sttFallbackSettings, sttSettings } from '../../control/settings/providers.ts';
import { knownPackages } from '../../models/packages/known.ts';
import type { SpeechRecognizer } from '../../models/ports.ts';
import type { ProviderChoice } from '../../models/provider.ts';
import { findLocalModels } from '../../models/sherpa/find-local-models.ts';
import { createPocketSphinx } from '../../models/stt/pocketsphinx.ts';
import { sttProvider } from '../../models/stt/registry.ts';
import { createSherpaRecognizer } from '../../models/stt/sherpa-onnx.ts';

/** A recognizer that a bench measures. */
export interface MeasuredRecognizer {
  readonly name: string;
  open(): SpeechRecognizer | Promise<SpeechRecognizer>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Under which names people keep the keys of services, and what is measured with each. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  DEEPGRAM_API_KEY: ['deepgram', 'deepgram-flux'],
  OPENAI_API_KEY: ['openai-realtime', 'openai'],
  ASSEMBLYAI_API_KEY: ['assemblyai'],
};

/**
 * PocketSphinx, the neural models of a folder that understand English, the recognizers of the settings
 * (`PARLEY_STT_…`, `PARLEY_STT_FALLBACK_…`), and the services of which the environment has a key.
 */
export async function measuredRecognizers(modelsDir: string, environment: Environment): Promise<MeasuredRecognizer[]> {
  const found = await findLocalModels(resolve(modelsDir), knownPackages(environment['PARLEY_MODELS_LIST'] || null), {
    choose: 'all',
  });
  for (const { id, state, realTimeFactor } of found.notes)
    console.log(`${id}: ${state}, ${realTimeFactor?.toFixed(2) ?? '–'} s for a second of sound`);
  const local = found.recognizers
    .filter(({ language }) => language === 'en')
    .map((recognizer) => ({
      name: [recognizer.streaming?.id, recognizer.finalPass?.id].filter(Boolean).join(' and '),
      open: () => createSherpaRecognizer([recognizer]),
    }));
  const services = [...configured(environment), ...withKeys(environment)];
  const first = new Map(
    services.map((service) => [service.name, service]).toReversed() as [string, MeasuredRecognizer][],
  );
  return [
    { name: 'pocketsphinx (offline, English)', open: () => createPocketSphinx() },
    ...local,
    ...[...first.values()].toReversed(),
  ];
}

function configured(environment: Environment): MeasuredRecognizer[] {
  return [sttSettings, sttFallbackSettings].flatMap((settings) => {
    const problems = settings.problems(environment);
    if (problems.length > 0) throw new Error(problems.join('\n'));
    const choice = settings.choice(environment);
    return choice === null || sttProvider(choice.provider).where === 'local' ? [] : [service(choice)];
  });
}

function withKeys(environment: Environment): MeasuredRecognizer[] {
  return Object.entries(KEYS).flatMap(([variable, providers]) => {
    const apiKey = environment[variable];
    return apiKey === undefined || apiKey === ''
      ? []
      : providers.map((provider) => service({ provider, options: sttProvider(provider).options.parse({ apiKey }) }));
  });
}

function service({ provider, options }: ProviderChoice): MeasuredRecognizer {
  const model = options['model'];
  return {
    name: typeof model === 'string' ? `${provider} (${model})` : provider,
    open: () =>
      sttProvider(provider).open(options, {
        modelsDir: 'models',
        localRecognizers: [],
        start: 'at once',
        warn: console.warn,
      }),
  };
}
