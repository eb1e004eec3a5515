import { resolve } from 'node:path';
import type { ControlPorts, Settings } from '../../control/index.ts';
import {
  createLocalEmbedder,
  findEmbeddingModel,
  findLocalModels,
  knownPackages,
  NEURAL_STT,
  NO_MODELS,
  StartError,
  timedEmbedder,
  type FoundModels,
  type LatencyTable,
  type Logger,
} from '../../engine/index.ts';
import { modelsDir } from '../settings/engine-settings.ts';
import { modelLine } from '../process/model-line.ts';
import { ModelLibrary, type ModelLibraryOptions } from './model-library.ts';

/**
 * Finds the neural models that were fetched and that this machine is fast enough for. Measures new ones, which takes
 * some seconds each. @throws StartError when the settings name what is not here.
 */
export async function localModels(settings: Settings, log: Logger): Promise<FoundModels> {
  const found = await find(settings, log);
  for (const note of found.notes) {
    const { id, state, realTimeFactor } = note;
    if (state === 'used') log.info({ model: id, realTimeFactor }, 'a neural model is used');
    else log.warn({ model: id, state, realTimeFactor }, modelLine(note));
  }
  if (settings.PARLEY_STT_PROVIDER === NEURAL_STT && found.recognizers.length === 0)
    throw new StartError(
      `PARLEY_STT_PROVIDER: there is no recognition model in ${modelsDir(settings)} that this machine is fast enough for. Fetch one: bash scripts/start.sh --models`,
    );
  return found;
}

/** Searches knowledge by meaning where no service does. @returns null when there is no model for it. */
export async function localEmbedder(settings: Settings, latencies: LatencyTable): Promise<ControlPorts['embedder']> {
  const { PARLEY_LOCAL_MODELS: choose, PARLEY_MODELS_LIST: list } = settings;
  if (choose === 'off') return null;
  const found = await findEmbeddingModel(resolve(modelsDir(settings)), known(list ?? null));
  return found === null ? null : timedEmbedder(createLocalEmbedder(found), found.id, latencies);
}

/** Fetches more of them while the service runs. @returns null when the operator does not want any. */
export function modelLibrary(
  settings: Settings,
  options: Pick<ModelLibraryOptions, 'notes' | 'isIdle' | 'restart'> & { readonly log: Logger },
): ModelLibrary | null {
  if (settings.PARLEY_LOCAL_MODELS === 'off') return null;
  return new ModelLibrary({
    ...options,
    measure: async () => void (await find(settings, options.log, true)),
    modelsDir: resolve(modelsDir(settings)),
    known: known(settings.PARLEY_MODELS_LIST ?? null),
    noiseFilter: settings.PARLEY_NOISE_FILTER,
  });
}

/** @param measure @defaultValue a process without an engine does not */
async function find(
  settings: Settings,
  log: Logger,
  measure = settings.PARLEY_ROLE !== 'control',
): Promise<FoundModels> {
  const { PARLEY_LOCAL_MODELS: choose, PARLEY_MODELS_LIST: list } = settings;
  if (choose === 'off') return NO_MODELS;
  return findLocalModels(resolve(modelsDir(settings)), known(list ?? null), {
    choose: choose === 'all' ? 'all' : 'fast',
    measure,
    measuring: (id) => log.info({ model: id }, 'measuring how fast this machine runs a new model'),
  });
}

function known(list: string | null): ReturnType<typeof knownPackages> {
  try {
    return knownPackages(list);
  } catch (error) {
    throw new StartError(`PARLEY_MODELS_LIST: ${error instanceof Error ? error.message : String(error)}`);
  }
}
