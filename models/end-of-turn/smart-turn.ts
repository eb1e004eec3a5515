import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { ProviderError } from '../ports.ts';
import type { EndOfTurnModel } from '../ports.ts';
import { RestartBudget } from '../../runtime/restart-budget.ts';
import type { SmartTurnAnswer, SmartTurnQuestion } from './smart-turn-worker.ts';

const PROVIDER = 'smart-turn';

interface Waiting {
  resolve(probability: number): void;
  reject(error: ProviderError): void;
}

/**
 * A smart-turn v3 model: `input_features` [1, 80, 800] (Whisper's log-mel spectrum of the last 8 s) → one probability
 * that the turn is over. It runs in a thread of its own: a run takes 10–100 ms, too long beside live sound.
 * @param path of the ONNX file. @throws when there is no such file. A file that is no such model fails the predictions.
 */
export function loadSmartTurn(path: string): EndOfTurnModel & { readonly workerForTesting: Worker } {
  if (!existsSync(path)) throw new Error(`The end-of-turn model ${path} does not exist.`);
  const waiting = new Map<number, Waiting>();
  const budget = new RestartBudget();
  let nextId = 1;
  let unusable: ProviderError | null = null;

  const reject = (error: ProviderError): void => {
    for (const question of waiting.values()) question.reject(error);
    waiting.clear();
  };
  const fail = (error: ProviderError): void => reject((unusable ??= error));

  function start(): Worker {
    const started = new Worker(new URL('smart-turn-worker.ts', import.meta.url), {
      workerData: { path },
      execArgv: [],
      name: 'end-of-turn',
    });
    let works = false;
    started.on('message', ({ id, probability, problem }: SmartTurnAnswer) => {
      works = true;
      const question = waiting.get(id);
      waiting.delete(id);
      if (problem === null) question?.resolve(probability);
      else question?.reject(new ProviderError(PROVIDER, 'bad-response', problem));
    });
    started.on('error', (cause) =>
      reject(new ProviderError(PROVIDER, 'unavailable', 'The end-of-turn model cannot be used.', { cause })),
    );
    started.once('exit', () => {
      const gone = new ProviderError(PROVIDER, 'unavailable', 'The end-of-turn model is not running.');
      // One that never answered would not do so the next time.
      if (unusable !== null || !works || budget.died(performance.now()) === null) return fail(gone);
      reject(gone);
      worker = start();
    });
    return started;
  }
  let worker = start();

  return {
    get workerForTesting() {
      return worker;
    },
    predict(pcm, signal) {
      if (unusable !== null) return Promise.reject(unusable);
      if (signal.aborted) return Promise.reject(aborted());
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      const id = nextId++;
      waiting.set(id, { resolve, reject });
      // The run itself cannot be stopped, but nobody waits for it then.
      const abandon = () => waiting.delete(id) && reject(aborted());
      signal.addEventListener('abort', abandon, { once: true });
      worker.postMessage({ id, pcm: pcm.slice() } satisfies SmartTurnQuestion);
      return promise.finally(() => signal.removeEventListener('abort', abandon));
    },
    async close() {
      fail(new ProviderError(PROVIDER, 'unavailable', 'The end-of-turn model was closed.'));
      await worker.terminate();
    },
  };
}

function aborted(): ProviderError {
  return new ProviderError(PROVIDER, 'aborted', 'The question was withdrawn.');
}
