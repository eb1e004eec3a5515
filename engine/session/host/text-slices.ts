/** How many UTF-16 units a session reads at a time: some sentences, in about a millisecond. Tokens have about four. */
const SLICE = 256;

/** Cuts a long text into pieces, never inside a character. A short one stays as it is. */
export function* textSlices(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const to = from + SLICE;
    const end = isInsidePair(text, to) ? to - 1 : to;
    yield text.slice(from, end);
    from = end;
  }
}

function isInsidePair(text: string, at: number): boolean {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
}
