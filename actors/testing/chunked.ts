import * as fc from 'fast-check';

/** A text together with a way to cut it into chunks, as a stream would deliver it. */
export function chunked(
  text: fc.Arbitrary<string>,
): fc.Arbitrary<{ readonly text: string; readonly chunks: readonly string[] }> {
  return fc.tuple(text, fc.array(fc.nat(), { maxLength: 12 })).map(([whole, cuts]) => {
    const places = [...new Set(cuts.map((cut) => cut % (whole.length + 1)))].sort((a, b) => a - b);
    return { text: whole, chunks: [0, ...places].map((from, at) => whole.slice(from, places[at] ?? whole.length)) };
  });
}

/** Text made of pieces that matter to the rule under test, in any order. */
export function textOf(pieces: readonly string[]): fc.Arbitrary<string> {
  return fc
    .array(
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...pieces) },
        { weight: 1, arbitrary: fc.string({ maxLength: 4 }) },
      ),
      { maxLength: 14 },
    )
    .map((parts) => parts.join(''));
}
