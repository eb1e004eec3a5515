import type { CTranslate2Model } from './ctranslate2.ts';
import { OnnxGraph } from './onnx-graph.ts';
import { FLOAT } from './onnx-messages.ts';
import { Transformer } from './transformer.ts';
import { BANDS, WHISPER_NAMES, type WhisperSize } from './whisper-form.ts';

/** Writes the graph that turns sound into the keys and values that the decoder attends to. */
export function writeWhisperEncoder(
  weights: CTranslate2Model,
  { width, encoder, decoder }: WhisperSize,
  metadata: Readonly<Record<string, string>>,
  path: string,
): void {
  const head = width / decoder.heads;
  const graph = new OnnxGraph(
    [{ name: 'mel', type: FLOAT, shape: [1, BANDS, 'T'] }],
    [
      { name: 'n_layer_cross_k', type: FLOAT, shape: [decoder.layers, decoder.heads, head, 'F'] },
      { name: 'n_layer_cross_v', type: FLOAT, shape: [decoder.layers, decoder.heads, 'F', head] },
    ],
  );
  const layers = new Transformer(graph, weights, { width, ...WHISPER_NAMES });
  let x = heard(graph, layers, weights, width);
  for (let layer = 0; layer < encoder.layers; layer++) {
    const name = `encoder/layer_${layer}`;
    const attention = `${name}/self_attention`;
    const y = layers.norm(x, `${attention}/layer_norm`);
    const part = (index: number): string => layers.linear(y, `${attention}/linear_0`, { index, of: 3 });
    const mixed = layers.attend(
      layers.queries(part(0), encoder.heads),
      layers.turnedHeads(part(1), encoder.heads),
      layers.heads(part(2), encoder.heads),
      null,
    );
    x = graph.op('Add', [x, layers.linear(mixed, `${attention}/linear_1`)]);
    x = feedForward(layers, x, `${name}/ffn`);
  }
  x = layers.norm(x, 'encoder/layer_norm');
  // Split into heads and turned here, once for an utterance; the decoder would have to do it for each token.
  const keys: string[] = [];
  const values: string[] = [];
  for (let layer = 0; layer < decoder.layers; layer++) {
    const name = `decoder/layer_${layer}/attention/linear_1`;
    keys.push(layers.turnedHeads(layers.linear(x, name, { index: 0, of: 2 }), decoder.heads));
    values.push(layers.heads(layers.linear(x, name, { index: 1, of: 2 }), decoder.heads));
  }
  graph.op('Concat', keys, { axis: 0 }, 'n_layer_cross_k');
  graph.op('Concat', values, { axis: 0 }, 'n_layer_cross_v');
  graph.write(path, metadata);
}

/** Two convolutions and the position: [1, bands, T] → [1, T / 2, width]. */
function heard(graph: OnnxGraph, layers: Transformer, weights: CTranslate2Model, width: number): string {
  const convolution = (value: string, name: string, stride: number): string => {
    const weight = graph.floats(weights.shape(`${name}/weight`), weights.floats(`${name}/weight`));
    const bias = graph.floats([width], weights.floats(`${name}/bias`));
    return layers.gelu(graph.op('Conv', [value, weight, bias], { kernel_shape: [3], pads: [1, 1], strides: [stride] }));
  };
  const bands = convolution(convolution('mel', 'encoder/conv1', 1), 'encoder/conv2', 2);
  const frames = graph.op('Transpose', [bands], { perm: [0, 2, 1] });
  const count = graph.slice(graph.op('Shape', [frames]), graph.whole(1), graph.whole(2), 0);
  const table = 'encoder/position_encodings/encodings';
  const positions = graph.floats(weights.shape(table), weights.floats(table));
  return graph.op('Add', [frames, graph.slice(positions, graph.whole(0), count, 0)]);
}

export function feedForward(layers: Transformer, value: string, name: string): string {
  const inner = layers.gelu(layers.linear(layers.norm(value, `${name}/layer_norm`), `${name}/linear_0`));
  return layers.graph.op('Add', [value, layers.linear(inner, `${name}/linear_1`)]);
}
