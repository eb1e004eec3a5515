const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Digits as superscript: 10² is not 102. What is no number stays as it is. */
export function superscript(text: string): string {
  return /^-?\d{1,4}$/.test(text.trim())
    ? text
        .trim()
        .replaceAll(/\d/g, (digit) => RAISED[Number(digit)]!)
        .replace('-', '⁻')
    : text;
}
