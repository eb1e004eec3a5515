/**
 * A recognizer of whole utterances decodes a growing utterance again and again (LocalAgreement). The end of each
 * reading is a guess, because the last word is cut in the middle. Words on which two readings agree are kept.
 */

/** @returns the beginning of the newer reading, as far as the older one has the same words. */
export function agreedWords(older: string, newer: string): string {
  const before = words(older);
  const now = words(newer);
  let same = 0;
  while (same < now.length && plain(now[same] ?? '') === plain(before[same] ?? '')) same += 1;
  return now.slice(0, same).join(' ');
}

/** Words that two readings share are likely right, but not certain: the same model made both. */
const LIKELY = 0.75;

/**
 * Confidence of a reading, for models that report none.
 * @param before a reading of the beginning of the same sound. @returns 0…0.75; null: there is nothing to compare.
 */
export function confidenceOf(before: string, reading: string): number | null {
  // The last word of the beginning was cut.
  const beginning = words(before).slice(0, -1);
  if (beginning.length === 0) return null;
  return (LIKELY * words(agreedWords(beginning.join(' '), reading)).length) / beginning.length;
}

/** @returns whether the text says at least as much as the other: what was shown does not become shorter. */
export function isAsLong(text: string, other: string): boolean {
  return words(text).length >= words(other).length;
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** Punctuation and capitals change from reading to reading. */
function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[^\p{L}\p{N}']/gu, '');
}
