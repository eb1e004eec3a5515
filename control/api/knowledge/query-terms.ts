import { fold, foldPair } from '../../store/search/fold.ts';
import { languageOf, LANGUAGES } from '../../store/search/languages.ts';
import { joined, participleRoot, reversedTerm, stemTerm, wordsOf } from '../../store/search/search-terms.ts';
import { otherForms } from './irregular-english.ts';

/** One way to find a word. */
export interface Alternative {
  readonly term: string;
  /** Whether longer terms that begin with it count as well. */
  readonly isPrefix: boolean;
  /** 0…1: how sure it is that this is the same word. */
  readonly weight: number;
}

/** A word of a question, and all that it may be in a text; the surest first. */
export type QueryWord = readonly Alternative[];

/** Longer questions are cut: their first words say what is meant. */
const MAX_WORDS = 24;
/** Shorter beginnings are those of too many words. */
const MIN_PREFIX_LENGTH = 4;
const MIN_PART_LENGTH = 5;
/** Words of this length may be put together. */
const MIN_COMPOUND_LENGTH = 9;
const WEIGHTS = { itself: 1, stem: 0.95, longer: 0.7, root: 0.6, end: 0.6, part: 0.5, otherwise: 0.85 } as const;

/** @returns the words of a question that are worth searching, each once. */
export function queryWords(query: string): QueryWord[] {
  const all = [...wordsOf(query)];
  const language = languageOf(all.map(({ text }) => text)) ?? LANGUAGES[0]!;
  const meaningful = all.filter(({ text }) => !language.stopWords.has(fold(text)));
  // Japanese puts grammar into its own script. A question of nothing else is a word.
  const telling = meaningful.filter(({ text, kind }) => kind !== 'pair' || !/^\p{sc=Hiragana}+$/u.test(text));
  const kept = [telling, meaningful, all].find((words) => words.length > 0) ?? [];
  const unique = new Map(kept.map((word) => [fold(word.text), word]));
  const wholes = wholesIn(query);
  return [...unique.values()]
    .slice(0, MAX_WORDS)
    .map(({ kind, text }) =>
      kind === 'pair'
        ? [{ term: foldPair(text), isPrefix: [...text].length === 1, weight: 1 }]
        : [...alternativesOf(text), ...(wholes.get(fold(text)) ?? [])],
    );
}

/** A number with a word of a few letters beside it: "12 A", "LH 1234", "20 kg". */
const BESIDE_NUMBER =
  /(?<![\p{L}\p{N}])(\p{L}{1,4}) (\d{1,12})(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])(\d{1,12}) (\p{L}{1,3})(?![\p{L}\p{N}])/gu;

/** What the parts of a question are together, by each part: a text may have "WLAN" and "12A" for "W-LAN" and "12 A". */
function wholesIn(query: string): Map<string, Alternative[]> {
  const plain = query.normalize('NFKC').toLowerCase();
  const pairs = [...plain.matchAll(BESIDE_NUMBER)].map(([pair]) => pair.replace(' ', ''));
  const wholes = new Map<string, Alternative[]>();
  for (const term of [...joined(query), ...pairs.map(fold)])
    for (const { text } of wordsOf(query)) {
      const part = fold(text);
      if (part === term || !(term.startsWith(part) || term.endsWith(part))) continue;
      wholes.set(part, [...(wholes.get(part) ?? []), { term, isPrefix: false, weight: WEIGHTS.otherwise }]);
    }
  return wholes;
}

