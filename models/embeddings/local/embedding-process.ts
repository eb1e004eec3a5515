import { readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { exitWithParent } from '../../../runtime/exit-with-parent.ts';
import { saveCompileCache } from '../../../runtime/compile-cache.ts';
import { floatsOf, int64Tensor, loadOnnxGraph } from '../../onnx.ts';
import type { FromEmbedding, ToEmbedding } from './embedding-messages.ts';
import type { EmbeddingModel } from './embedding-model.ts';

/** The process that embeds texts with a model of this machine, one after the other. */

/** Audio and video frames, which are due every 20 and 40 ms, go first. */
const NICENESS = 5;
/** More than that, all-MiniLM was not trained with; the rest of a text counts for nothing. */
const MAX_TOKENS = 256;
/** A token has one character at least, and some have twenty: more is not looked at. */
const MAX_CHARACTERS = 20 * MAX_TOKENS;

setPriority(Math.max(NICENESS, getPriority()));
exitWithParent();

const { folder, engine } = JSON.parse(process.argv[2] ?? '{}') as EmbeddingModel;
const readJson = (path: string): object => JSON.parse(readFileSync(join(folder, path), 'utf8')) as object;
const tokenizer = new Tokenizer(readJson(engine.tokenizer), readJson(engine.tokenizerConfig));
const graph = loadOnnxGraph(join(folder, engine.model));

function vectorOf(text: string): Float32Array {
  const { ids } = tokenizer.encode(text.slice(0, MAX_CHARACTERS));
  // The last one says that the text ends.
  const tokens = ids.length > MAX_TOKENS ? [...ids.slice(0, MAX_TOKENS - 1), ids.at(-1)!] : ids;
  return Float32Array.from(floatsOf(graph.run({ tokens: int64Tensor(tokens, [1, tokens.length]) }), 'vector'));
}

function send(message: FromEmbedding): void {
  // If the service has ended, the send fails. The event `disconnect` then ends this process.
  process.send?.(message, undefined, undefined, () => undefined);
}

process.on('message', ({ id, text }: ToEmbedding) => {
  try {
    send({ type: 'vector', id, vector: vectorOf(text) });
  } catch {
    send({ type: 'failed', id });
  }
});
send({ type: 'ready' });
saveCompileCache();
