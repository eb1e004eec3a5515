import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ConversionError } from './conversion-error.ts';
import { OnnxGraph } from './onnx-graph.ts';
import { FLOAT, INT64 } from './onnx-messages.ts';
import { readSafetensors } from './safetensors.ts';
import { quantizeRows, Transformer } from './transformer.ts';
import type { Weights } from './weights.ts';

/** What the publisher writes beside the weights. */
const configuration = z.object({
  model_type: z.literal('bert'),
  hidden_act: z.literal('gelu'),
  hidden_size: z.int().positive(),
  num_attention_heads: z.int().positive(),
  num_hidden_layers: z.int().min(1).max(48),
  layer_norm_eps: z.number().positive(),
});
type Configuration = z.output<typeof configuration>;

export interface BertFiles {
  /** Of safetensors. */
  readonly weights: string;
  /** `config.json`. */
  readonly config: string;
  /** Written. */
  readonly model: string;
}

/**
 * Turns a BERT that embeds texts into a graph of ONNX with weights of 8 bits: `tokens` [1, n] → `vector` [1, width], the
 * mean of what it says of each token, with the length 1. Takes 2 s of CPU for MiniLM. The same files give the same bytes.
 * @throws ConversionError
 */
export function convertBert({ weights: path, config, model }: BertFiles): void {
  const form = readConfiguration(config);
  const weights = readSafetensors(readFileSync(path));
  const { hidden_size: width, num_attention_heads: heads } = form;
  if (width % heads !== 0) throw new ConversionError(`A model with ${heads} heads of ${width} cannot be.`);
  const graph = new OnnxGraph(
    [{ name: 'tokens', type: INT64, shape: [1, 'N'] }],
    [{ name: 'vector', type: FLOAT, shape: [1, width] }],
  );
  const names = { weight: '.weight', bias: '.bias', gain: '.weight', shift: '.bias' };
  const layers = new Transformer(graph, weights, { width, epsilon: form.layer_norm_eps, names });
  let x = layers.norm(readTokens(graph, weights, width), 'embeddings.LayerNorm');
  for (let layer = 0; layer < form.num_hidden_layers; layer++) {
    const name = `encoder.layer.${layer}`;
    const part = (which: string): string => layers.linear(x, `${name}.attention.self.${which}`);
    const mixed = layers.attend(
      layers.queries(part('query'), heads),
      layers.turnedHeads(part('key'), heads),
      layers.heads(part('value'), heads),
      null,
    );
    const attended = graph.op('Add', [x, layers.linear(mixed, `${name}.attention.output.dense`)]);
    x = layers.norm(attended, `${name}.attention.output.LayerNorm`);
    const inner = layers.gelu(layers.linear(x, `${name}.intermediate.dense`));
    x = layers.norm(graph.op('Add', [x, layers.linear(inner, `${name}.output.dense`)]), `${name}.output.LayerNorm`);
  }
  const mean = graph.op('ReduceMean', [x], { axes: [1], keepdims: 0 });
  graph.op('LpNormalization', [mean], { axis: 1, p: 2 }, 'vector');
  graph.write(model);
}

/** [1, n] → [1, n, width]: a row of the table for each token, with its place, and the mark of a first text. */
function readTokens(graph: OnnxGraph, weights: Weights, width: number): string {
  const table = 'embeddings.word_embeddings.weight';
  const [tokens = 0] = weights.shape(table);
  const { values, scales } = quantizeRows(weights.floats(table), tokens, width);
  const row = graph.op('Gather', [graph.int8([tokens, width], values), 'tokens'], { axis: 0 });
  const scale = graph.op('Gather', [graph.floats([tokens], scales), 'tokens'], { axis: 0 });
  const words = graph.op('Mul', [
    graph.op('Cast', [row], { to: FLOAT }),
    graph.op('Unsqueeze', [scale, graph.whole(2)]),
  ]);
  const count = graph.slice(graph.op('Shape', ['tokens']), graph.whole(1), graph.whole(2), 0);
  const places = 'embeddings.position_embeddings.weight';
  const positions = graph.floats(weights.shape(places), weights.floats(places));
  const first = weights.floats('embeddings.token_type_embeddings.weight').subarray(0, width);
  const placed = graph.op('Add', [words, graph.slice(positions, graph.whole(0), count, 0)]);
  return graph.op('Add', [placed, graph.floats([width], first)]);
}

function readConfiguration(path: string): Configuration {
  try {
    return configuration.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new ConversionError('The configuration is not one of BERT.', { cause: error });
  }
}
