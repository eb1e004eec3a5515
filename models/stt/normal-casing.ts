/**
 * Turns a recognizer's capitals into normal casing: a capital at the beginning, the English "I", else small letters.
 * Names stay small, because nothing marks them.
 * @param language ISO 639-1.
 */
export function normalCasing(text: string, language: string): string {
  const small = text.toLocaleLowerCase(language);
  const withI = language === 'en' ? small.replace(/\bi(?=$|[\s']|[.,!?])/gu, 'I') : small;
  return withI.replace(/^\s*\p{L}/u, (first) => first.toLocaleUpperCase(language));
}
