import { ttsServices, type Settings } from '../../control/index.ts';
import { sttProvider, type FoundModels } from '../../engine/index.ts';
import { packageBytes, type ModelPackage } from '../../models/packages/model-package.ts';
import { PUBLISHED_PACKAGES } from '../../models/packages/published.ts';
import { STANDARD_SET } from '../../models/packages/language-sets.ts';
import { megabytes, ProgressLine } from '../process/progress-line.ts';
import { recognizers } from '../settings/engine-settings.ts';
import type { ModelLibrary } from './model-library.ts';

/** The language of the models that are downloaded by default. */
const LANGUAGE = 'en';

/**
 * @param local the models that are installed and in use.
 * @returns the models to download in the background: only kinds that are not installed and not configured as a service.
 */
export function missingModels(settings: Settings, local: FoundModels): readonly string[] {
  const hasRecognizer =
    recognizers(settings, local).some(({ provider }) => sttProvider(provider).standIn === undefined) ||
    local.recognizers.some(({ language }) => language === LANGUAGE);
  const hasVoice =
    ttsServices(settings).length > 0 || local.voices.some(({ languages }) => languages.includes(LANGUAGE));
  const hasEndOfTurn = settings.PARLEY_END_OF_TURN_MODEL !== undefined;
  // A model that was too slow for this machine would be too slow again.
  const tried = new Set(local.notes.filter(({ state }) => state !== 'damaged').map(({ id }) => id));
  return STANDARD_SET.filter((id) => {
    const kind = PUBLISHED_PACKAGES.find((each) => each.id === id)?.kind;
    const has = { recognizer: hasRecognizer, voice: hasVoice, 'end-of-turn': hasEndOfTurn };
    return !tried.has(id) && !has[kind as keyof typeof has];
  });
}

/** Downloads missing models while the service runs, with a progress line in the terminal. Nothing waits for it. */
export function downloadInBackground(
  library: ModelLibrary,
  settings: Settings,
  local: FoundModels,
  terminal: NodeJS.WriteStream,
): void {
  const line = new ProgressLine('models', terminal);
  let before = 0;
  let all = 0;
  let last: { readonly id: string; readonly total: number } | null = null;
  void library.fetchAll(missingModels(settings, local), {
    begins(wanted) {
      all = wanted.reduce((sum, each) => sum + packageBytes(each), 0);
      line.finish(
        `Neural models (${titles(wanted)}; ${megabytes(all)} MB) are fetched in the background and used when they are here. PARLEY_MODELS=off fetches none.`,
      );
    },
    progress(id, received, total) {
      if (last !== null && last.id !== id) before += last.total;
      last = { id, total };
      line.update(before + received, Math.max(all, before + received));
    },
    failed(wanted, error) {
      const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
      line.finish(`Neural models: ${wanted.title} could not be fetched, so what is here serves. ${reason}`);
    },
    done: (wanted) => line.finish(`Neural models: ${titles(wanted)} are here. They are used once nobody is talking.`),
  });
}

function titles(wanted: readonly ModelPackage[]): string {
  return wanted.map(({ title }) => title).join(', ');
}
