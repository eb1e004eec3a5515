import type { TimedUnit } from '../../ports.ts';
import { spellingRules, type SpellingRules } from './spelling-rules.ts';

/** The longest letters of a rule ("eigh", "tion"). */
const MAX_RULE_LENGTH = 4;
/** "name", "named", "names": the "e" is silent and changes the vowel before it. */
const SILENT_E = /^[aeiou][bcdfgklmnpstvz]e[sd]?$/u;

/**
 * Phonemes from the letters of a text and their times, for a voice that tells no phonemes. Right enough for a mouth:
 * closed lips, open and rounded vowels are where they are heard. Silent letters lengthen the sound before them.
 * @param characters of one or more words, in order, with the marks and spaces between them: these are silence.
 * @param language ISO 639-1. @returns null where the language's spelling is not known.
 */
export function lettersToArpabet(characters: readonly TimedUnit[], language: string): TimedUnit[] | null {
  const rules = spellingRules(language);
  if (rules === null) return null;
  const phonemes: TimedUnit[] = [];
  for (let at = 0; at < characters.length;) {
    const from = at;
    const isLetter = isWordCharacter(characters[at]);
    while (at < characters.length && isWordCharacter(characters[at]) === isLetter) at += 1;
    const run = characters.slice(from, at);
    phonemes.push(...(isLetter ? word(run, rules) : pause(run)));
  }
  return phonemes.filter(({ startMs, endMs }) => endMs > startMs);
}

function isWordCharacter(character: TimedUnit | undefined): boolean {
  return character !== undefined && /[\p{L}\p{M}\p{N}'’]/u.test(character.text);
}

function pause(run: readonly TimedUnit[]): TimedUnit[] {
  return [{ text: 'pau', startMs: run[0]?.startMs ?? 0, endMs: run.at(-1)?.endMs ?? 0 }];
}

function word(run: readonly TimedUnit[], rules: SpellingRules): TimedUnit[] {
  const letters = run.map(({ text }) => text.toLowerCase());
  const phonemes: TimedUnit[] = [];
  for (let at = 0; at < letters.length;) {
    const { length, sounds } = soundsAt(letters, at, rules);
    const startMs = run[at]?.startMs ?? 0;
    const endMs = run[at + length - 1]?.endMs ?? startMs;
    const before = phonemes.at(-1);
    if (sounds.length === 0 && before !== undefined) phonemes[phonemes.length - 1] = { ...before, endMs };
    const each = (endMs - startMs) / sounds.length;
    sounds.forEach((text, index) =>
      phonemes.push({ text, startMs: startMs + index * each, endMs: startMs + (index + 1) * each }),
    );
    at += length;
  }
  return phonemes;
}

/** @returns how many letters are said together, and their sounds. */
function soundsAt(
  letters: readonly string[],
  at: number,
  rules: SpellingRules,
): { length: number; sounds: readonly string[] } {
  const letter = letters[at] ?? '';
  if (SILENT_E.test(letters.slice(at).join(''))) {
    const sounds = rules.get(`${letter}_e`);
    if (sounds !== undefined) return { length: 1, sounds };
  }
  for (let length = Math.min(MAX_RULE_LENGTH, letters.length - at); length > 0; length -= 1) {
    const piece = letters.slice(at, at + length).join('');
    const sounds = placesOf(piece, at === 0, at + length === letters.length)
      .map((key) => rules.get(key))
      .find((found) => found !== undefined);
    if (sounds !== undefined) return { length, sounds };
    // "tt", "ll": one sound, unless a rule says more.
    if (length === 2 && piece[0] === piece[1] && rules.has(letter)) return { length, sounds: rules.get(letter) ?? [] };
  }
  const bare = letter.normalize('NFD').replaceAll(/\p{M}/gu, '');
  // A mark or an apostrophe is no sound; a letter outside of the rules is one, whichever.
  return { length: 1, sounds: rules.get(bare) ?? (/\p{L}|\p{N}/u.test(letter) ? ['ax'] : []) };
}

/** @returns the keys under which rules can have the letters, the most special first. */
function placesOf(piece: string, isStart: boolean, isEnd: boolean): string[] {
  return [
    ...(isStart && isEnd ? [`^${piece}$`] : []),
    ...(isStart ? [`^${piece}`] : []),
    ...(isEnd ? [`${piece}$`] : []),
    piece,
  ];
}
