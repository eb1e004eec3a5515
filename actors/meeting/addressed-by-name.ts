import type { MeetingConfig } from '../session-config.ts';
import { plainWords } from '../text/words.ts';
import { misheardBy } from './phonetic-match.ts';

/**
 * In a group the persona answers only when somebody says its name. The first name is enough, unless somebody else there
 * has the same one. Recognizers misspell names, so a word that sounds like the name counts too, unless it sounds more
 * like the name of somebody else.
 */

/** Added to the name that others see. It distinguishes the persona from somebody of the same name. */
const DISPLAY_SUFFIX = /\s*\([Aa][Ii]\)\s*$|(?<=\p{Ll})AI$/u;
/** As recognizers write "AI". */
const SPOKEN_SUFFIX = /^(?:ai|a\.i|a i|ay|eye)$/;
/** Before a name, and no name. */
const TITLES: ReadonlySet<string> = new Set(
  'dr doctor prof professor mr mrs ms miss herr frau mme madame monsieur senor senora the der die das le la el il'.split(
    ' ',
  ),
);

/**
 * @param displayName with or without its "(AI)". @param others the names of the other participants.
 * @returns whether the text says the persona's name.
 */
export function isAddressed(text: string, displayName: string, others: readonly string[] = []): boolean {
  const name = nameWords(displayName.replace(DISPLAY_SUFFIX, ''));
  if (name.length === 0) return false;
  const rivals = others.map(nameWords);
  const said = saidWords(text);
  return said.some((_, at) => isName(said.slice(at), name, rivals));
}

/** @returns whether the text begins or ends with the first name of one of these people, just as they write it. */
export function isSaidTo(text: string, names: readonly string[]): boolean {
  const said = saidWords(text);
  // "Okay thanks Bob", "so Bob what do you think": one word or two may come before.
  const places = [...said.slice(0, 3), ...said.slice(-1)];
  return names.some((name) => places.includes(nameWords(name)[0] ?? ''));
}

/** @returns how the persona may be called in writing; none outside of meetings. */
export function ownNames(meeting: MeetingConfig | null): readonly string[] {
  if (meeting === null) return [];
  const name = meeting.displayName.replace(DISPLAY_SUFFIX, '').trim();
  return [meeting.displayName, name, name.split(' ')[0] ?? ''];
}

/** @param said the words from here on. */
function isName(said: readonly string[], name: readonly string[], rivals: readonly (readonly string[])[]): boolean {
  const [word = '', next = ''] = said;
  const [first = '', second] = name;
  const whole = name.join('');
  // One word of the name may be heard as two: "Alex ander".
  if (name.length > 1 ? isWhole(said, name) : next !== '' && misheardBy(word + next, whole) !== null) return true;
  const errors = misheardBy(word, first);
  if (errors === null) return misheardBy(word + next, whole) === 0;
  const isTheirs = rivals.some((rival) => {
    const theirs = misheardBy(word, rival[0] ?? '');
    return theirs !== null && theirs <= errors;
  });
  if (!isTheirs) return true;
  return second === undefined && (SPOKEN_SUFFIX.test(next) || SPOKEN_SUFFIX.test(`${next} ${said[2] ?? ''}`));
}

function isWhole(said: readonly string[], name: readonly string[]): boolean {
  return name.every((word, at) => misheardBy(said[at] ?? '', word) !== null);
}

function nameWords(name: string): readonly string[] {
  const words = plainWords(name);
  const named = words.filter((word) => !TITLES.has(word));
  return named.length === 0 ? words : named;
}

function saidWords(text: string): readonly string[] {
  return plainWords(text).map((word) => word.replace(/'s$/, ''));
}
