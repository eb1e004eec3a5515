import type { OnnxGraph } from './onnx-graph.ts';
import type { Weights } from './weights.ts';

/** How a layer names its weights: `<name>/weight`, `<name>.weight` … */
export interface WeightNames {
  readonly weight: string;
  readonly bias: string;
  /** Of a normalization. */
  readonly gain: string;
  readonly shift: string;
}

export interface TransformerOptions {
  /** The width of a layer. */
  readonly width: number;
  readonly epsilon: number;
  readonly names: WeightNames;
}

/**
 * The layers of a transformer as nodes of a graph. Each weight of a product is stored in 8 bits with a scale for each
 * column; what it is multiplied with is brought to 8 bits as it comes. The rest stays in 32 bits.
 */
export class Transformer {
  readonly graph: OnnxGraph;
  readonly #weights: Weights;
  readonly #options: TransformerOptions;
  /** A value that goes into several products is brought to 8 bits once. */
  readonly #quantized = new Map<string, [string, string, string]>();

  constructor(graph: OnnxGraph, weights: Weights, options: TransformerOptions) {
    this.graph = graph;
    this.#weights = weights;
    this.#options = options;
  }

  norm(value: string, name: string): string {
    const { names, epsilon, width } = this.#options;
    const gain = this.graph.floats([width], this.#weights.floats(name + names.gain));
    const shift = this.graph.floats([width], this.#weights.floats(name + names.shift));
    return this.graph.op('LayerNormalization', [value, gain, shift], { axis: -1, epsilon: { float: epsilon } });
  }

  /** `value` × weightᵀ + bias. @param index which one of several matrices that are stored as one. */
  linear(value: string, name: string, { index, of } = { index: 0, of: 1 }): string {
    const { names } = this.#options;
    const [rows = 0, columns = 0] = this.#weights.shape(name + names.weight);
    const outs = rows / of;
    const weight = this.#weights
      .floats(name + names.weight)
      .subarray(index * outs * columns, (index + 1) * outs * columns);
    const bias = this.#weights.floats(name + names.bias).subarray(index * outs, (index + 1) * outs);
    const { values, scales } = quantizeRows(weight, outs, columns);
    const product = this.product(
      value,
      this.graph.int8([columns, outs], turned(values, outs, columns)),
      this.graph.floats([outs], scales),
    );
    return this.graph.op('Add', [product, this.graph.floats([outs], bias)]);
  }

  /** A product with a matrix of 8 bits. @param scales of its columns. @param output see {@link OnnxGraph.op}. */
  product(value: string, matrix: string, scales: string, output?: string): string {
    const { graph } = this;
    const [quantized, scale, zero] = this.#quantize(value);
    const sum = graph.op('MatMulInteger', [quantized, matrix, zero, graph.int8Zero()]);
    return graph.op('Mul', [graph.op('Cast', [sum], { to: 1 }), graph.op('Mul', [scale, scales])], {}, output);
  }

  gelu(value: string): string {
    const { graph } = this;
    const error = graph.op('Erf', [graph.op('Div', [value, graph.scalar(Math.SQRT2)])]);
    const gate = graph.op('Add', [error, graph.scalar(1)]);
    return graph.op('Mul', [graph.op('Mul', [value, gate]), graph.scalar(0.5)]);
  }

  /** [1, n, width] → [1, heads, n, width / heads], or in another order. */
  heads(value: string, heads: number, order: readonly number[] = [0, 2, 1, 3]): string {
    const split = this.graph.op('Reshape', [value, this.graph.whole(0, -1, heads, this.#options.width / heads)]);
    return this.graph.op('Transpose', [split], { perm: order });
  }

  /** Keys are split into heads and turned, for the product with queries. */
  turnedHeads(value: string, heads: number): string {
    return this.heads(value, heads, [0, 2, 3, 1]);
  }

  /** Queries as attention takes them. */
  queries(value: string, heads: number): string {
    const scale = this.graph.scalar((this.#options.width / heads) ** -0.5);
    return this.heads(this.graph.op('Mul', [value, scale]), heads);
  }

  /** @param mask added to the scores; null: none. @returns [1, n, width] */
  attend(queries: string, turnedKeys: string, values: string, mask: string | null): string {
    const { graph } = this;
    let scores = graph.op('MatMul', [queries, turnedKeys]);
    if (mask !== null) scores = graph.op('Add', [scores, mask]);
    const mixed = graph.op('MatMul', [graph.op('Softmax', [scores], { axis: -1 }), values]);
    const joined = graph.op('Transpose', [mixed], { perm: [0, 2, 1, 3] });
    return graph.op('Reshape', [joined, graph.whole(0, -1, this.#options.width)]);
  }

  #quantize(value: string): [string, string, string] {
    let quantized = this.#quantized.get(value);
    if (quantized === undefined) {
      quantized = this.graph.op3('DynamicQuantizeLinear', [value]);
      this.#quantized.set(value, quantized);
    }
    return quantized;
  }
}

/** Each row of a matrix in 8 bits, with the number that it has to be multiplied by. */
export function quantizeRows(
  matrix: Float32Array,
  rows: number,
  columns: number,
): { readonly values: Int8Array; readonly scales: Float32Array } {
  const values = new Int8Array(rows * columns);
  const scales = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    let most = 0;
    for (let i = row * columns; i < (row + 1) * columns; i++) most = Math.max(most, Math.abs(matrix[i] as number));
    const scale = most / 127 || 1;
    scales[row] = scale;
    for (let i = row * columns; i < (row + 1) * columns; i++) values[i] = Math.round((matrix[i] as number) / scale);
  }
  return { values, scales };
}

function turned(matrix: Int8Array, rows: number, columns: number): Int8Array {
  const result = new Int8Array(matrix.length);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      result[column * rows + row] = matrix[row * columns + column] as number;
  return result;
}
