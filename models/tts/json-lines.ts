/** A line longer than this is no answer of a speech service: 32 MB hold ten minutes of sound. */
const LONGEST_LINE = 32 * 1024 * 1024;

/** Reads a byte stream as JSON values, one per line. @throws SyntaxError, RangeError */
export async function* jsonLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of bytes) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_LINE) throw new RangeError('A line is too long.');
    for (const line of lines) if (line.trim() !== '') yield JSON.parse(line);
  }
  rest += decoder.decode();
  if (rest.trim() !== '') yield JSON.parse(rest);
}
