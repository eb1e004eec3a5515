import { allWords } from '../language/lexicon.ts';
import { LANGUAGES } from '../language/index.ts';
import { likelyLanguage, lowerWords, scriptLanguage } from './guess-language.ts';
import { UNANNOUNCED_DIGITS, announcedDigits, asksForMore } from './unfinished-english.ts';

/**
 * Decides whether the user's words so far look like a finished thought. Recognizers often write no punctuation, so the
 * words decide.
 */

/** English words that end a sentence only when something before them asks for it ("what is it for"). */
const STRANDABLE: ReadonlySet<string> = new Set([
  'to',
  'of',
  'for',
  'from',
  'with',
  'about',
  'at',
  'by',
  'is',
  'are',
  'was',
  'were',
  'am',
  'be',
  'been',
  'has',
  'had',
  'will',
  'would',
  'should',
  'could',
  'can',
  'might',
  'must',
  'like',
  'i',
  'he',
  'she',
  'they',
  'we',
  'want',
  'need',
]);
const ASKS_FOR_IT =
  /\b(?:what|what's|where|where's|who|who's|which|whose|how|that|that's|when|why|all|anything|something|nothing|everything|place|people|do i|if you|\S+n't)\b/;
/** "Yes, I will." "So am I." */
const SHORT_ANSWER =
  /^(?:(?:yes|yeah|no|sure|so|nor|neither)\s)?(?:\S+\s)?(?:i|you|he|she|it|we|they|there|am|are|is|do|did|can|will|have|would|could|should)(?:'\S+)?\s(?:i|he|she|they|we|will|would|should|could|can|is|are|was|were|am|has|had|might|must)$/;
/** "On" and "in" belong to the verb in "turn it on"; in "I bought this on" something follows. */
const PHRASAL: ReadonlySet<string> = new Set([
  'turn',
  'turned',
  'come',
  'came',
  'go',
  'going',
  'goes',
  'log',
  'logged',
  'sign',
  'signed',
  'check',
  'checked',
  'fill',
  'filled',
  'put',
  'hold',
  'hang',
  'move',
  'carry',
  'keep',
  'switch',
  'plug',
  'get',
  'let',
  'bring',
  'try',
  'count',
  'join',
  'later',
  'so',
  'now',
  'what',
  "what's",
  'bit',
  'light',
  'lights',
  'is',
  'are',
  "it's",
  'still',
  'early',
]);
/** "What I need is …" is half of a sentence; "I know what it is" is a whole one. */
const CLEFT = /^(?:what|all|the thing|the problem|the point) (?:i|you|we|he|she|they|that i)\b.* (?:is|was)$/;
/** Turned question in French: "est-il", "va-t-on". */
const TURNED = /-(?:je|tu|il|elle|on|nous|vous|ils|elles|ce)$/;
/** "My phone number is, let me see, …": in so many words before the digits. */
const ANNOUNCED_WITHIN = 8;
/** Fewer in a row are an ordinary number. */
const DIGITS_IN_A_ROW = 3;

interface Endings {
  readonly words: ReadonlySet<string>;
  readonly phrases: readonly (readonly string[])[];
  readonly opinions: readonly (readonly string[])[];
}
const DIGITS = allWords('spokenDigits');
const CLOSED_WORDS = allWords('closedWords');
const endings = new Map<string, Endings>();

/** @param language ISO 639-1, or null: guessed from the words. Empty text counts as complete. */
export function looksComplete(text: string, language: string | null): boolean {
  const trimmed = text.trim();
  if (trimmed === '') return true;
  if (/(?:[,;:、，；：،–—-]|\.\.|…)$/u.test(trimmed)) return false;
  if (/[?!？！؟]["'”’»)]*$/u.test(trimmed)) return true;
  const suffixes = LANGUAGES[language ?? scriptLanguage(trimmed) ?? '']?.openSuffixes;
  if (suffixes !== undefined) {
    const bare = trimmed.replace(/(?<![\s。．.])[\s。．.]+$/u, '');
    // A full stop of the recognizer counts more than a particle at the end.
    return bare !== trimmed || CLOSED_WORDS.has(bare) || !suffixes.some((suffix) => bare.endsWith(suffix));
  }
  const words = lowerWords(trimmed);
  if (words.length === 0 || TURNED.test(trimmed.toLowerCase())) return true;
  if (isDictating(words)) return false;
  return !endsOpen(words, language ?? likelyLanguage(words));
}

function endsOpen(words: readonly string[], language: string): boolean {
  const open = endingsOf(language);
  const before = words.slice(0, -1).join(' ');
  const asked = language === 'en' && words.length >= 3 && ASKS_FOR_IT.test(before);
  if (open.opinions.some((phrase) => endsWith(words, phrase) && isOpening(words.slice(0, -phrase.length), open)))
    return true;
  if (language === 'en' && asksForMore(words)) return true;
  if (open.phrases.some((phrase) => endsWith(words, phrase))) return !asked;
  const last = words.at(-1) ?? '';
  if (language === 'en' && (last === 'on' || last === 'in'))
    return words.length >= 3 && !asked && !words.some((word) => PHRASAL.has(word));
  if (language === 'en' && CLEFT.test(words.join(' '))) return true;
  if (language === 'en' && STRANDABLE.has(last))
    return (
      !asked &&
      !(
        words.length >= 2 &&
        words.length <= 4 &&
        SHORT_ANSWER.test(words.join(' ')) &&
        !/^(?:what|where|who|how|when|why|which)$/.test(words[0] ?? '')
      )
    );
  return open.words.has(last);
}

function endsWith(words: readonly string[], phrase: readonly string[]): boolean {
  return phrase.length <= words.length && phrase.every((word, at) => words[words.length - phrase.length + at] === word);
}

/** Whether what comes next begins a sentence: nothing was said before, or a conjunction. */
function isOpening(before: readonly string[], open: Endings): boolean {
  return (
    before.length === 0 ||
    open.words.has(before.at(-1) ?? '') ||
    ['so', 'well', 'yes', 'yeah', 'no', 'okay'].includes(before.at(-1) ?? '')
  );
}

/**
 * Recognizers that write numerals write an ordinary number at once, so "555" alone is complete. Once a number is
 * announced, it comes in groups, however it is written.
 */
function isDictating(words: readonly string[]): boolean {
  let digits = 0;
  let start = words.length;
  for (; start > 0; start -= 1) {
    const word = words[start - 1] ?? '';
    if (DIGITS.has(word)) digits += 1;
    else if (/^\d+$/.test(word)) digits += word.length;
    else break;
  }
  const announced = announcedDigits(words.slice(Math.max(0, start - ANNOUNCED_WITHIN), start));
  if (announced !== null) return digits >= 1 && digits < announced;
  return (
    digits >= DIGITS_IN_A_ROW && digits < UNANNOUNCED_DIGITS && words.length > 1 && !/^\d+$/.test(words.at(-1) ?? '')
  );
}

function endingsOf(language: string): Endings {
  const known = endings.get(language);
  if (known !== undefined) return known;
  const { words = [], phrases = [], opinions = [] } = LANGUAGES[language]?.openEndings ?? {};
  const made = { words: new Set(words), phrases: phrases.map(lowerWords), opinions: opinions.map(lowerWords) };
  endings.set(language, made);
  return made;
}
