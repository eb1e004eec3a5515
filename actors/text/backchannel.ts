import { en, LANGUAGES } from '../language/index.ts';
import { list, type BackchannelWords } from '../language/language.ts';
import { plainWords } from './words.ts';

/** Says whether words are only a sign of listening, so that the persona does not stop at "mm-hm". */

export interface BackchannelQuestion {
  /** ISO 639-1; null tries all languages, except for hums after a question. @defaultValue null */
  readonly language?: string | null;
  /** The persona has just asked something: "yeah" is then an answer. @defaultValue false */
  readonly personaJustAsked?: boolean;
}

/** A longer text is a statement, even if every word of it could be a backchannel. */
const MAX_WORDS = 7;
/** What recognizers write for sounds that are not words: "[laughter]", "(coughs)", "<noise>". */
const NON_SPEECH = /\[[^\]]{1,24}\]|\([^)]{1,24}\)|<[^>]{1,24}>|\*[^*]{1,24}\*/g;
/** Scripts in which a repeated word has no border: compared by characters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

const LATIN = /\p{Script=Latin}/u;

type Phrases = ReadonlyMap<string, readonly (readonly string[])[]>;
interface Known {
  readonly all: Phrases;
  readonly hums: Phrases;
  /** What is an answer although it may look like a hum. */
  readonly answers: Phrases;
}
/** Sounds that recognizers write down and that are no words. */
const NOISES: ReadonlySet<string> = new Set([
  'ahem',
  'cough',
  'coughs',
  'sigh',
  'sighs',
  'laughter',
  'laughs',
  'noise',
  'music',
  'breath',
  'sniff',
  'achoo',
]);
/** A hum, however it is spelled: "um", "ummm", "uh", "hm", "ehm", "er", "euh"; accents are gone already ("ähm"). */
const HUM = /^(?:[uo]+h*m+|u+h+|h+m+|e+h+m*|e+rm?|e+u+h+|a+h+m*|m{2,})$/;
/** Sounds that recognizers of any language write down for a hum or a laugh. Phrases are compared without accents. */
const COMMON: BackchannelWords = {
  hums: list(`
    hm | hmm | hmmm | mm | mmm | mmmm | m | mh | ah | ahh | oh | ooh | ohh | eh | uh | um | er | aha | haha | ha ha |
    hahaha | ha | heh | hehe | phew | wow | aw | aww | ugh
  `),
  assents: list(
    'mm hm | mm hmm | mhm | mhmm | mmhm | mmhmm | hm hm | m hm | uh huh | uhhuh | uhuh | ah ha | ok | okay | okey',
  ),
  reactions: [],
};
const BACKCHANNELS: ReadonlyMap<string, BackchannelWords> = new Map(
  Object.entries(LANGUAGES).flatMap(([code, { backchannels }]) =>
    backchannels === undefined ? [] : [[code, backchannels] as const],
  ),
);
const cache = new Map<string, Known>();

export function isBackchannel(text: string, question: BackchannelQuestion = {}): boolean {
  const language = question.language ?? null;
  if (question.personaJustAsked === true) return text.trim() !== '' && isWordless(text, language);
  const words = text.replaceAll(NON_SPEECH, ' ');
  const said = tokens(words);
  if (said.length === 0) return words !== text;
  return said.length <= mostWords(said) && consistsOf(said, phrasesOf(language).all);
}

/**
 * Whether the text is only hums and noises: no answer to anything, also not to a question. In a language that is not
 * known, only what is a hum in English or has another script counts: "Ben" is a name, and in French a hum.
 */
export function isWordless(text: string, language: string | null): boolean {
  const said = tokens(text.replaceAll(NON_SPEECH, ' '));
  if (said.length === 0) return true;
  const { hums, answers } = phrasesOf(language !== null && BACKCHANNELS.has(language) ? language : 'unknown');
  // "mm-hm" consists of hums and still means yes.
  if (contains(said, answers)) return false;
  return (
    said.every((word) => NOISES.has(word) || HUM.test(word)) ||
    (said.length <= mostWords(said) && consistsOf(said, hums))
  );
}

