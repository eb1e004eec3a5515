/**
 * Writes what a recognizer gives in capitals as people write it: small letters, a capital at the beginning, and the
 * English "I". Names stay small: nothing tells them.
 * @param language ISO 639-1.
 */
export function normalCasing(text: string, language: string): string {
  const small = text.toLocaleLowerCase(language);
  const withI = language === 'en' ? small.replace(/\bi(?=$|[\s']|[.,!?])/gu, 'I') : small;
  return withI.replace(/^\s*\p{L}/u, (first) => first.toLocaleUpperCase(language));
}
