import { existsSync } from 'node:fs';
import { inThread } from '../../runtime/in-thread.ts';
import { SupervisedWorker } from '../../runtime/supervised-worker.ts';
import { WorkerError } from '../../runtime/worker-error.ts';
import { ProviderError } from '../ports.ts';
import type { EndOfTurnModel } from '../ports.ts';
import type { FromSmartTurnWorker, SmartTurnQuestion } from './smart-turn-worker.ts';

const PROVIDER = 'smart-turn';

/**
 * A smart-turn v3 model: `input_features` [1, 80, 800] (Whisper's log-mel spectrum of the last 8 s) → one probability
 * that the turn is over. It runs in a thread of its own: a run takes 10–100 ms, too long beside live sound.
 * @param path of the ONNX file. @throws when there is no such file. A file that is no such model fails the predictions.
 */
export function loadSmartTurn(path: string): EndOfTurnModel & { killForTesting(): void } {
  if (!existsSync(path)) throw new Error(`The end-of-turn model ${path} does not exist.`);
  const worker = new SupervisedWorker<SmartTurnQuestion, FromSmartTurnWorker>({
    name: 'The end-of-turn model',
    start: 'at once',
    // A file that is no model does not become one.
    unreadyIsFinal: true,
    launch: inThread(new URL('smart-turn-worker.ts', import.meta.url), { name: 'end-of-turn', workerData: { path } }),
    ready: ({ type }) => type === 'ready',
    message(message) {
      if (message.type === 'probability') questions.resolve(message.id, message.probability);
      if (message.type === 'problem')
        questions.reject(message.id, new ProviderError(PROVIDER, 'bad-response', message.problem));
    },
  });
  const questions = worker.requests<number>();
  return {
    killForTesting: () => worker.kill(),
    async predict(pcm, signal) {
      try {
        return await questions.ask((id) => ({ id, pcm: pcm.slice() }), { signal });
      } catch (error) {
        // The run itself cannot be stopped, but nobody waits for it then.
        if (signal.aborted) throw new ProviderError(PROVIDER, 'aborted', 'The question was withdrawn.');
        if (error instanceof WorkerError)
          throw new ProviderError(PROVIDER, 'unavailable', error.message, { cause: error });
        throw error;
      }
    },
    close: () => worker.stop(),
  };
}