function mostWords(said: readonly string[]): number {
  return said.some((token) => UNSPACED.test(token)) ? MAX_WORDS * 2 : MAX_WORDS;
}

/**
 * Whether more words could still make it one: "got" is the beginning of "got it". @param text partial text of a
 * recognizer.
 */
export function mayBecomeBackchannel(text: string, question: Pick<BackchannelQuestion, 'language'> = {}): boolean {
  const said = tokens(text);
  const { all } = phrasesOf(question.language ?? null);
  const reachable = reach(said, all);
  return said.some(
    (word, at) =>
      reachable[at] === true &&
      (all.get(word) ?? []).some(
        (phrase) => at + phrase.length > said.length && said.slice(at).every((part, offset) => phrase[offset] === part),
      ),
  );
}

/** How many of the first words are a backchannel: one of "yeah what about Monday". */
export function backchannelWordsAtStart(text: string, question: Pick<BackchannelQuestion, 'language'> = {}): number {
  return reach(tokens(text), phrasesOf(question.language ?? null).all).lastIndexOf(true);
}

function contains(said: readonly string[], phrases: Phrases): boolean {
  return said.some((word, at) =>
    (phrases.get(word) ?? []).some((phrase) => phrase.every((part, offset) => said[at + offset] === part)),
  );
}

/** Whether the words are phrases one after the other, with nothing between. */
function consistsOf(said: readonly string[], phrases: Phrases): boolean {
  return reach(said, phrases)[said.length] === true;
}

/** At n: the first n words are phrases, one after the other. */
function reach(said: readonly string[], phrases: Phrases): boolean[] {
  const reachable: boolean[] = [true];
  for (let at = 0; at < said.length; at += 1) {
    if (reachable[at] !== true) continue;
    for (const phrase of phrases.get(said[at] ?? '') ?? []) {
      if (phrase.every((word, offset) => said[at + offset] === word)) reachable[at + phrase.length] = true;
    }
  }
  return reachable;
}

/** @param language 'unknown': English, and what has other letters; null or not in the list: all of them merged. */
function phrasesOf(language: string | null): Known {
  const key = language === 'unknown' || (language !== null && BACKCHANNELS.has(language)) ? language : '*';
  const known = cache.get(key);
  if (known !== undefined) return known;
  const sources = [COMMON, ...sourcesOf(key)];
  const made = {
    all: index(sources.flatMap((source) => [...source.hums, ...source.assents, ...source.reactions])),
    hums: index(sources.flatMap((source) => source.hums)),
    answers: index(sources.flatMap((source) => [...source.assents, ...(source.lookalikes ?? [])])),
  };
  cache.set(key, made);
  return made;
}

function sourcesOf(key: string): readonly BackchannelWords[] {
  const all = [...BACKCHANNELS.values()];
  if (key === '*') return all;
  const one = BACKCHANNELS.get(key);
  return one === undefined ? [en.backchannels, ...all.map(withoutLatin)] : [one];
}

function withoutLatin({ hums, assents, reactions }: BackchannelWords): BackchannelWords {
  const other = (phrases: readonly string[]) => phrases.filter((phrase) => !LATIN.test(phrase));
  return { hums: other(hums), assents: other(assents), reactions: other(reactions) };
}

function index(phrases: readonly string[]): Phrases {
  const byFirst = new Map<string, (readonly string[])[]>();
  for (const phrase of phrases) {
    const words = tokens(phrase);
    const first = words[0];
    if (first === undefined) continue;
    byFirst.set(first, [...(byFirst.get(first) ?? []), words]);
  }
  return byFirst;
}

/** Words, or characters in scripts without word borders. Stretched hums are shortened. */
function tokens(text: string): string[] {
  return plainWords(text.replaceAll('-', ' ')).flatMap((word) =>
    UNSPACED.test(word) ? [...word] : [word.replaceAll(/(\p{L})\1{2,}/gu, '$1$1$1')],
  );
}
