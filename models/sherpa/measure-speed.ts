import { inProcess } from '../../runtime/in-process.ts';
import { SupervisedWorker } from '../../runtime/supervised-worker.ts';
import type { ModelEngine } from '../packages/model-package.ts';
import type { LocalModel } from './local-model.ts';
import type { SpeedResult, SpeedTrial } from './speed-process.ts';

/** What is that slow is not worth waiting for: three runs of a clip of some seconds, and the loading. */
const MAX_MS = 120_000;

/**
 * Loads a model in a process of its own and tries it, as fast as it can.
 * @returns its real-time factor. @throws WorkerError when it cannot be loaded: nothing else was hurt.
 */
export async function measureSpeed(
  model: LocalModel<ModelEngine>,
  trial: Pick<SpeedTrial, 'clip' | 'sentence'>,
): Promise<number> {
  const worker = new SupervisedWorker<SpeedTrial, SpeedResult>({
    name: `The model ${model.id}`,
    start: 'never again',
    launch: inProcess(new URL('speed-process.ts', import.meta.url), [JSON.stringify(model)]),
    message: ({ id, realTimeFactor }) => trials.resolve(id, realTimeFactor),
  });
  const trials = worker.requests<number>();
  try {
    return await trials.ask((id) => ({ type: 'try', id, ...trial }), { silenceMs: MAX_MS });
  } finally {
    await worker.stop();
  }
}
