import type { CTranslate2Model } from './ctranslate2.ts';
import { OnnxGraph } from './onnx-graph.ts';
import { FLOAT, INT64 } from './onnx-messages.ts';
import { quantizeRows, Transformer } from './transformer.ts';
import { feedForward } from './whisper-encoder.ts';
import { TEXT_TOKENS, WHISPER_NAMES, type WhisperSize } from './whisper-form.ts';

/** What no token may attend to: those after it. */
const NEVER = -1e9;

/** Writes the graph that turns the tokens so far into the scores of the next one. */
export function writeWhisperDecoder(
  weights: CTranslate2Model,
  size: WhisperSize,
  metadata: Readonly<Record<string, string>>,
  path: string,
): void {
  const { width, tokens, decoder } = size;
  const graph = emptyGraph(size);
  const layers = new Transformer(graph, weights, { width, ...WHISPER_NAMES });
  const { values, scales } = quantizeRows(weights.floats('decoder/embeddings/weight'), tokens, width);
  // Stored once: it gives the meaning of a token, and turned, the scores of all.
  const embedding = graph.int8([tokens, width], values);
  const embeddingScales = graph.floats([tokens], scales);
  const count = graph.slice(graph.op('Shape', ['tokens']), graph.whole(1), graph.whole(2), 0);
  const end = graph.op('Add', ['offset', count]);
  let x = meanings(graph, embedding, embeddingScales);
  const positions = weights.floats('decoder/position_encodings/encodings');
  x = graph.op('Add', [x, graph.slice(graph.floats([TEXT_TOKENS, width], positions), 'offset', end, 0)]);
  const mask = causalMask(graph, end);
  const keyCaches: string[] = [];
  const valueCaches: string[] = [];
  for (let layer = 0; layer < decoder.layers; layer++) {
    const name = `decoder/layer_${layer}`;
    const self = `${name}/self_attention`;
    const y = layers.norm(x, `${self}/layer_norm`);
    const part = (index: number): string => layers.linear(y, `${self}/linear_0`, { index, of: 3 });
    const keys = remembered(graph, 'k', layer, part(1), end);
    const spoken = remembered(graph, 'v', layer, part(2), end);
    keyCaches.push(keys.cache);
    valueCaches.push(spoken.cache);
    const queries = layers.queries(part(0), decoder.heads);
    const turnedKeys = layers.turnedHeads(keys.all, decoder.heads);
    const mixed = layers.attend(queries, turnedKeys, layers.heads(spoken.all, decoder.heads), mask);
    x = graph.op('Add', [x, layers.linear(mixed, `${self}/linear_1`)]);
    x = listen(layers, x, `${name}/attention`, layer, decoder.heads);
    x = feedForward(layers, x, `${name}/ffn`);
  }
  x = layers.norm(x, 'decoder/layer_norm');
  layers.product(x, graph.op('Transpose', [embedding], { perm: [1, 0] }), embeddingScales, 'logits');
  graph.op('Concat', keyCaches, { axis: 0 }, 'out_n_layer_self_k_cache');
  graph.op('Concat', valueCaches, { axis: 0 }, 'out_n_layer_self_v_cache');
  graph.write(path, metadata);
}

function emptyGraph({ width, tokens, decoder: { layers, heads } }: WhisperSize): OnnxGraph {
  const cache = { type: FLOAT, shape: [layers, 1, TEXT_TOKENS, width] } as const;
  const head = width / heads;
  return new OnnxGraph(
    [
      { name: 'tokens', type: INT64, shape: [1, 'N'] },
      { name: 'in_n_layer_self_k_cache', ...cache },
      { name: 'in_n_layer_self_v_cache', ...cache },
      { name: 'n_layer_cross_k', type: FLOAT, shape: [layers, heads, head, 'F'] },
      { name: 'n_layer_cross_v', type: FLOAT, shape: [layers, heads, 'F', head] },
      { name: 'offset', type: INT64, shape: [1] },
    ],
    [
      { name: 'logits', type: FLOAT, shape: [1, 'N', tokens] },
      { name: 'out_n_layer_self_k_cache', ...cache },
      { name: 'out_n_layer_self_v_cache', ...cache },
    ],
  );
}

function meanings(graph: OnnxGraph, embedding: string, scales: string): string {
  const rows = graph.op('Cast', [graph.op('Gather', [embedding, 'tokens'], { axis: 0 })], { to: FLOAT });
  const factors = graph.op('Unsqueeze', [graph.op('Gather', [scales, 'tokens'], { axis: 0 }), graph.whole(2)]);
  return graph.op('Mul', [rows, factors]);
}

/** The rows of the tokens that are asked about, and the columns up to the last one. */
function causalMask(graph: OnnxGraph, end: string): string {
  const values = new Float32Array(TEXT_TOKENS * TEXT_TOKENS);
  for (let row = 0; row < TEXT_TOKENS; row++) values.fill(NEVER, row * TEXT_TOKENS + row + 1, (row + 1) * TEXT_TOKENS);
  const rows = graph.slice(graph.floats([TEXT_TOKENS, TEXT_TOKENS], values), 'offset', end, 0);
  return graph.slice(rows, graph.whole(0), end, 1);
}

/** What earlier tokens left in the cache, with the new ones behind it. */
function remembered(
  graph: OnnxGraph,
  which: 'k' | 'v',
  layer: number,
  added: string,
  end: string,
): { readonly all: string; readonly cache: string } {
  const input = `in_n_layer_self_${which}_cache`;
  const own = graph.op('Squeeze', [graph.slice(input, graph.whole(layer), graph.whole(layer + 1), 0), graph.whole(0)]);
  const all = graph.op('Concat', [graph.slice(own, graph.whole(0), 'offset', 1), added], { axis: 1 });
  const whole = graph.op('Concat', [all, graph.slice(own, end, graph.whole(TEXT_TOKENS), 1)], { axis: 1 });
  return { all, cache: graph.op('Unsqueeze', [whole, graph.whole(0)]) };
}

/** Attention to the sound. */
function listen(layers: Transformer, value: string, name: string, layer: number, heads: number): string {
  const { graph } = layers;
  const asked = layers.linear(layers.norm(value, `${name}/layer_norm`), `${name}/linear_0`);
  const of = (which: 'k' | 'v'): string =>
    graph.slice(`n_layer_cross_${which}`, graph.whole(layer), graph.whole(layer + 1), 0);
  const mixed = layers.attend(layers.queries(asked, heads), of('k'), of('v'), null);
  return graph.op('Add', [value, layers.linear(mixed, `${name}/linear_2`)]);
}
