/** @returns a pasted text without the blanks and the pair of quotation marks around it. */
export const withoutQuotes = (text: string): string =>
  text
    .trim()
    .replace(/^(["'])(.*)\1$/s, '$2')
    .trim();
