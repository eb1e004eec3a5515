import { plainWords } from './words.ts';

/**
 * In a group call the persona answers only when somebody says its name. Recognizers misspell names, so a similar word
 * is enough.
 */

/** Added to the name that others see; nobody says it. */
const DISPLAY_SUFFIX = /\s*\(AI\)\s*$/i;
/** Shorter names must be heard exactly: one wrong letter of three makes another name. */
const TOLERANT_FROM_LETTERS = 4;
/** Two wrong letters are a misspelling only in a name at least this long. */
const TWO_ERRORS_FROM_LETTERS = 8;

/** @param displayName with or without its "(AI)". @returns whether the whole name or its first word is in the text. */
export function isAddressed(text: string, displayName: string): boolean {
  const name = plainWords(displayName.replace(DISPLAY_SUFFIX, ''));
  const first = name[0];
  if (first === undefined) return false;
  const said = plainWords(text).map((word) => word.replace(/'s$/, ''));
  return said.some(
    (word, at) =>
      sounds(word, first) ||
      sounds(word + (said[at + 1] ?? ''), name.join('')) ||
      (name.length === 1 && sounds(word + (said[at + 1] ?? ''), first)),
  );
}

function sounds(word: string, name: string): boolean {
  if (word === name) return true;
  if ([...name].length < TOLERANT_FROM_LETTERS) return false;
  const [heard, meant] = [asPronounced(word), asPronounced(name)];
  const errors = [...name].length >= TWO_ERRORS_FROM_LETTERS ? 2 : 1;
  // The first sound is hardly ever misheard, and "Maria" is not "aria".
  return heard[0] === meant[0] && editDistance([...heard], [...meant]) <= errors;
}

/** One spelling for what sounds alike in most European languages: "Sophie" and "Sofie", "Kathrin" and "Catrin". */
function asPronounced(word: string): string {
  return word
    .replaceAll('ph', 'f')
    .replaceAll('th', 't')
    .replaceAll('ck', 'k')
    .replaceAll('c', 'k')
    .replaceAll('y', 'i')
    .replaceAll('z', 's')
    .replaceAll(/(\p{L})\1/gu, '$1')
    .replaceAll(/(?<=[aeiou])h/g, '');
}

/** Insertions, deletions and replacements that turn one into the other. */
function editDistance(from: readonly string[], to: readonly string[]): number {
  let row = to.map((_, at) => at + 1);
  for (const [at, letter] of from.entries()) {
    let corner = at;
    let left = at + 1;
    row = row.map((above, column) => {
      left = Math.min(above + 1, left + 1, corner + (letter === to[column] ? 0 : 1));
      corner = above;
      return left;
    });
  }
  return row.at(-1) ?? from.length;
}
