import { closeSync, openSync, writeSync } from 'node:fs';
import { bytesField, bytesHead, floatField, intField, textField } from './protobuf.ts';

/** Read by ONNX Runtime since 1.12; LayerNormalization came with the operators of 17. */
const IR_VERSION = 8;
const OPERATORS = 17;

/** Numbers of ONNX for kinds of values. */
export const FLOAT = 1;
export const INT8 = 3;
export const INT64 = 7;

export interface ValueInfo {
  readonly name: string;
  readonly type: typeof FLOAT | typeof INT64;
  /** A name stands for a length that is not known before. */
  readonly shape: readonly (number | string)[];
}

/** A number or a list of them is whole; `{ float }` is not. */
type Attribute = number | readonly number[] | { readonly float: number };

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
  op(type: string, inputs: readonly string[], attributes: Record<string, Attribute> = {}, output?: string): string {
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

  #add(
    type: string,
    inputs: readonly string[],
    attributes: Record<string, Attribute>,
    outputs: readonly string[],
  ): void {
    this.#nodes.push(
      Buffer.concat([
        ...inputs.map((name) => textField(1, name)),
        ...outputs.map((name) => textField(2, name)),
        textField(3, `n${this.#nodes.length}`),
        textField(4, type),
        ...Object.entries(attributes).map(([name, value]) => bytesField(5, attribute(name, value))),
      ]),
    );
  }

  #tensor(shape: readonly number[], type: number, values: ArrayBufferView): string {
    const name = `w${this.#tensors.length}`;
    const raw = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
    this.#tensors.push(
      Buffer.concat([
        ...shape.map((length) => intField(1, length)),
        intField(2, type),
        textField(8, name),
        bytesField(9, raw),
      ]),
    );
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

/** Appended to a file of ONNX, they are its metadata: later fields of a message add to those before. */
export function metadataFields(metadata: Readonly<Record<string, string>>): Buffer {
  return Buffer.concat(
    Object.entries(metadata).map(([key, value]) =>
      bytesField(14, Buffer.concat([textField(1, key), textField(2, value)])),
    ),
  );
}

function attribute(name: string, value: Attribute): Buffer {
  if (typeof value === 'number') return Buffer.concat([textField(1, name), intField(3, value), intField(20, 2)]);
  if ('float' in value) return Buffer.concat([textField(1, name), floatField(2, value.float), intField(20, 1)]);
  return Buffer.concat([textField(1, name), ...value.map((each) => intField(8, each)), intField(20, 7)]);
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

function writeWhole(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
}
