/**
 * Writes small ONNX files for tests, so that loaders are tested against real graphs without shipping any. Only what
 * the tests need of the format (onnx.proto, version 8).
 */

export interface TinyNode {
  readonly type: string;
  readonly input: string | readonly string[];
  readonly output: string | readonly string[];
  /** Integer attributes by name; a list for `ints`. */
  readonly attributes?: Readonly<Record<string, number | readonly number[]>>;
}

export interface TinyTensor {
  readonly name: string;
  /** A text is a size that is only known when the graph runs. */
  readonly dims: readonly (number | string)[];
  /** @defaultValue float */
  readonly type?: TinyType;
}

/** Numbers that are part of the file. */
export interface TinyWeights {
  readonly name: string;
  readonly dims: readonly number[];
  readonly values: readonly number[] | Float32Array;
  /** @defaultValue float */
  readonly type?: 'float' | 'int64' | 'uint8';
}

export interface TinyModel {
  readonly inputs: readonly TinyTensor[];
  readonly nodes: readonly TinyNode[];
  readonly outputs: readonly TinyTensor[];
  readonly weights?: readonly TinyWeights[];
  /** Texts by name that the loader asks for. */
  readonly metadata?: Readonly<Record<string, string>>;
}

type TinyType = 'float' | 'uint8' | 'int64' | 'bool';
const TYPE_NUMBERS = { float: 1, uint8: 2, int64: 7, bool: 9 } as const satisfies Record<TinyType, number>;

/** @returns the bytes of a model with one output, without weights. */
export function tinyOnnx(
  input: TinyTensor | readonly TinyTensor[],
  nodes: readonly TinyNode[],
  output: TinyTensor,
): Buffer {
  return tinyModel({ inputs: [input].flat() as TinyTensor[], nodes, outputs: [output] });
}

/** @returns the bytes of a model. */
export function tinyModel({ inputs, nodes, outputs, weights = [], metadata = {} }: TinyModel): Buffer {
  const graph = [
    ...nodes.map((node) => bytes(1, nodeProto(node))),
    text(2, 'tiny'),
    ...weights.map((tensor) => bytes(5, tensorProto(tensor))),
    ...inputs.map((tensor) => bytes(11, valueInfo(tensor))),
    ...outputs.map((tensor) => bytes(12, valueInfo(tensor))),
  ];
  const opset = Buffer.concat([text(1, ''), integer(2, 13)]);
  return Buffer.concat([
    integer(1, 8),
    bytes(8, opset),
    bytes(7, Buffer.concat(graph)),
    ...Object.entries(metadata).map(([key, value]) => bytes(14, Buffer.concat([text(1, key), text(2, value)]))),
  ]);
}

function nodeProto(node: TinyNode): Buffer {
  const attributes = Object.entries(node.attributes ?? {}).map(([name, value]) => bytes(5, attribute(name, value)));
  return Buffer.concat([
    ...[node.input].flat().map((name) => text(1, name as string)),
    ...[node.output].flat().map((name) => text(2, name as string)),
    text(4, node.type),
    ...attributes,
  ]);
}

function attribute(name: string, value: number | readonly number[]): Buffer {
  if (typeof value === 'number') return Buffer.concat([text(1, name), integer(3, value), integer(20, 2)]);
  return Buffer.concat([text(1, name), ...value.map((item) => integer(8, item)), integer(20, 7)]);
}

function tensorProto({ name, dims, values, type = 'float' }: TinyWeights): Buffer {
  const raw = {
    float: () => Float32Array.from(values),
    uint8: () => Uint8Array.from(values),
    int64: () => BigInt64Array.from(values as readonly number[], (value) => BigInt(value)),
  }[type]();
  return Buffer.concat([
    ...dims.map((dim) => integer(1, dim)),
    integer(2, TYPE_NUMBERS[type]),
    text(8, name),
    // As exporters store a single one of 8 bits.
    type === 'uint8' && dims.length === 0 ? integer(5, raw[0] as number) : bytes(9, Buffer.from(raw.buffer)),
  ]);
}

function valueInfo({ name, dims, type = 'float' }: TinyTensor): Buffer {
  const shape = Buffer.concat(dims.map((dim) => bytes(1, typeof dim === 'number' ? integer(1, dim) : text(2, dim))));
  const tensor = Buffer.concat([integer(1, TYPE_NUMBERS[type]), bytes(2, shape)]);
  return Buffer.concat([text(1, name), bytes(2, bytes(1, tensor))]);
}

// ── protobuf: a key (field number and kind), then the value ──

function varint(value: number): Buffer {
  const out: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...out, rest]);
    out.push((rest % 128) + 128);
  }
}

function integer(field: number, value: number): Buffer {
  return Buffer.concat([varint(field * 8), varint(value)]);
}

function bytes(field: number, value: Buffer): Buffer {
  return Buffer.concat([varint(field * 8 + 2), varint(value.length), value]);
}

function text(field: number, value: string): Buffer {
  return bytes(field, Buffer.from(value, 'utf8'));
}
