/** What a line costs an LLM is bounded by these, characters: about 8,000 tokens. */
const MAX_CHARACTERS = 24_000;
/** Of them for the beginning; the end says more about how it went. */
const FOR_BEGINNING = 8_000;
const MAX_LINE_LENGTH = 2_000;

export interface SaidLine {
  readonly role: 'user' | 'persona';
  readonly text: string;
}

/** A conversation as JSON. Of a long one, the beginning and the end, and how many lines are left out between them. */
export function quotedTranscript(said: readonly SaidLine[]): string {
  const lines = said.map(({ role, text }) =>
    JSON.stringify({ [role === 'user' ? 'user' : 'assistant']: text.slice(0, MAX_LINE_LENGTH).toWellFormed() }),
  );
  if (lengthOf(lines) <= MAX_CHARACTERS) return `[${lines.join(',\n')}]`;
  const first = countWithin(lines, FOR_BEGINNING);
  const last = countWithin(lines.slice(first).toReversed(), MAX_CHARACTERS - FOR_BEGINNING);
  const gap = JSON.stringify({ leftOut: `${lines.length - first - last} lines` });
  return `[${[...lines.slice(0, first), gap, ...lines.slice(lines.length - last)].join(',\n')}]`;
}

const lengthOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length, 0);

/** @returns how many of the first lines fit. */
function countWithin(lines: readonly string[], characters: number): number {
  let left = characters;
  const over = lines.findIndex((line) => (left -= line.length) < 0);
  return over < 0 ? lines.length : over;
}
