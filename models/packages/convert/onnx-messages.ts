import { writeSync } from 'node:fs';
import { bytesField, floatField, intField, textField } from './protobuf.ts';

/** Numbers of ONNX for kinds of values. */
export const FLOAT = 1;
export const UINT8 = 2;
export const INT8 = 3;
export const INT64 = 7;

/** A number or a list of them is whole; `{ float }` is not. */
type Attribute = number | readonly number[] | { readonly float: number };
export type Attributes = Readonly<Record<string, Attribute>>;

export interface NodeContent {
  readonly name: string;
  readonly type: string;
  /** @defaultValue that of ONNX itself */
  readonly domain?: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes?: Attributes;
}

export function nodeMessage({ name, type, domain = '', inputs, outputs, attributes = {} }: NodeContent): Buffer {
  return Buffer.concat([
    ...inputs.map((each) => textField(1, each)),
    ...outputs.map((each) => textField(2, each)),
    textField(3, name),
    textField(4, type),
    ...Object.entries(attributes).map(([key, value]) => bytesField(5, attribute(key, value))),
    ...(domain === '' ? [] : [textField(7, domain)]),
  ]);
}

export interface TensorContent {
  readonly name: string;
  readonly shape: readonly number[];
  /** One of the numbers above. */
  readonly type: number;
  readonly values: ArrayBufferView;
}

export function tensorMessage({ name, shape, type, values }: TensorContent): Buffer {
  return Buffer.concat([
    ...shape.map((length) => intField(1, length)),
    intField(2, type),
    textField(8, name),
    bytesField(9, Buffer.from(values.buffer, values.byteOffset, values.byteLength)),
  ]);
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

/** Writes all of it, however much the system takes at a time. */
export function writeWhole(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
}
