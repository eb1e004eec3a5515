import { z } from 'zod';
import { ConversionError } from './conversion-error.ts';
import { readFloats, type Weights } from './weights.ts';

/** The header of a model of a gigabyte has some 100 kB. */
const MAX_HEADER_SIZE = 10 * 1024 * 1024;

const header = z.record(
  z.string(),
  z.object({
    dtype: z.string(),
    shape: z.array(z.int().nonnegative()),
    data_offsets: z.tuple([z.int().nonnegative(), z.int().nonnegative()]),
  }),
);

/** Reads a file of safetensors: a header of JSON behind its length, then all numbers. @throws ConversionError */
export function readSafetensors(file: Buffer): Weights {
  const { tensors, data } = parts(file);
  function found(name: string): z.output<typeof header>[string] {
    const tensor = tensors[name];
    if (tensor === undefined) throw new ConversionError(`The model has no weights ${name}.`);
    return tensor;
  }
  return {
    names: () => Object.keys(tensors),
    shape: (name) => found(name).shape,
    floats(name) {
      const { dtype, shape, data_offsets: range } = found(name);
      if (dtype !== 'F32' && dtype !== 'F16')
        throw new ConversionError(`The weights ${name} are of the type ${dtype}.`);
      const values = readFloats(data.subarray(...range), dtype === 'F16' ? 'half' : 'single', name);
      if (values.length !== shape.reduce((product, length) => product * length, 1))
        throw new ConversionError(`The weights ${name} are cut off.`);
      return values;
    },
  };
}

function parts(file: Buffer): { readonly tensors: z.output<typeof header>; readonly data: Buffer } {
  const length = file.length < 8 ? Infinity : Number(file.readBigUInt64LE());
  if (length > Math.min(MAX_HEADER_SIZE, file.length - 8))
    throw new ConversionError('The file is cut off, or is not one of safetensors.');
  try {
    const { __metadata__: _, ...tensors } = JSON.parse(file.toString('utf8', 8, 8 + length)) as Record<string, unknown>;
    return { tensors: header.parse(tensors), data: file.subarray(8 + length) };
  } catch (error) {
    throw new ConversionError('The header of the weights cannot be read.', { cause: error });
  }
}
