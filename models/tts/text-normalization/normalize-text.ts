import type { Pronunciation } from '../../ports.ts';
import { abbreviationRules } from './abbreviations.ts';
import { addressRules } from './addresses.ts';
import { dateRules } from './dates.ts';
import { digitRules } from './digits.ts';
import { ENGLISH_RULES, ENGLISH_WORDS } from './english.ts';
import { spokenLocale, type SpokenLocale } from './locale.ts';
import { mathRules } from './math.ts';
import { measureRules } from './measures.ts';
import { moneyRules } from './money.ts';
import { numberPattern, numberRules } from './numbers.ts';
import { ordinalRules } from './ordinals.ts';
import { pronunciationRule } from './pronunciations.ts';
import type { Rule } from './rule.ts';
import { signRules } from './signs.ts';
import { timeRules } from './times.ts';
import { asTyped } from './typed-signs.ts';
import { weekDayRules } from './week-days.ts';

/** A sentence as it is said, with the place of each part in the written text. */
export interface NormalizedText {
  readonly text: string;
  /** @param position in the normalized text, UTF-16 units. @returns the place in the written text. */
  writtenPosition(position: number): number;
}

interface Replacement {
  /** Positions in the written text. */
  readonly start: number;
  readonly end: number;
  readonly said: string;
}

/**
 * Longer texts are not normalized. Sentences end after some hundred characters (`actors/text/sentence-splitter.ts`).
 */
const MAX_SENTENCE_LENGTH = 1_000;

const known = new Map<string, LanguageRules>();

/**
 * Text normalization: signs, units, currencies, dates in digits and addresses become words; digits stay, because every
 * voice knows the numbers of its language. The first rule that matches a place decides it. A number that no rule
 * understands as a whole, and the text of a language without rules, is left to the voice.
 * @param language ISO 639-1. @param pronunciations of the persona: they come before all rules.
 */
export function normalizeText(
  written: string,
  language: string,
  pronunciations: readonly Pronunciation[] = [],
): NormalizedText {
  const own = pronunciationRule(pronunciations, language);
  const rules = rulesOf(language);
  const text = rules === null ? written : asTyped(written);
  const replacements = text.length > MAX_SENTENCE_LENGTH ? [] : findReplacements(text, own, rules);
  if (replacements.length === 0) return { text, writtenPosition: (position) => position };
  let normalized = '';
  let until = 0;
  /** `at`: where the replacement stands in the normalized text. */
  const places: (Replacement & { readonly at: number })[] = [];
  for (const replacement of replacements) {
    normalized += text.slice(until, replacement.start);
    places.push({ ...replacement, at: normalized.length });
    normalized += replacement.said;
    until = replacement.end;
  }
  normalized += text.slice(until);
  return {
    text: normalized,
    writtenPosition(position) {
      const place = places.findLast(({ at }) => at <= position);
      if (place === undefined) return position;
      const beyond = position - place.at - place.said.length;
      return beyond < 0 ? place.start : place.end + beyond;
    },
  };
}

/** The rules of a language, and what its numbers look like. */
interface LanguageRules {
  /** Of words. */
  readonly words: readonly Rule[];
  /** Of numbers and signs, which few sentences have. */
  readonly rules: readonly Rule[];
  readonly joined: RegExp;
}

function rulesOf(language: string): LanguageRules | null {
  const before = known.get(language);
  if (before !== undefined) return before;
  const locale = spokenLocale(language);
  if (locale === null) return null;
  const made = {
    words: [
      ...weekDayRules(locale),
      ...abbreviationRules(language),
      ...ordinalRules(language),
      ...(language === 'en' ? ENGLISH_WORDS : []),
    ],
    rules: [
      ...[addressRules, dateRules, digitRules, moneyRules].flatMap((of) => of(locale)),
      ...(language === 'en' ? ENGLISH_RULES : []),
      ...[timeRules, measureRules, mathRules, signRules, numberRules].flatMap((of) => of(locale)),
    ],
    joined: joinedNumbers(locale),
  };
  known.set(language, made);
  return made;
}

/** Numbers with what joins them: dates, ranges, versions, telephone numbers. */
const joinedNumbers = (locale: SpokenLocale): RegExp => {
  const number = numberPattern(locale);
  return new RegExp(String.raw`(?<![\d.,])${number}(?:(?:[.,:/'’–x×-]|T)${number})+`, 'gu');
};

function findReplacements(text: string, own: Rule | null, language: LanguageRules | null): Replacement[] {
  // Most sentences contain nothing that a rule could match.
  const mayMatch =
    /[\d@&=→§¢⇒½¼¾⅓⅔<>≤≥≠≈×÷±∞√∛²³^\p{Script=Greek}]|\.\p{L}|[\p{L}.][–-]\p{L}|[\p{L})] [+/*] [\p{L}(]/u.test(text);
  const rules = language === null ? [] : [...language.words, ...(mayMatch ? language.rules : [])];
  const found: Replacement[] = [];
  for (const { pattern, say } of [...(own === null ? [] : [own]), ...rules]) {
    for (const match of text.matchAll(pattern)) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (start === end || found.some((other) => start < other.end && end > other.start)) continue;
      const said = say(match);
      if (said !== null) found.push({ start, end, said });
    }
  }
  return (language === null ? found : understood(text, found, language)).toSorted((a, b) => a.start - b.start);
}

/**
 * The guard: what joins numbers is changed as a whole or not at all. "12:25/24" is left to the voice, where half of it
 * looks like a time.
 */
function understood(text: string, found: readonly Replacement[], { joined }: LanguageRules): Replacement[] {
  const parts = new Set<Replacement>();
  for (const { 0: token, index } of text.matchAll(joined)) {
    const end = index + token.length;
    const here = found.filter((one) => one.start < end && one.end > index);
    // Group marks, decimal marks and the colon of a time belong to one number.
    const marks = [...token.matchAll(/(?<=\d)(?!:\d\d(?!\d))\D(?=\d)/g)].filter(
      ({ 0: mark }) => !/[.,'’ \u00a0\u202f]/.test(mark),
    );
    const isWhole = marks.every((mark) =>
      here.some((one) => one.start <= index + mark.index && one.end > index + mark.index),
    );
    if (!isWhole) for (const one of here) parts.add(one);
  }
  return found.filter((one) => !parts.has(one));
}
