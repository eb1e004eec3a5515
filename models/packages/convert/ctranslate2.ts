import { ConversionError } from './conversion-error.ts';
import { readFloats, type Weights } from './weights.ts';

/** The only version of the file that is read. */
const VERSION = 6;
/** Numbers of CTranslate2 for kinds of values. */
const SINGLE = 0;
const HALF = 4;

interface Variable {
  readonly shape: readonly number[];
  readonly type: number;
  readonly data: Buffer;
}

export interface CTranslate2Model extends Weights {
  /** A whole number of 16 bits, such as the number of heads. @throws ConversionError */
  number(name: string): number;
}

/**
 * Reads a `model.bin` of CTranslate2.
 * @param spec the name of the kind of model, such as `WhisperSpec`. @throws ConversionError when it is something else
 */
export function readCTranslate2(file: Buffer, spec: string): CTranslate2Model {
  let variables: ReadonlyMap<string, Variable>;
  try {
    variables = readVariables(file, spec);
  } catch (error) {
    if (error instanceof ConversionError) throw error;
    throw new ConversionError('The model file is cut off.', { cause: error });
  }
  const variable = (name: string): Variable => {
    const found = variables.get(name);
    if (found === undefined) throw new ConversionError(`The model has no ${name}.`);
    return found;
  };
  return {
    floats(name) {
      const { type, data } = variable(name);
      if (type !== HALF && type !== SINGLE) throw new ConversionError(`${name} is of the unknown kind ${type}.`);
      return readFloats(data, type === HALF ? 'half' : 'single', name);
    },
    shape: (name) => variable(name).shape,
    names: () => [...variables.keys()],
    number: (name) => variable(name).data.readInt16LE(0),
  };
}

function readVariables(file: Buffer, spec: string): Map<string, Variable> {
  const read = new Reader(file);
  const version = read.u32();
  if (version !== VERSION) throw new ConversionError(`The model file has version ${version}, not ${VERSION}.`);
  const found = read.text();
  if (found !== spec) throw new ConversionError(`The model is a ${found}, not a ${spec}.`);
  // The revision of the specification.
  read.u32();
  const variables = new Map<string, Variable>();
  for (let count = read.u32(); count > 0; count--) {
    const name = read.text();
    const shape = Array.from({ length: read.u8() }, () => read.u32());
    const type = read.u8();
    variables.set(name, { shape, type, data: read.bytes(read.u32()) });
  }
  for (let count = read.u32(); count > 0; count--) {
    const alias = read.text();
    const meant = variables.get(read.text());
    if (meant !== undefined) variables.set(alias, meant);
  }
  return variables;
}

/** Reads one after the other; RangeError at the end of the file. */
class Reader {
  readonly #file: Buffer;
  #at = 0;

  constructor(file: Buffer) {
    this.#file = file;
  }

  u8(): number {
    return this.#file.readUInt8(this.#at++);
  }

  u32(): number {
    this.#at += 4;
    return this.#file.readUInt32LE(this.#at - 4);
  }

  /** A length of 16 bits, the text, and a zero. */
  text(): string {
    this.#at += 2;
    return this.bytes(this.#file.readUInt16LE(this.#at - 2))
      .toString('utf8')
      .replace(/\0+$/, '');
  }

  bytes(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#file.length) throw new RangeError('past the end of the file');
    const bytes = this.#file.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }
}
