/**
 * How much a word that was heard differs from a name. Recognizers spell names as they please ("Sofie", "Kathryn"), and
 * mishear one sound of them; but most other words are no name at all ("any" is not "Anna", "June" is not "Jane").
 */

/** A vowel for another one, a consonant for one that sounds like it, a sound more or less that is hardly heard. */
const SMALL_ERROR = 0.5;
const ERROR = 1;
/**
 * How wrong a word may be, by the letters of the name as it is said. Measured by
 * `bench/conversation-quality/group/name-alarms.ts` with 95 common first names on 970,000 words of English documents: a
 * name is heard by mistake 0.02 times in 1,000 words, and 0.44 times if any letter of four may be wrong ("any" for
 * Anna, "list" for Lisa). Most of the rest is "JSON" for Jason; others are "Mark" for Marco, "July" for Julia.
 */
const TOLERANCE: readonly (readonly [letters: number, errors: number])[] = [
  [8, 2 * SMALL_ERROR + ERROR],
  [7, ERROR],
  [5, SMALL_ERROR],
];
/** Shorter names are compared letter by letter: one other letter of three makes another word. */
const SPELLED_UP_TO = 3;

const VOWELS = new Set('aeiou');
/** Consonants that recognizers, and people on the phone, take for each other. */
const ALIKE: readonly string[] = ['bp', 'dt', 'gkj', 'mn', 'vfw', 'sz'];

/**
 * @param word, name plain words: lower case, without accents. @returns 0 for the same sound, more for more errors; null
 * where the word is not the name.
 */
export function misheardBy(word: string, name: string): number | null {
  if (word === name) return 0;
  if ([...name].length <= SPELLED_UP_TO) return null;
  const [heard, meant] = [asPronounced(word), asPronounced(name)];
  if (!beginAlike(heard, meant)) return null;
  const most = TOLERANCE.find(([letters]) => meant.length >= letters)?.[1] ?? 0;
  if (Math.abs(heard.length - meant.length) > most / SMALL_ERROR) return null;
  const errors = distance(heard, meant);
  return errors <= most ? errors : null;
}

/** The first sound is hardly ever misheard, and "Maria" is not "aria"; but "Alena" and "Helena" are "Elena". */
function beginAlike(heard: readonly string[], meant: readonly string[]): boolean {
  const [first = '', other = ''] = [heard, meant].map((letters) => letters.find((letter) => letter !== 'h'));
  return first === other || (VOWELS.has(first) && VOWELS.has(other));
}

/** One spelling for what sounds alike in most European languages: "Sophie" and "Sofie", "Kathrin" and "Catrin". */
function asPronounced(word: string): readonly string[] {
  return [
    ...word
      .replaceAll('ph', 'f')
      .replaceAll('th', 't')
      .replaceAll(/c(?=[ei])/g, 's')
      .replaceAll(/ck|c|q/g, 'k')
      .replaceAll(/[ae][iy]/g, 'e')
      .replaceAll('y', 'i')
      .replaceAll('z', 's')
      .replaceAll(/(\p{L})\1/gu, '$1')
      .replaceAll(/(?<=[aeiou])h/g, ''),
  ];
}

/** The cheapest way from one word to the other: insertions, deletions, replacements. */
function distance(from: readonly string[], to: readonly string[]): number {
  let row = [0];
  for (const letter of to) row.push((row.at(-1) ?? 0) + presence(letter));
  for (const letter of from) {
    let left = (row[0] ?? 0) + presence(letter);
    const next = [left];
    for (const [column, other] of to.entries()) {
      const replaced = (row[column] ?? 0) + replacement(letter, other);
      left = Math.min((row[column + 1] ?? 0) + presence(letter), left + presence(other), replaced);
      next.push(left);
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

function presence(letter: string): number {
  return VOWELS.has(letter) || letter === 'h' ? SMALL_ERROR : ERROR;
}

function replacement(letter: string, other: string): number {
  if (letter === other) return 0;
  if (VOWELS.has(letter) && VOWELS.has(other)) return SMALL_ERROR;
  return ALIKE.some((group) => group.includes(letter) && group.includes(other)) ? SMALL_ERROR : ERROR;
}
