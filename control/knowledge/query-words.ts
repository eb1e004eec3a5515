/** Words that carry no meaning in a question. English only: in other languages they merely count as words. */
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

/** Cuts the endings that most often differ between a question and a text. Coarse: it only compares, it never searches. */
function stem(word: string): string {
  if (word.length <= 3) return word;
  return word.replace(/(ies|ing|ed|es|s|e|y)$/, '');
}

/** Whether two words are forms of one: "swim" and "swimming", "opens" and "opening". */
function sameWord(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = [stem(a), stem(b)].toSorted((x, y) => x.length - y.length) as [string, string];
  // What is left over may be a doubled letter or a part of an ending.
  return short.length >= 3 && long.startsWith(short) && long.length - short.length <= 2;
}

/** @returns which part of the words, 0…1, occurs in a passage. Longer words weigh more: they are rarer. */
export function coverage(words: readonly string[], passage: string): number {
  const present = [...new Set(wordsOf(passage))];
  const weight = (word: string): number => Math.min(word.length, 10);
  const total = words.reduce((sum, word) => sum + weight(word), 0);
  const found = words
    .filter((word) => present.some((other) => sameWord(word, other)))
    .reduce((sum, word) => sum + weight(word), 0);
  return total === 0 ? 0 : found / total;
}
