/**
 * Writes small ONNX files for tests, so that loaders are tested against real graphs without shipping any. Only what
 * the tests need of the format (onnx.proto, version 8): nodes over float tensors, without weights.
 */

export interface TinyNode {
  readonly type: string;
  readonly input: string | readonly string[];
  readonly output: string;
  /** Integer attributes by name; a list for `ints`. */
  readonly attributes?: Readonly<Record<string, number | readonly number[]>>;
}

export interface TinyTensor {
  readonly name: string;
  readonly dims: readonly number[];
}

/** @returns the bytes of a model with one output. */
export function tinyOnnx(
  input: TinyTensor | readonly TinyTensor[],
  nodes: readonly TinyNode[],
  output: TinyTensor,
): Buffer {
  const graph = [
    ...nodes.map((node) => bytes(1, nodeProto(node))),
    text(2, 'tiny'),
    ...[input].flat().map((tensor) => bytes(11, valueInfo(tensor as TinyTensor))),
    bytes(12, valueInfo(output)),
  ];
  const opset = Buffer.concat([text(1, ''), integer(2, 13)]);
  return Buffer.concat([integer(1, 8), bytes(8, opset), bytes(7, Buffer.concat(graph))]);
}

function nodeProto(node: TinyNode): Buffer {
  const attributes = Object.entries(node.attributes ?? {}).map(([name, value]) => bytes(5, attribute(name, value)));
  return Buffer.concat([
    ...[node.input].flat().map((name) => text(1, name as string)),
    text(2, node.output),
    text(4, node.type),
    ...attributes,
  ]);
}

function attribute(name: string, value: number | readonly number[]): Buffer {
  if (typeof value === 'number') return Buffer.concat([text(1, name), integer(3, value), integer(20, 2)]);
  return Buffer.concat([text(1, name), ...value.map((item) => integer(8, item)), integer(20, 7)]);
}

function valueInfo({ name, dims }: TinyTensor): Buffer {
  const shape = Buffer.concat(dims.map((dim) => bytes(1, integer(1, dim))));
  const float = 1;
  return Buffer.concat([text(1, name), bytes(2, bytes(1, Buffer.concat([integer(1, float), bytes(2, shape)])))]);
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
