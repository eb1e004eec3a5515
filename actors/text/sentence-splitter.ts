import { isAbbreviation } from './abbreviations.ts';

/**
 * Cuts a stream of text into pieces that a synthesizer can speak: sentences; for the very first piece a clause, because
 * the user is waiting for it. Nothing is lost: the pieces joined give the text. A cut is made only once the text
 * that follows shows that it is one, so the result does not depend on how the stream was chunked.
 */

export interface SplitterOptions {
  /** ISO 639-1, for numbers with a point ("am 3. Oktober") and the like. */
  readonly language: string | null;
  /** Let the first piece end at a comma. @defaultValue true */
  readonly shortFirst?: boolean;
}

/** Below this a clause is too short to sound natural alone ("Well," costs more in melody than it saves in time). */
const FIRST_CLAUSE_MIN = 24;
/** A piece longer than this is cut at a clause: about 20 s of speech, more than one wants to lose to a cut. */
const LONGEST_PIECE = 300;
/** Where cutting a long piece begins to look for a place. */
const LONG_PIECE_MIN = 120;

const TERMINATOR = /[.!?…。！？｡।॥؟۔።᙮\u2047-\u2049\u203c]/u;
const SENTENCE_DONE = /[.!?…。！？｡।॥؟۔።]["'”’»›)\]}」』】）》*_]*\s*$/u;
/** These end a sentence without a space after them. */
const UNSPACED_TERMINATOR = /[。！？｡]/u;
const CLOSER = /["'”’»›)\]}」』】）》*_]/u;
const CLAUSE = /[,;:，、；：،؛–—]/u;
const ORDINAL_LANGUAGES: ReadonlySet<string> = new Set([
  'de',
  'da',
  'no',
  'fi',
  'cs',
  'sk',
  'hr',
  'sr',
  'bs',
  'sl',
  'et',
  'lv',
  'hu',
  'tr',
  'is',
  'pl',
]);

export class SentenceSplitter {
  #pending = '';
  #first: boolean;
  readonly #language: string | null;

  constructor(options: SplitterOptions) {
    this.#language = options.language;
    this.#first = options.shortFirst ?? true;
  }

  /** @returns the pieces that are certain now, with the spaces that follow them. */
  push(chunk: string): string[] {
    this.#pending += chunk;
    return this.#drain(false);
  }

  /** The stream has paused. Gives out what reads like whole sentences, without waiting for the text that would prove it. */
  settle(): string[] {
    const lastWord = /([^\s("“'‘[*_]*)[.]["'”’)\]]*\s*$/.exec(this.#pending)?.[1];
    if (!SENTENCE_DONE.test(this.#pending) || (lastWord !== undefined && isAbbreviation(lastWord, true))) return [];
    const pieces = this.#drain(true);
    return this.#pending === '' ? pieces : [...pieces, ...this.#rest()];
  }

  end(): string[] {
    const pieces = this.#drain(true);
    return this.#pending === '' ? pieces : [...pieces, ...this.#rest()];
  }

  #rest(): string[] {
    const rest = this.#pending;
    this.#pending = '';
    if (/[\p{L}\p{N}]/u.test(rest)) this.#first = false;
    return [rest];
  }

  #drain(ended: boolean): string[] {
    const pieces: string[] = [];
    for (;;) {
      const cut = this.#findCut(ended);
      if (cut === 0) return pieces;
      const piece = this.#pending.slice(0, cut);
      pieces.push(piece);
      this.#pending = this.#pending.slice(cut);
      if (/[\p{L}\p{N}]/u.test(piece)) this.#first = false;
    }
  }

  /** @returns the length of the next piece, or 0 to wait for more. */
  #findCut(ended: boolean): number {
    const text = this.#pending;
    const start = text.search(/\S/);
    if (start === -1) return 0;
    for (let at = start; at < text.length; at += 1) {
      if (at - start >= LONGEST_PIECE) return longPieceCut(text, start, at);
      const char = text[at] ?? '';
      if (char === '\n') {
        const next = spaceEnd(text, at);
        return next === text.length && !ended ? 0 : next;
      }
      if (TERMINATOR.test(char)) {
        const verdict = this.#sentenceEnd(text, start, at, ended);
        if (verdict.kind === 'wait') return 0;
        if (verdict.kind === 'cut') return verdict.at;
        at = verdict.after - 1;
      } else if (this.#first && CLAUSE.test(char) && at - start >= FIRST_CLAUSE_MIN) {
        const next = text[at + 1];
        if (next === undefined) return 0;
        if (/\s/.test(next) || /[，、；：]/u.test(char)) {
          const after = spaceEnd(text, at + 1);
          return after === text.length && !ended ? 0 : after;
        }
      }
    }
    return 0;
  }

  #sentenceEnd(
    text: string,
    start: number,
    at: number,
    ended: boolean,
  ): { kind: 'wait' } | { kind: 'cut'; at: number } | { kind: 'go'; after: number } {
    let after = at + 1;
    while (after < text.length && TERMINATOR.test(text[after] ?? '')) after += 1;
    const marks = text.slice(at, after);
    while (after < text.length && CLOSER.test(text[after] ?? '')) after += 1;
    if (after === text.length) return ended ? { kind: 'cut', at: after } : { kind: 'wait' };
    const unspaced = UNSPACED_TERMINATOR.test(marks);
    if (!unspaced && !/\s/.test(text[after] ?? '')) return { kind: 'go', after };
    const next = spaceEnd(text, after);
    if (next === text.length && !ended) return { kind: 'wait' };
    const following = text.slice(next, next + 2);
    // Behind a quotation mark it is the letter that tells.
    if (!ended && following.length < 2 && /^["'“‘(\ud800-\udbff]/.test(following)) return { kind: 'wait' };
    if (!unspaced && !this.#reallyEnds(text.slice(start, at), marks, following)) return { kind: 'go', after };
    return { kind: 'cut', at: next };
  }

  /** @param before the sentence without its marks. @param following what comes after the spaces. */
  #reallyEnds(before: string, marks: string, following: string): boolean {
    const continues = /^["'“‘(]?\p{Ll}/u.test(following);
    if (marks === '…' || marks.startsWith('..')) return !continues;
    if (marks !== '.') return true;
    const word = /[^\s("“'‘[*_]*$/.exec(before)?.[0] ?? '';
    if (/^\d{1,3}$/.test(word)) {
      // "1. First": a list's number. "am 3. Oktober": an ordinal. "It costs 5. Then": an end.
      if (before.trim() === word) return false;
      if (this.#language !== null && ORDINAL_LANGUAGES.has(this.#language) && word.length <= 2) return false;
      return !continues;
    }
    return !isAbbreviation(word, continues);
  }
}

function spaceEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at] ?? '')) at += 1;
  return at;
}

function longPieceCut(text: string, start: number, end: number): number {
  const window = text.slice(start + LONG_PIECE_MIN, end);
  for (const pattern of [/[,;:，、；：،؛–—]\s*(?!.*[,;:，、；：،؛–—])/su, /\s+(?!.*\s)/su]) {
    const found = pattern.exec(window);
    if (found !== null) return start + LONG_PIECE_MIN + found.index + found[0].length;
  }
  // No place at all: cut between characters, but never inside a surrogate pair.
  return /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end - 1 : end;
}