function alternativesOf(word: string): QueryWord {
  const folded = fold(word);
  const found = new Map<string, Alternative>();
  const add = (term: string, weight: number, isPrefix = false): void => {
    const key = `${term}${isPrefix}`;
    if (term !== '' && !found.has(key)) found.set(key, { term, isPrefix, weight });
  };
  add(folded, WEIGHTS.itself);
  // "LH1234", "4711B" and "20kg" may stand there with a sign or a blank between.
  for (const [digits] of /\p{L}/u.test(word) ? folded.matchAll(/\d{2,}/g) : []) add(digits, WEIGHTS.part);
  if (/^\p{N}/u.test(word)) return [...found.values()];
  for (const other of otherwiseWritten(folded)) {
    add(other, WEIGHTS.otherwise);
    for (const language of LANGUAGES)
      if (language.code === 'de' || language.code === 'en')
        add(stemTerm(language, language.stem(other)), WEIGHTS.otherwise);
  }
  for (const form of otherForms(folded)) add(form, WEIGHTS.longer);
  for (const language of LANGUAGES.filter(({ script }) => script.test(word))) {
    const stem = language.stem(word);
    add(stemTerm(language, stem), WEIGHTS.stem);
    // It may be what a longer form is cut to.
    if (folded.length >= MIN_PREFIX_LENGTH) add(stemTerm(language, word), WEIGHTS.stem);
    if (!language.compounds) continue;
    const short = fold(stem);
    if (short.length >= MIN_PART_LENGTH) add(short, WEIGHTS.longer, true);
    if (short.length >= MIN_PREFIX_LENGTH) add(reversedTerm(stem), WEIGHTS.end, true);
    const root = participleRoot(language, word);
    if (root !== null) add(fold(root), WEIGHTS.root, true);
    if (root !== null) add(stemTerm(language, root), WEIGHTS.root);
    if (language.code === 'de') for (const part of partsOf(folded)) add(stemTerm(language, part), WEIGHTS.part);
  }
  if (folded.length >= MIN_PREFIX_LENGTH) add(folded, WEIGHTS.longer, true);
  for (const part of partsOf(folded)) add(part, WEIGHTS.part);
  return [...found.values()];
}

/** Letters before a Hebrew word: "the", "and", "in", "as", "to", "from", "that". */
const HEBREW_PREFIXES = 'הובכלמש';

/** Of English on both sides of the ocean, each way: "colour", "organise", "analyse", "centre", "catalogue", "travelling". */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/(?<=[a-z]{2})our/, 'or'],
  [/(?<=[a-z]{2})or(?=$|s|ed|ing|ful|ite|able)/, 'our'],
  [/(?<=[a-z]{3})is(?=e|ing|ation)/, 'iz'],
  [/(?<=[a-z]{3})iz(?=e|ing|ation)/, 'is'],
  [/ys(?=e|ing)/, 'yz'],
  [/yz(?=e|ing)/, 'ys'],
  [/(?<=[a-z]{2}[bt])re(?=$|s$)/, 'er'],
  [/(?<=[a-z]{2}[bt])er(?=$|s$)/, 're'],
  [/ogue(?=$|s$)/, 'og'],
  [/(?<=[a-z]{2})og(?=$|s$)/, 'ogue'],
  [/(?<=[aeiou])ll(?=ed$|ing$|er$)/, 'l'],
  [/(?<=[a-z]{2}[aeiou])l(?=ed$|ing$|er$)/, 'll'],
];

/** Without the letters of a keyboard ("Fruehstueck", "roedgroed"), and Hebrew words with and without what is put before. */
function* otherwiseWritten(word: string): Generator<string> {
  for (const [spelling, other] of SPELLINGS) if (spelling.test(word)) yield word.replace(spelling, other);
  if (/^[a-z]*(?:[aou]e|aa)/.test(word)) {
    yield word.replaceAll(/([aou])e/g, '$1').replaceAll('aa', 'a');
    // The Danish "æ" is "ae" in the index.
    yield word.replaceAll(/([ou])e/g, '$1').replaceAll('aa', 'a');
  }
  if (!/^\p{sc=Hebrew}{3,}$/u.test(word)) return;
  if (word.length > MIN_PREFIX_LENGTH && HEBREW_PREFIXES.includes(word[0]!)) yield word.slice(1);
  for (const prefix of HEBREW_PREFIXES) yield prefix + word;
}

/** Beginnings and ends of a word that may be put together: those that are words are in the index. */
function* partsOf(word: string): Generator<string> {
  if (word.length < MIN_COMPOUND_LENGTH || !/^\p{sc=Latin}+$/u.test(word)) return;
  for (let length = word.length - 3; length >= MIN_PREFIX_LENGTH; length -= 1) {
    yield word.slice(0, length);
    if (length >= MIN_PART_LENGTH) yield word.slice(-length);
  }
}
