import { joinLines } from './clean-text.ts';

/** What a page ends with below its text: its number. */
const NUMBER = /\n\n\D{0,12}\d{1,4}(?:\D{1,6}\d{1,4})?\D{0,3}$/u;
/** The beginning of a sentence that a page does not end. */
const BEGUN = /(?:^|[.!?。！？]["”’»)]?\s|\n\n)([^.!?。！？]{1,300})$/u;

/**
 * A page with what its first sentence began with on the page before, so that it is whole in one of them, and a word that
 * was divided is found. @param before the text of that page.
 */
export function goingOn(before: string, text: string): string {
  if (!/^\p{Ll}/u.test(text)) return text;
  const begun = BEGUN.exec(before.slice(-LOOKED_AT).replace(NUMBER, '').trimEnd())?.[1]?.trim() ?? '';
  if (begun === '' || /\n\n/.test(begun)) return text;
  return /\p{L}-$/u.test(begun) ? joinLines(`${begun}\n${text}`) : `${begun} ${text}`;
}

const LOOKED_AT = 500;
