import type { z } from 'zod';
import type { Embedder } from '../ports.ts';
import type { Provider } from '../provider.ts';

/** An embeddings service that an operator can name. Its file exports one of these; `registry.ts` lists it. */
export interface EmbeddingsProvider<Options extends z.ZodObject = z.ZodObject> extends Provider<Options> {
  /** Connects, to learn the length of the vectors. @throws ProviderError */
  open(options: z.output<Options>, signal: AbortSignal): Promise<Embedder>;
}
