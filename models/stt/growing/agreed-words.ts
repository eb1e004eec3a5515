/**
 * A recognizer of whole utterances reads a growing one again and again. The end of each reading is a guess: the last word
 * is cut in the middle. Words on which two readings agree are kept.
 */

/** @returns the beginning of the newer reading, as far as the older one has the same words. */
export function agreedWords(older: string, newer: string): string {
  const before = words(older);
  const now = words(newer);
  let same = 0;
  while (same < now.length && plain(now[same] ?? '') === plain(before[same] ?? '')) same += 1;
  return now.slice(0, same).join(' ');
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
