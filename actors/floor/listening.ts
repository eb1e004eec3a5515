import { allWords } from '../language/lexicon.ts';
import { isBackchannel } from '../text/backchannel.ts';

/** Whether words over the persona's voice only show that somebody listens, or tell it to stop. */

const COMMANDS = allWords('commands');
const OBJECTIONS = allWords('objections');

export function isCommand(words: readonly string[]): boolean {
  return words.some((word) => COMMANDS.has(word) || (words.length > 1 && OBJECTIONS.has(word)));
}

/** What may stand beside a command without making another sentence of it: "stop it, please". */
const BESIDE = new Set([...allWords('weakWords'), ...allWords('politeWords')].flatMap((phrase) => phrase.split(' ')));

/** A command and nothing else: "stop, please", not "wait for me outside". */
export function isBareCommand(words: readonly string[]): boolean {
  return isCommand(words) && words.every((word) => COMMANDS.has(word) || OBJECTIONS.has(word) || BESIDE.has(word));
}

/**
 * Many words of listening in one language are the opposite in another: Polish "no" is a yes. So a language that is not
 * known counts as English first. Then commands count, and only then what is a sign of listening anywhere.
 */
export function isSignOfListening(text: string, words: readonly string[], language: string | null): boolean {
  if (language !== null) return isBackchannel(text, { language });
  return isBackchannel(text, { language: 'en' }) || (!isCommand(words) && isBackchannel(text));
}
