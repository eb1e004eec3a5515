import { isBackchannel } from '../text/backchannel.ts';

/** Whether words over the persona's voice only show that somebody listens, or tell it to stop. */

/** One of these alone is enough, however short: nobody says them to be polite. */
const COMMANDS: ReadonlySet<string> = new Set([
  'stop',
  'wait',
  'no',
  'nope',
  'nah',
  'quiet',
  'enough',
  'cancel',
  'hold',
  'pause',
  'hey',
  'excuse',
  'sorry',
  'question',
  'halt',
  'warte',
  'moment',
  'nein',
  'stopp',
  'arrete',
  'arretez',
  'attends',
  'attendez',
  'non',
  'para',
  'espera',
  'espere',
  'aspetta',
  'ferma',
  'basta',
  'pare',
  'nao',
  'wacht',
  'nee',
]);

/** With other words they are commands: "yeah but". Alone they are not: "uh-huh" is heard as "but". */
const OBJECTIONS: ReadonlySet<string> = new Set(['but', 'actually', 'aber', 'mais', 'pero', 'ma']);

export function isCommand(words: readonly string[]): boolean {
  return words.some((word) => COMMANDS.has(word) || (words.length > 1 && OBJECTIONS.has(word)));
}

/**
 * Many words of listening in one language are the opposite in another: Polish "no" is a yes. So a language that is not
 * known counts as English first. Then commands count, and only then what is a sign of listening anywhere.
 */
export function isSignOfListening(text: string, words: readonly string[], language: string | null): boolean {
  if (language !== null) return isBackchannel(text, { language });
  return isBackchannel(text, { language: 'en' }) || (!isCommand(words) && isBackchannel(text));
}
