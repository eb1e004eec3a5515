import { ConversionError } from './conversion-error.ts';

/** The numbers of a model by their names, whatever file they come from. */
export interface Weights {
  /** @throws ConversionError when there are none of this name. */
  floats(name: string): Float32Array;
  /** The lengths of the axes. @throws ConversionError */
  shape(name: string): readonly number[];
  names(): readonly string[];
}

/** @param bits of a number of 16 bits (IEEE 754 half precision). */
export function halfToFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** @param form `half`: 16 bits a number; `single`: 32. Little-endian, at any address. */
export function readFloats(bytes: Buffer, form: 'half' | 'single', name: string): Float32Array {
  const size = form === 'half' ? 2 : 4;
  if (bytes.length % size !== 0) throw new ConversionError(`The weights ${name} are cut off.`);
  const values = new Float32Array(bytes.length / size);
  for (let i = 0; i < values.length; i++)
    values[i] = form === 'half' ? halfToFloat(bytes.readUInt16LE(2 * i)) : bytes.readFloatLE(4 * i);
  return values;
}
