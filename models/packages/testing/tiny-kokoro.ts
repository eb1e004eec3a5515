import { tinyModel, type TinyNode, type TinyWeights } from '../../testing/tiny-onnx.ts';

/** Number of ONNX for whole numbers of 32 bits. */
const INT32 = 6;
const FLOAT = 1;

export const TINY_KOKORO = { channels: 3, out: 4, time: 12 } as const;

export interface TinyConvolution {
  readonly kernel: number;
  /** Between the steps that it looks at. */
  readonly distance: number;
  readonly pads: readonly [number, number];
  readonly bias: boolean;
}

export interface TinyKokoroChanges {
  /** Name of its first input. */
  readonly input?: string;
  /** Whether there is also a convolution that takes every second step. */
  readonly skipping?: boolean;
}

/**
 * A graph of the form of Kokoro of 8 bits: the inputs have its names, and what would be a style goes through a convolution
 * as its exporter quantizes one.
 */
export function tinyKokoro(
  convolution: TinyConvolution = { kernel: 3, distance: 1, pads: [1, 1], bias: true },
  { input = 'tokens', skipping = false }: TinyKokoroChanges = {},
): Buffer {
  const { channels, out, time } = TINY_KOKORO;
  const first = quantized('a', 'style', 'b', { ...convolution, stride: 1, channels, out });
  const second = quantized('c', 'b', 'audio', { ...convolution, stride: 2, channels: out, out });
  const weights = [...first.weights, ...(skipping ? second.weights : [])];
  const nodes = skipping
    ? [...first.nodes, ...second.nodes]
    : [...first.nodes, { type: 'Identity', input: 'b', output: 'audio' }];
  return tinyModel({
    inputs: [
      { name: input, dims: [1, 'N'], type: 'int64' },
      { name: 'style', dims: [1, channels, time] },
      { name: 'speed', dims: [1] },
    ],
    nodes,
    weights: [...weights, { name: 'nothing', dims: [], values: [0] }],
    outputs: [{ name: 'audio', dims: [1, out, 'T'] }],
  });
}

interface Form extends TinyConvolution {
  readonly stride: number;
  readonly channels: number;
  readonly out: number;
}

function quantized(
  name: string,
  input: string,
  output: string,
  { kernel, distance, pads, bias, stride, channels, out }: Form,
): { nodes: TinyNode[]; weights: TinyWeights[] } {
  const part = (which: string): string => `${name}/${which}`;
  const attributes = { kernel_shape: [kernel], dilations: [distance], pads, strides: [stride], group: 1 };
  const sums = bias ? part('sums and bias') : part('sums');
  const withBias: TinyNode[] = [
    { type: 'Div', input: [part('bias'), part('scale')], output: part('bias/scaled') },
    { type: 'Floor', input: part('bias/scaled'), output: part('bias/floor') },
    { type: 'Cast', input: part('bias/floor'), output: part('bias/whole'), attributes: { to: INT32 } },
    { type: 'Reshape', input: [part('bias/whole'), part('bias/shape')], output: part('bias/shaped') },
    { type: 'Add', input: [part('sums'), part('bias/shaped')], output: sums },
  ];
  return {
    nodes: [
      { type: 'DynamicQuantizeLinear', input, output: [part('x'), part('x/scale'), part('x/zero')] },
      { type: 'Mul', input: [part('x/scale'), part('w/scale')], output: part('scale') },
      {
        type: 'ConvInteger',
        input: [part('x'), part('w'), part('x/zero'), part('w/zero')],
        output: part('sums'),
        attributes,
      },
      ...(bias ? withBias : []),
      { type: 'Cast', input: sums, output: part('fractions'), attributes: { to: FLOAT } },
      { type: 'Mul', input: [part('fractions'), part('scale')], output },
    ],
    weights: [
      {
        name: part('w'),
        dims: [out, channels, kernel],
        values: Array.from({ length: out * channels * kernel }, (_, k) => (k * 89) % 256),
        type: 'uint8',
      },
      { name: part('w/zero'), dims: [], values: [69], type: 'uint8' },
      { name: part('w/scale'), dims: [], values: [0.01] },
      { name: part('bias'), dims: [out], values: Array.from({ length: out }, (_, k) => 0.7 - k) },
      { name: part('bias/shape'), dims: [3], values: [1, -1, 1], type: 'int64' },
    ],
  };
}
