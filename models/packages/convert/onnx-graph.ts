import { closeSync, openSync } from 'node:fs';
import {
  FLOAT,
  INT64,
  INT8,
  metadataFields,
  nodeMessage,
  tensorMessage,
  writeWhole,
  type Attributes,
} from './onnx-messages.ts';
import { bytesField, bytesHead, intField, textField } from './protobuf.ts';

/** Read by ONNX Runtime since 1.12; LayerNormalization came with the operators of 17. */
const IR_VERSION = 8;
const OPERATORS = 17;

export interface ValueInfo {
  readonly name: string;
  readonly type: typeof FLOAT | typeof INT64;
  /** A name stands for a length that is not known before. */
  readonly shape: readonly (number | string)[];
}

/** A graph of ONNX that is built node by node. Values go by their names. */
export class OnnxGraph {
  readonly #inputs: readonly ValueInfo[];
  readonly #outputs: readonly ValueInfo[];
  readonly #nodes: Buffer[] = [];
  readonly #tensors: Buffer[] = [];
  /** By kind and content: the same constant is stored once. */
  readonly #constants = new Map<string, string>();
  #values = 0;

  constructor(inputs: readonly ValueInfo[], outputs: readonly ValueInfo[]) {
    this.#inputs = inputs;
    this.#outputs = outputs;
  }

  /** Adds a node with one output. @param output its name, where the graph gives it to the outside. */
  op(type: string, inputs: readonly string[], attributes: Attributes = {}, output?: string): string {
    const name = output ?? this.#newValue();
    this.#add(type, inputs, attributes, [name]);
    return name;
  }

  /** Adds a node with three outputs. */
  op3(type: string, inputs: readonly string[]): [string, string, string] {
    const outputs: [string, string, string] = [this.#newValue(), this.#newValue(), this.#newValue()];
    this.#add(type, inputs, {}, outputs);
    return outputs;
  }

  floats(shape: readonly number[], values: Float32Array): string {
    return this.#tensor(shape, FLOAT, values);
  }

  int8(shape: readonly number[], values: Int8Array): string {
    return this.#tensor(shape, INT8, values);
  }

  /** A list of whole numbers, such as a shape. */
  whole(...values: readonly number[]): string {
    return this.#constant(`whole ${values.join()}`, () =>
      this.#tensor([values.length], INT64, BigInt64Array.from(values, BigInt)),
    );
  }

  scalar(value: number): string {
    return this.#constant(`scalar ${value}`, () => this.floats([], Float32Array.of(value)));
  }

  int8Zero(): string {
    return this.#constant('int8 zero', () => this.int8([], new Int8Array(1)));
  }

  slice(value: string, from: string, to: string, axis: number): string {
    return this.op('Slice', [value, from, to, this.whole(axis)]);
  }

  /** @param metadata what the loader reads beside the graph. */
  write(path: string, metadata: Readonly<Record<string, string>> = {}): void {
    const graph = [
      ...this.#nodes.map((node) => bytesField(1, node)),
      textField(2, 'parley'),
      ...this.#tensors.map((tensor) => bytesField(5, tensor)),
      ...this.#inputs.map((info) => bytesField(11, valueInfo(info))),
      ...this.#outputs.map((info) => bytesField(12, valueInfo(info))),
    ];
    const size = graph.reduce((sum, { length }) => sum + length, 0);
    const head = [intField(1, IR_VERSION), textField(2, 'parley'), bytesField(8, operatorSet()), bytesHead(7, size)];
    const file = openSync(path, 'wx', 0o600);
    try {
      for (const part of [...head, ...graph, metadataFields(metadata)]) writeWhole(file, part);
    } finally {
      closeSync(file);
    }
  }

  #newValue(): string {
    return `v${this.#values++}`;
  }

  #add(type: string, inputs: readonly string[], attributes: Attributes, outputs: readonly string[]): void {
    this.#nodes.push(nodeMessage({ name: `n${this.#nodes.length}`, type, inputs, outputs, attributes }));
  }

  #tensor(shape: readonly number[], type: number, values: ArrayBufferView): string {
    const name = `w${this.#tensors.length}`;
    this.#tensors.push(tensorMessage({ name, shape, type, values }));
    return name;
  }

  #constant(key: string, make: () => string): string {
    let name = this.#constants.get(key);
    if (name === undefined) {
      name = make();
      this.#constants.set(key, name);
    }
    return name;
  }
}

function valueInfo({ name, type, shape }: ValueInfo): Buffer {
  const lengths = shape.map((length) =>
    bytesField(1, typeof length === 'number' ? intField(1, length) : textField(2, length)),
  );
  const tensor = Buffer.concat([intField(1, type), bytesField(2, Buffer.concat(lengths))]);
  return Buffer.concat([textField(1, name), bytesField(2, bytesField(1, tensor))]);
}

function operatorSet(): Buffer {
  return Buffer.concat([textField(1, ''), intField(2, OPERATORS)]);
}
