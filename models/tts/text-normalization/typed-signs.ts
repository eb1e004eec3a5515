/**
 * What typography has made of blanks and hyphens, as people type them: models write "555‑0134" with a hyphen that does not
 * break, and "5 km" with a narrow blank. Each character stays one, so that places stay where they are. Blanks between the
 * thousands of a number are kept: they say that it is one.
 */
export function asTyped(text: string): string {
  if (!TYPOGRAPHIC.test(text)) return text;
  return text
    .replaceAll(/[\u2010\u2011]/g, '-')
    .replaceAll(/[\u2080-\u2089]/g, (digit) => String(digit.charCodeAt(0) - 0x2080))
    .replaceAll(/[\u00a0\u2005-\u200a]/g, GROUP)
    .replaceAll(/(?<!\d)\u202f|\u202f(?!\d{3}(?!\d))/g, ' ')
    .replaceAll(TELEPHONE, (number) => number.replaceAll(GROUP, ' '));
}

const TYPOGRAPHIC = /[\u00a0\u2005-\u200a\u2010\u2011\u202f\u2080-\u2089]/;
/** Of French thousands. */
const GROUP = '\u202f';
/** International, with an area code that begins with 0, and the North American form: no thousands. */
const TELEPHONE =
  /(?<!\d)(?:\+\d{1,3}[\d\u202f ().-]{5,22}\d|0\d{1,4}[\u202f ]\d[\d\u202f .-]{4,16}\d|\d{3}[\u202f ]\d{3}-\d{4})(?!\d)/g;
