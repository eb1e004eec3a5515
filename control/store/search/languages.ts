import { stemmer as arabic } from '@orama/stemmers/arabic';
import { stemmer as armenian } from '@orama/stemmers/armenian';
import { stemmer as bulgarian } from '@orama/stemmers/bulgarian';
import { stemmer as danish } from '@orama/stemmers/danish';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as finnish } from '@orama/stemmers/finnish';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as greek } from '@orama/stemmers/greek';
import { stemmer as hungarian } from '@orama/stemmers/hungarian';
import { stemmer as hindi } from '@orama/stemmers/indian';
import { stemmer as indonesian } from '@orama/stemmers/indonesian';
import { stemmer as irish } from '@orama/stemmers/irish';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as lithuanian } from '@orama/stemmers/lithuanian';
import { stemmer as nepali } from '@orama/stemmers/nepali';
import { stemmer as norwegian } from '@orama/stemmers/norwegian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as romanian } from '@orama/stemmers/romanian';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as serbian } from '@orama/stemmers/serbian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import { stemmer as tamil } from '@orama/stemmers/tamil';
import { stemmer as turkish } from '@orama/stemmers/turkish';
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian';
import { stopwords as arabicStops } from '@orama/stopwords/arabic';
import { stopwords as armenianStops } from '@orama/stopwords/armenian';
import { stopwords as bulgarianStops } from '@orama/stopwords/bulgarian';
import { stopwords as danishStops } from '@orama/stopwords/danish';
import { stopwords as dutchStops } from '@orama/stopwords/dutch';
import { stopwords as englishStops } from '@orama/stopwords/english';
import { stopwords as finnishStops } from '@orama/stopwords/finnish';
import { stopwords as frenchStops } from '@orama/stopwords/french';
import { stopwords as germanStops } from '@orama/stopwords/german';
import { stopwords as greekStops } from '@orama/stopwords/greek';
import { stopwords as hungarianStops } from '@orama/stopwords/hungarian';
import { stopwords as hindiStops } from '@orama/stopwords/indian';
import { stopwords as indonesianStops } from '@orama/stopwords/indonesian';
import { stopwords as irishStops } from '@orama/stopwords/irish';
import { stopwords as italianStops } from '@orama/stopwords/italian';
import { stopwords as lithuanianStops } from '@orama/stopwords/lithuanian';
import { stopwords as nepaliStops } from '@orama/stopwords/nepali';
import { stopwords as norwegianStops } from '@orama/stopwords/norwegian';
import { stopwords as portugueseStops } from '@orama/stopwords/portuguese';
import { stopwords as romanianStops } from '@orama/stopwords/romanian';
import { stopwords as russianStops } from '@orama/stopwords/russian';
import { stopwords as serbianStops } from '@orama/stopwords/serbian';
import { stopwords as spanishStops } from '@orama/stopwords/spanish';
import { stopwords as swedishStops } from '@orama/stopwords/swedish';
import { stopwords as tamilStops } from '@orama/stopwords/tamil';
import { stopwords as turkishStops } from '@orama/stopwords/turkish';
import { stopwords as ukrainianStops } from '@orama/stopwords/ukrainian';
import { fold } from './fold.ts';

/** What the search knows of a language. */
export interface Language {
  /** Marks its stems in the index. */
  readonly code: string;
  readonly script: RegExp;
  /** The part of a word that its forms share. @param word lower case, with its marks. */
  stem(word: string): string;
  /** Words that say nothing of what a text is about, as `fold` gives them. */
  readonly stopWords: ReadonlySet<string>;
  /** The same with their accents: they tell languages apart. */
  readonly smallWords: ReadonlySet<string>;
  /** Whether words are put together: "Frühstücksbuffet". */
  readonly compounds: boolean;
}

const LATIN = /^\p{sc=Latin}/u;
const CYRILLIC = /^\p{sc=Cyrillic}/u;
const DEVANAGARI = /^\p{sc=Devanagari}/u;

/** Words that people ask with, which the lists of the library lack. */
const ASKING: Readonly<Record<string, string>> = {
  en: 'can could may might please tell want need get there would like know offer have do',
  de: 'gibt gibts kann können könnte wo wann wie wieviel wie viel was welche welcher muss müssen darf dürfen bitte bekomme möchte möglich haben hat ihr euch geht ab kostet',
  fr: 'quand où comment combien peut puis peux faut est-ce quel quelle',
  es: 'cuándo dónde cómo cuánto puedo puede hay qué cuál',
  it: 'quando dove come quanto posso può',
  pt: 'quando onde como quanto posso pode há',
};

const LANGUAGES_OF: readonly [string, RegExp, (word: string) => string, readonly string[], boolean?][] = [
  ['en', LATIN, english, englishStops],
  ['de', LATIN, german, germanStops, true],
  ['fr', LATIN, french, frenchStops],
  ['es', LATIN, spanish, spanishStops],
  ['it', LATIN, italian, italianStops],
  // The library leaves "reuniã" of reunião and "reuniõ" of reuniões.
  ['pt', LATIN, (word) => portuguese(word).replace(/[ãõ]$/u, ''), portugueseStops],
  ['nl', LATIN, dutch, dutchStops, true],
  ['sv', LATIN, swedish, swedishStops, true],
  ['da', LATIN, danish, danishStops, true],
  ['no', LATIN, norwegian, norwegianStops, true],
  ['fi', LATIN, finnish, finnishStops, true],
  ['hu', LATIN, hungarian, hungarianStops, true],
  ['ro', LATIN, romanian, romanianStops],
  ['tr', LATIN, turkish, turkishStops],
  ['lt', LATIN, lithuanian, lithuanianStops],
  ['id', LATIN, indonesian, indonesianStops],
  ['ga', LATIN, irish, irishStops],
  ['ru', CYRILLIC, russian, russianStops],
  ['uk', CYRILLIC, ukrainian, ukrainianStops],
  ['bg', CYRILLIC, bulgarian, bulgarianStops],
  ['sr', CYRILLIC, serbian, serbianStops],
  ['el', /^\p{sc=Greek}/u, greek, greekStops],
  // Its words are also written with points for their vowels.
  ['ar', /^\p{sc=Arabic}/u, (word) => arabic(fold(word)), arabicStops],
  ['hi', DEVANAGARI, hindi, hindiStops],
  ['ne', DEVANAGARI, nepali, nepaliStops],
  ['ta', /^\p{sc=Tamil}/u, tamil, tamilStops],
  ['hy', /^\p{sc=Armenian}/u, armenian, armenianStops],
];

export const LANGUAGES: readonly Language[] = LANGUAGES_OF.map(
  ([code, script, stem, stopWords, compounds = false]) => ({
    code,
    script,
    stem,
    stopWords: new Set([...stopWords, ...(ASKING[code] ?? '').split(' ')].map(fold).filter((word) => word !== '')),
    smallWords: new Set([...stopWords, ...(ASKING[code] ?? '').split(' ')]),
    compounds,
  }),
);

/** Fewer words of a language than this tell nothing. */
const MIN_WORDS = 2;

/** @returns the language whose small words are most in a text; the usual one of its script if there are hardly any. */
export function languageOf(words: readonly string[]): Language | null {
  let [best, most] = [null as Language | null, MIN_WORDS - 1];
  for (const language of LANGUAGES) {
    const count = words.filter((word) => language.smallWords.has(word)).length;
    if (count > most) [best, most] = [language, count];
  }
  return best;
}
