/**
 * Reads a vector as services send it: numbers, the bytes of 32-bit numbers as base64, or a list with one vector in it.
 * @returns null when it is none: a missing number would make every comparison with it meaningless.
 */
export function readVector(value: unknown): Float32Array | null {
  if (typeof value === 'string') return ofBase64(value);
  if (!Array.isArray(value) || value.length === 0) return null;
  if (value.length === 1 && Array.isArray(value[0])) return readVector(value[0]);
  const isVector = value.every((number) => typeof number === 'number' && Number.isFinite(number));
  return isVector ? Float32Array.from(value as number[]) : null;
}

const FLOAT_BYTES = 4;

function ofBase64(text: string): Float32Array | null {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0 || bytes.length % FLOAT_BYTES !== 0) return null;
  const vector = Float32Array.from({ length: bytes.length / FLOAT_BYTES }, (_, index) =>
    bytes.readFloatLE(index * FLOAT_BYTES),
  );
  return vector.every(Number.isFinite) ? vector : null;
}
