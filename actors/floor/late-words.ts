import { plainWords } from '../text/words.ts';
import { WEAK_WORDS } from './interruption.ts';

/** Say nothing new where an answer is being given already. Plain words. */
const POLITE: ReadonlySet<string> = new Set(['please', 'thanks', 'thank', 'you', 'bitte', 'danke', 'merci', 'gracias']);
/** One such word turns a sentence around. */
const TURNS_IT_AROUND = /^(?:not|no|never|nicht|kein|keine|pas|non|nunca)$|n't$|\d/;

/**
 * Words came after the turn was decided without them, and its answer is being heard. A word that was only misheard is no
 * reason to stop: it is mended in the history. A longer sentence than the one that is answered is, and so is a "not" or
 * a number.
 *
 * @param decidedOn the words that are answered. @param whole what was said.
 */
export function changesMeaning(decidedOn: string, whole: string, language: string | null): boolean {
  const before = plainWords(decidedOn, language);
  const after = plainWords(whole, language);
  const added = without(after, before);
  const removed = without(before, after);
  if ([...added, ...removed].some((word) => TURNS_IT_AROUND.test(word))) return true;
  return saying(added) > saying(removed) || saying(added) > 1;
}

function saying(words: readonly string[]): number {
  return words.filter((word) => !WEAK_WORDS.has(word) && !POLITE.has(word)).length;
}

/** @returns the words of the first list that the second one does not have, as often as they are missing. */
function without(words: readonly string[], others: readonly string[]): readonly string[] {
  const rest = [...others];
  return words.filter((word) => {
    const at = rest.indexOf(word);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
}
