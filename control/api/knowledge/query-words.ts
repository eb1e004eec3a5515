/** Words without meaning in a question. English only: in other languages they count as ordinary words. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  'a an and are as at be been but by can could did do does for from had has have how i if in is it its may me my of on or our please shall should so tell than that the their them then there these they this to us was we were what when where which who whom why will with would you your about'.split(
    ' ',
  ),
);
/** Longer questions are cut: their first words say what is meant. */
const MOST_WORDS = 24;

/** @returns the words of a question that are worth searching, lower case, without marks, each once. */
export function queryWords(query: string): string[] {
  const all = wordsOf(query);
  const meaningful = all.filter((word) => !STOP_WORDS.has(word));
  return [...new Set(meaningful.length > 0 ? meaningful : all)].slice(0, MOST_WORDS);
}

function wordsOf(text: string): string[] {
  return plain(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

function plain(text: string): string {
  return text.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '').normalize('NFC');
}

/**
 * Cuts the endings that most often differ between a question and a text. Coarse: it only compares, it never searches.
 */
function stem(word: string): string {
  if (word.length <= 3) return word;
  return word.replace(/(ies|ing|ed|es|s|e|y)$/, '');
}

/** The rest after a stem may differ by a doubled letter or a part of an ending. */
const MOST_LEFT_OVER = 2;
/** Shorter stems are the beginning of too many words. */
const SHORTEST_STEM = 3;

/** A stem and the shorter forms that also stand for it, itself first. */
function beginningsOf(stemmed: string): string[] {
  const most = Math.min(MOST_LEFT_OVER, stemmed.length - SHORTEST_STEM);
  return Array.from({ length: Math.max(0, most + 1) }, (_, less) => stemmed.slice(0, stemmed.length - less));
}

/**
 * Words count as present in their other forms: "swim" in "swimming", "opening" in "opens".
 * @returns which part of the words, 0…1, occurs in a passage. Longer words weigh more: they are rarer. The passage is
 * gone through once, however many words there are.
 */
export function coverage(words: readonly string[], passage: string): number {
  const present = new Set(wordsOf(passage));
  const stems = new Set([...present].map(stem));
  const beginnings = new Set([...stems].flatMap(beginningsOf));
  const occurs = (word: string): boolean =>
    present.has(word) ||
    beginnings.has(stem(word)) ||
    beginningsOf(stem(word)).some((beginning) => stems.has(beginning));
  const weigh = (some: readonly string[]): number => some.reduce((sum, word) => sum + Math.min(word.length, 10), 0);
  const total = weigh(words);
  return total === 0 ? 0 : weigh(words.filter(occurs)) / total;
}
