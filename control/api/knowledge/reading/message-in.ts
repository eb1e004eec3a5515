const BLANKS: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20]);
/** Apple Mail writes the length of a message before it, and its own notes behind it (EMLX). */
const LENGTH = /^(\d{1,9})[ \t]*\r?\n/;

/** A message without what its program has put around it: blank lines, or a length and notes. */
export function messageIn(given: Buffer): Buffer {
  // Lines in front of it, as programs leave them, would end its fields.
  const begin = given.findIndex((byte) => !BLANKS.has(byte));
  const bytes = given.subarray(Math.max(0, begin));
  const length = LENGTH.exec(bytes.toString('latin1', 0, 32));
  return length === null ? bytes : bytes.subarray(length[0].length, length[0].length + Number(length[1]));
}
