/**
 * Reads JSON values, one per line. @param pieces of whole lines each, as `limitFetch` hands them on. @throws
 * SyntaxError
 */
export async function* jsonLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  for await (const piece of pieces) {
    for (const line of decoder.decode(piece).split('\n')) if (line.trim() !== '') yield JSON.parse(line);
  }
}
