import { RE2JS } from 're2js';

/**
 * Patterns of customers' schemas, run on what a model wrote. RE2 matches in a time that grows with the text and not
 * exponentially, as JavaScript's own engine may: `^(a+)+$` on 40 letters takes that one minutes.
 */
export interface LinearPattern {
  test(text: string): boolean;
  /** Instructions. */
  readonly size: number;
  /** Steps for each character of a text, about: see `WorkLimit`. */
  readonly stepsPerChar: number;
}

/** Longest pattern, in UTF-16 units, and most repetitions in it: `a{1000}` takes 10 ms to compile. */
const MAX_PATTERN_LENGTH = 512;
const MAX_REPETITIONS = 300;
/**
 * Instructions of a compiled pattern that take as long as a step: 13 ns each at most, with the cache of states full 40.
 */
const INSTRUCTIONS_PER_STEP = 16;
/** Patterns of a process are few; more means that they are made up. */
const CACHED = 1_000;

const compiled = new Map<string, LinearPattern | null>();

/** @returns null for a pattern that RE2 does not know (lookaround, back references) or that is too large. */
export function linearPattern(source: string): LinearPattern | null {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  const made = isSmall(source) ? compile(source) : null;
  if (compiled.size >= CACHED) compiled.clear();
  compiled.set(source, made);
  return made;
}

function isSmall(source: string): boolean {
  if (source.length > MAX_PATTERN_LENGTH) return false;
  const repeats = [...source.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, from, to]) =>
    Number(to === undefined || to === '' ? from : to),
  );
  return repeats.reduce((sum, times) => sum + times, 0) <= MAX_REPETITIONS;
}

function compile(source: string): LinearPattern | null {
  try {
    const pattern = RE2JS.compile(RE2JS.translateRegExp(source));
    const size = pattern.programSize();
    return { test: (text) => pattern.test(text), size, stepsPerChar: size / INSTRUCTIONS_PER_STEP };
  } catch {
    return null;
  }
}
