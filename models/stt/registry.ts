import type { SpeechRecognizer } from '../ports.ts';
import { providerOf, type ProviderChoice } from '../provider.ts';
import { assemblyAi } from './assemblyai.ts';
import { deepgramFlux } from './deepgram-flux.ts';
import { deepgramNova } from './deepgram-nova.ts';
import { createRecognizerFallback, type RecognizerFallbackOptions } from './fallback.ts';
import type { RecognizerLink } from './recognizer-link.ts';
import { openAiCompatible } from './openai-compatible.ts';
import { openAiRealtime } from './openai-realtime.ts';
import { pocketSphinx } from './pocketsphinx.ts';
import { sherpaOnnx } from './sherpa-onnx.ts';
import type { SttProvider, SttTools } from './stt-provider.ts';

/**
 * Which STT is used: every recognizer that an operator can name. The first service and the first local one are the
 * defaults. To add one, write its file and its line here. The settings, their documentation and the engine read this
 * list.
 */
export const STT_PROVIDERS: readonly SttProvider[] = [
  openAiCompatible,
  deepgramNova,
  deepgramFlux,
  openAiRealtime,
  assemblyAi,
  pocketSphinx,
  sherpaOnnx,
];

/** The provider that is used by default if its models are installed. */
export const NEURAL_STT = sherpaOnnx.id;

/** A recognizer that is no provider. Tests and benches bring theirs in this way. */
export interface RecognizerModule {
  readonly provider: 'module';
  /**
   * URL of a module that exports `openRecognizer(options): SpeechRecognizer`. It is code, so it never comes from a
   * user.
   */
  readonly url: string;
  /** Plain data that `openRecognizer` gets. */
  readonly options: unknown;
}

/** One recognizer of a deployment, as plain data. The audio-in worker opens it. */
export type RecognizerChoice = ProviderChoice | RecognizerModule;

/** @throws Error when no provider has this id. */
export const sttProvider = (id: string): SttProvider => providerOf(STT_PROVIDERS, id, 'STT');

/** Whether it works on this machine, without an account. */
export function isLocal({ provider }: RecognizerChoice): boolean {
  return provider !== 'module' && sttProvider(provider).where === 'local';
}

/**
 * Opens the recognizers of a deployment as one.
 * @param choices at least one, the preferred one first. @throws what a recognizer throws that cannot be opened.
 */
export async function openRecognizers(
  choices: readonly RecognizerChoice[],
  tools: Omit<SttTools, 'start'>,
  options: RecognizerFallbackOptions = {},
): Promise<SpeechRecognizer> {
  const opened: RecognizerLink[] = [];
  try {
    for (const [place, choice] of choices.entries()) {
      // This saves a process of 100 MB while the preferred one works. The first failure takes 0.6 s longer.
      const recognizer = await openOne(choice, { ...tools, start: place === 0 ? 'at once' : 'on demand' });
      opened.push({ provider: isModule(choice) ? recognizer.name : choice.provider, recognizer });
    }
  } catch (error) {
    await Promise.all(opened.map(({ recognizer }) => recognizer.close()));
    throw error;
  }
  return createRecognizerFallback(opened, options);
}

async function openOne(choice: RecognizerChoice, tools: SttTools): Promise<SpeechRecognizer> {
  if (!isModule(choice)) return sttProvider(choice.provider).open(choice.options, tools);
  const module = (await import(choice.url)) as { openRecognizer(options: unknown): SpeechRecognizer };
  return module.openRecognizer(choice.options);
}

function isModule(choice: RecognizerChoice): choice is RecognizerModule {
  return choice.provider === 'module' && 'url' in choice;
}
