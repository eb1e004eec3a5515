import { addressRules } from './addresses.ts';
import { codeRules } from './codes.ts';
import { countRules } from './counts.ts';
import { dateRules } from './dates.ts';
import { decadeRules } from './decades.ts';
import { durationRules } from './durations.ts';
import { limitRules } from './limits.ts';
import { spokenLocale } from './locale.ts';
import { mathRules } from './math.ts';
import { fractionRules } from './fractions.ts';
import { measureRules } from './measures.ts';
import { otherMeasureRules } from './other-measures.ts';
import { rangeRules } from './ranges.ts';
import { rateRules } from './rates.ts';
import { ratioRules } from './ratios.ts';
import { moneyRules } from './money.ts';
import type { Pronunciation } from '../../ports.ts';
import { pronunciationRule } from './pronunciations.ts';
import { numberRules } from './numbers.ts';
import type { Rule } from './rule.ts';
import { signRules } from './signs.ts';
import { timeRules } from './times.ts';

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
const LONGEST_SENTENCE = 1_000;

const rulesByLanguage = new Map<string, readonly Rule[]>();

/**
 * Text normalization: numbers, dates, times, prices, measures, addresses and signs become words, because voices read
 * them in different ways, or wrong. The first rule that matches a place decides it. The text of a language without
 * rules is left to the voice.
 * @param language ISO 639-1. @param pronunciations of the persona: they come before all rules.
 */
export function normalizeText(
  text: string,
  language: string,
  pronunciations: readonly Pronunciation[] = [],
): NormalizedText {
  const own = pronunciationRule(pronunciations, language);
  const replacements = text.length > LONGEST_SENTENCE ? [] : findReplacements(text, own, rulesOf(language));
  if (replacements.length === 0) return { text, writtenPosition: (position) => position };
  let normalized = '';
  let written = 0;
  /** `at`: where the replacement stands in the normalized text. */
  const places: (Replacement & { readonly at: number })[] = [];
  for (const replacement of replacements) {
    normalized += text.slice(written, replacement.start);
    places.push({ ...replacement, at: normalized.length });
    normalized += replacement.said;
    written = replacement.end;
  }
  normalized += text.slice(written);
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

function rulesOf(language: string): readonly Rule[] {
  const known = rulesByLanguage.get(language);
  if (known !== undefined) return known;
  const locale = spokenLocale(language);
  const rules =
    locale === null
      ? []
      : [
          addressRules,
          dateRules,
          durationRules,
          decadeRules,
          codeRules,
          rangeRules,
          timeRules,
          moneyRules,
          countRules,
          otherMeasureRules,
          measureRules,
          rateRules,
          limitRules,
          ratioRules,
          fractionRules,
          mathRules,
          signRules,
          numberRules,
        ].flatMap((of) => of(locale));
  // Only languages with rules are kept: a client may name any language.
  if (locale !== null) rulesByLanguage.set(language, rules);
  return rules;
}

function findReplacements(text: string, own: Rule | null, rules: readonly Rule[]): Replacement[] {
  // Most sentences contain nothing that a rule could match.
  const mayMatch = /[\d@&=→⇒½¼¾<>≤≥≠≈×÷±∞√∛²³^\p{Script=Greek}]|\.\p{L}|\p{L}[–-]\p{L}|[\p{L})] [+/*] [\p{L}(]/u.test(
    text,
  );
  const found: Replacement[] = [];
  for (const { pattern, say } of [...(own === null ? [] : [own]), ...(mayMatch ? rules : [])]) {
    for (const match of text.matchAll(pattern)) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (start === end || found.some((other) => start < other.end && end > other.start)) continue;
      const said = say(match);
      if (said !== null) found.push({ start, end, said });
    }
  }
  return whole(text, found).toSorted((a, b) => a.start - b.start);
}

/** Digits with what joins them: dates, numbers with marks, ranges, versions. */
const JOINED_DIGITS = /\d+(?:(?:[.,:/'’–x×-]|T)\d+)+/gu;

/**
 * Leaves out what would change only a part of joined digits: a number that is not understood as a whole is left to the
 * voice.
 */
function whole(text: string, found: readonly Replacement[]): Replacement[] {
  const parts = new Set<Replacement>();
  for (const { 0: digits, index } of text.matchAll(JOINED_DIGITS)) {
    const end = index + digits.length;
    const here = found.filter((one) => one.start < end && one.end > index);
    const isCovered = [...digits.matchAll(/\d+/g)].every((run) =>
      here.some((one) => one.start <= index + run.index && one.end >= index + run.index + run[0].length),
    );
    // Two numbers may stand in a range; an apostrophe groups the digits of one.
    if (isCovered && (here.length === 1 || !/['’]/.test(digits))) continue;
    for (const one of here) parts.add(one);
  }
  return found.filter((one) => !parts.has(one));
}
