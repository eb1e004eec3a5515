import type { Pronunciation } from '../../ports.ts';
import { UNSPACED } from '../word-timeline.ts';
import type { Rule } from './rule.ts';

/** The rule of each options object. A session keeps the object until its options change. */
const known = new WeakMap<readonly Pronunciation[], Map<boolean, Rule>>();

/**
 * Words with a pronunciation of the persona's own. They match as whole words, in any case, the longest first; in
 * languages without spaces they match anywhere.
 * @param language ISO 639-1. @returns null where there are none.
 */
export function pronunciationRule(pronunciations: readonly Pronunciation[], language: string): Rule | null {
  if (pronunciations.length === 0) return null;
  const byBoundary = known.get(pronunciations) ?? new Map<boolean, Rule>();
  known.set(pronunciations, byBoundary);
  const anywhere = UNSPACED.has(language);
  const rule = byBoundary.get(anywhere) ?? ruleOf(pronunciations, anywhere);
  byBoundary.set(anywhere, rule);
  return rule;
}

function ruleOf(pronunciations: readonly Pronunciation[], anywhere: boolean): Rule {
  const said = new Map(pronunciations.map(({ word, say }) => [word.toLowerCase(), say]));
  const words = [...said.keys()].toSorted((a, b) => b.length - a.length).map(escaped);
  const any = `(?:${words.join('|')})`;
  const pattern = anywhere ? any : `(?<![\\p{L}\\p{N}])${any}(?![\\p{L}\\p{N}])`;
  return { pattern: new RegExp(pattern, 'giu'), say: ([word]) => said.get(word.toLowerCase()) ?? null };
}

/** For a pattern with the flag `u`, which refuses unneeded escapes. */
function escaped(text: string): string {
  return text.replaceAll(/[\^$.*+?()[\]{}|/\\]/gu, String.raw`\$&`);
}
