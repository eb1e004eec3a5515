/**
 * What models put around a call that they write as text: tags of their own (`<action>`), code (`print(…)`, backticks),
 * or words ("Tool call:"). It belongs to the call, and was spoken without it.
 */

const CALLS = ['tool call', 'tool calls', 'tool_call', 'tool use', 'function call', 'function_call', 'call'];
const CALLING = ['calling tool', 'calling function', 'calling the tool', 'calling the function'];
const LABELS = [...CALLS, ...CALLING, 'tool', 'function', 'action'].map((label) => `${label}:`);
const CODE: readonly string[] = ['await ', 'print(', 'default_api.', 'functions.', 'tools.'];
const WORDS = [...LABELS, ...CODE];

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
/** @returns the pattern of each beginning of a word. */
const begun = (word: string): string =>
  Array.from(word).reduceRight((rest, letter) => escaped(letter) + (rest === '' ? '' : `(?:${rest})?`), '');

/** Words are of a call where something begins: in a sentence, each "to" would wait for its "ol". */
const AT_START = String.raw`(?<=(?:^|[\n.!?:,>\x60([*])\s{0,4})`;
const OPENINGS = [
  String.raw`(?<tag><[\w:|.-]{1,40}>)`,
  '(?<tick>`{1,3}(?:[a-z_]{1,12}\\n)?)',
  String.raw`(?<round>\(|${AT_START}print\()`,
  String.raw`(?<square>\[)`,
  String.raw`(?<star>\*{1,2})`,
  `${AT_START}(?:${WORDS.map(escaped).join('|')})`,
].join('|');
const OPENING = new RegExp(`(?:${OPENINGS})\\s{0,4}`, 'giu');
const UNNAMED = OPENINGS.replaceAll(/\?<[a-z]+>/g, '?:');
const MAX_OPENINGS = 6;
const WRAPPING = new RegExp(`(?:(?:${UNNAMED})\\s{0,4}){1,${MAX_OPENINGS}}$`, 'iu');
const MAYBE_WRAPPING = new RegExp(
  `(?:(?:${UNNAMED})\\s{0,4}){0,${MAX_OPENINGS}}` +
    `(?:<[\\w:|.-]{0,40}|\`{1,3}[a-z_]{0,12}|${AT_START}(?:${WORDS.map(begun).join('|')}))?$`,
  'iu',
);
/** Longest text that is looked at. */
const MAX_LENGTH = 256;

/** @returns how much of the end of a text is wrapping of a call that follows it. */
export function wrappingBefore(text: string): number {
  return WRAPPING.exec(text.slice(-MAX_LENGTH))?.[0].length ?? 0;
}

/** @param before what came before the text. @returns how much of the text cannot become the wrapping of a call. */
export function lengthWithoutWrapping(text: string, before: string): number {
  const tail = (before + text).slice(-MAX_LENGTH);
  const left = tail.length - (MAYBE_WRAPPING.exec(tail)?.index ?? tail.length);
  return Math.max(0, text.length - left);
}

type Kind = 'tag' | 'tick' | 'round' | 'square' | 'star';
/** The end of each kind, and what may become it. */
const ENDS: Readonly<Record<Kind, readonly [whole: RegExp, begun: RegExp]>> = {
  tag: [/^\s*<[/|][\w:|./-]{1,40}>/, /^\s*(?:<(?:[/|][\w:|./-]{0,40})?)?$/],
  tick: [/^\s*`{1,3}/, /^\s*`{0,2}$/],
  round: [/^\s*\)/, /^\s*$/],
  square: [/^\s*\]/, /^\s*$/],
  star: [/^\s*\*{1,2}/, /^\s*\*?$/],
};

/** The ends of a wrapping, which come behind its call. */
export class WrappingEnds {
  readonly #kinds: Kind[];

  /** @param wrapping as it stood before the call. */
  constructor(wrapping = '') {
    const openings = [...wrapping.matchAll(OPENING)].map(({ groups }) => Object.entries(groups ?? {}));
    this.#kinds = openings.flatMap((named) =>
      named.flatMap(([kind, text]) => (text === undefined ? [] : (kind as Kind))),
    );
  }

  /** @param text behind the call. @returns it without the ends; null while one may be coming. */
  without(text: string, isEnd: boolean): string | null {
    let rest = text;
    for (const kind of this.#kinds.toReversed()) {
      const [whole, begins] = ENDS[kind];
      if (!isEnd && begins.test(rest)) return null;
      const end = whole.exec(rest);
      if (end === null) break;
      rest = rest.slice(end[0].length);
    }
    this.#kinds.length = 0;
    return rest;
  }
}
