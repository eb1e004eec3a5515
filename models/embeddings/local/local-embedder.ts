import { inProcess } from '../../../runtime/in-process.ts';
import { SupervisedWorker } from '../../../runtime/supervised-worker.ts';
import { WorkerError } from '../../../runtime/worker-error.ts';
import { ProviderError, type Embedder } from '../../ports.ts';
import type { FromEmbedding, ToEmbedding } from './embedding-messages.ts';
import type { EmbeddingModel } from './embedding-model.ts';

const PROVIDER = 'embeddings';
/** A text takes some 30 ms. A process that is silent for this long hangs. */
const STUCK_AFTER_MS = 30_000;
/** Time before a model that could not be loaded is tried again. It may have been fetched again by then. */
const RETRY_AFTER_MS = 30_000;

/**
 * Embeds texts with a model of this machine, in a process that starts with the first text. The texts of a document go one
 * by one, so that a question in a conversation waits for one of them at most.
 */
export function createLocalEmbedder(model: EmbeddingModel): Embedder {
  const worker = new SupervisedWorker<ToEmbedding, FromEmbedding>({
    name: `The embedding model ${model.id}`,
    start: 'on demand',
    retryAfterMs: RETRY_AFTER_MS,
    unreadyIsFinal: true,
    launch: inProcess(new URL('embedding-process.ts', import.meta.url), [JSON.stringify(model)]),
    ready: ({ type }) => type === 'ready',
    message(message) {
      if (message.type === 'vector') texts.resolve(message.id, message.vector);
      if (message.type === 'failed')
        texts.reject(message.id, new ProviderError(PROVIDER, 'server', 'The embedding model failed.'));
    },
  });
  const texts = worker.requests<Float32Array>();
  return {
    dimensions: model.engine.dimensions,
    languages: model.languages,
    leastCloseness: model.engine.leastCloseness,
    where: 'local',
    async embed(all, signal) {
      const vectorOf = async (text: string): Promise<Float32Array> => {
        await worker.ready();
        return texts.ask((id) => ({ type: 'embed', id, text }), { signal, silenceMs: STUCK_AFTER_MS });
      };
      const vectors: Float32Array[] = [];
      for (const text of all) {
        signal.throwIfAborted();
        vectors.push(
          await vectorOf(text).catch((error: unknown) => {
            // The process may have been killed by the system.
            if (error instanceof WorkerError && error.reason === 'ended') return vectorOf(text);
            throw error;
          }),
        );
      }
      return vectors;
    },
    close: () => worker.stop(),
  };
}
