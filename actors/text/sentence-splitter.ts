import { isAbbreviation } from './abbreviations.ts';
import { guessLanguage } from './guess-language.ts';

/**
 * Cuts a stream of text into pieces that a synthesizer can speak: sentences; for the very first piece a clause, because
 * the user is waiting for it. Nothing is lost: the joined pieces are the text. A cut is made only once the text that
 * follows shows that it is one, so the result does not depend on how the stream was chunked.
 */

export interface SplitterOptions {
  /** ISO 639-1, for numbers with a point ("am 3. Oktober") and the like. Null: guessed from each sentence. */
  readonly language: string | null;
  /** Let the first piece end at a comma. @defaultValue true */
  readonly shortFirst?: boolean;
}

/** A shorter clause does not sound natural alone ("Well," loses more in melody than it saves in time). */
const FIRST_CLAUSE_MIN = 24;
/** A piece longer than this is cut at a clause: about 20 s of speech, more than one wants to lose to a cut. */
const MAX_PIECE = 300;
/** Where cutting a long piece begins to look for a place. */
const LONG_PIECE_MIN = 120;

/**
 * Longest run of spaces, or of marks, that is examined as a whole. Nobody writes a longer one. A model that never stops
 * writing them must not be read from the beginning with each token.
 */
const MAX_RUN = 64;

/** Enough of a sentence to guess its language. */
const MAX_SAMPLE_LENGTH = 120;

const TERMINATORS = '.!?…。！？｡।॥؟۔።᙮\\u2047-\\u2049\\u203c';
const CLAUSE_ENDS = ',;:，、；：،؛–—';
const TERMINATOR = new RegExp(`[${TERMINATORS}]`, 'u');
const SENTENCE_DONE = /[.!?…。！？｡।॥؟۔።]["'”’»›)\]}」』】）》*_]*\s*$/u;
/** "3." may become "3.5". */
const HALF_NUMBER = /\d\.$/u;
/** These end a sentence without a space after them. */
const UNSPACED_TERMINATOR = /[。！？｡]/u;
const CLOSER = /["'”’»›)\]}」』】）》*_]/u;
const SPACE = /\s/u;
/** Up to the last space, or the last sign of a script without spaces. */
const WHOLE_WORDS = /^[\s\S]*[\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/** The semicolon of `&amp;` ends no clause. */
const ENTITY = /&#?[a-z\d]{1,8}$/i;
const MAX_ENTITY_LENGTH = 10;
/** Where a piece may end. */
const STOP = new RegExp(`[\\n${TERMINATORS}${CLAUSE_ENDS}]`, 'gu');
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
  /** The length that is known to hold no cut. */
  #scanned = 0;
  #first: boolean;
  readonly #language: string | null;
  /** The last guess, for sentences that tell nothing. */
  #guessed: string | null = null;

  constructor(options: SplitterOptions) {
    this.#language = options.language;
    this.#first = options.shortFirst ?? true;
  }

  /** @returns the pieces that are certain now, with the spaces that follow them. */
  push(chunk: string): string[] {
    this.#pending += chunk;
    return this.#drain(false);
  }

  /**
   * The stream has paused. Returns what reads like whole sentences, without waiting for the text that would prove it.
   * @param isCut the stream was cut off, anywhere: a number at its end may be half of one.
   */
  settle(isCut = false): string[] {
    const lastWord = /([^\s("“'‘[*_]*)[.]["'”’)\]]*\s*$/.exec(this.#pending)?.[1];
    if (!SENTENCE_DONE.test(this.#pending) || (lastWord !== undefined && isAbbreviation(lastWord, true))) return [];
    if (isCut && HALF_NUMBER.test(this.#pending)) return [];
    const pieces = this.#drain(true);
    return this.#pending === '' ? pieces : [...pieces, ...this.#rest()];
  }

  /** @returns all whole words, for a voice that says them meanwhile. */
  words(): string[] {
    const pieces = this.#drain(false);
    const whole = WHOLE_WORDS.exec(this.#pending)?.[0] ?? '';
    this.#pending = this.#pending.slice(whole.length);
    this.#scanned = 0;
    return whole.trim() === '' ? pieces : [...pieces, whole];
  }

  end(): string[] {
    const pieces = this.#drain(true);
    return this.#pending === '' ? pieces : [...pieces, ...this.#rest()];
  }

  #rest(): string[] {
    const rest = this.#pending;
    this.#pending = '';
    this.#scanned = 0;
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
      this.#scanned = 0;
      if (/[\p{L}\p{N}]/u.test(piece)) this.#first = false;
    }
  }

  /** @returns the length of the next piece, or 0 to wait for more. */
  #findCut(ended: boolean): number {
    const text = this.#pending;
    const firstWord = text.search(/\S/u);
    const start = firstWord === -1 ? text.length : firstWord;
    if (start >= MAX_RUN) return MAX_RUN;
    for (let from = Math.max(start, this.#scanned); ;) {
      const longest = Math.max(from, start + MAX_PIECE);
      const at = nextStop(text, from);
      if (at >= longest && text.length > longest) return longPieceCut(text, start, longest);
      const verdict = at === text.length ? WAIT : this.#judge(text, start, at, ended);
      if (verdict.kind === 'cut') return verdict.at;
      if (verdict.kind === 'wait') {
        this.#scanned = at;
        return 0;
      }
      from = verdict.after;
    }
  }

  /** @param at the offset of a stop. */
  #judge(text: string, start: number, at: number, ended: boolean): Verdict {
    const char = text[at] ?? '';
    if (char === '\n') return cutBehindSpaces(text, at, ended);
    if (TERMINATOR.test(char)) return this.#sentenceEnd(text, start, at, ended);
    // The end of a clause.
    const isReference = char === ';' && ENTITY.test(text.slice(Math.max(start, at - MAX_ENTITY_LENGTH), at));
    if (!this.#first || at - start < FIRST_CLAUSE_MIN || isReference) return { kind: 'go', after: at + 1 };
    const next = text[at + 1];
    if (next === undefined) return WAIT;
    return SPACE.test(next) || /[，、；：]/u.test(char)
      ? cutBehindSpaces(text, at + 1, ended)
      : { kind: 'go', after: at + 1 };
  }

  #sentenceEnd(text: string, start: number, at: number, ended: boolean): Verdict {
    const marksEnd = runEnd(text, at + 1, TERMINATOR);
    const marks = text.slice(at, marksEnd);
    const after = runEnd(text, marksEnd, CLOSER);
    if (after === text.length) return ended ? { kind: 'cut', at: after } : WAIT;
    const unspaced = UNSPACED_TERMINATOR.test(marks);
    if (!unspaced && !SPACE.test(text[after] ?? '')) return { kind: 'go', after };
    const behind = cutBehindSpaces(text, after, ended);
    if (behind.kind === 'wait' || behind.at - after >= MAX_RUN) return behind;
    const following = text.slice(behind.at, behind.at + 2);
    // After a quotation mark, the letter before it decides.
    if (!ended && following.length < 2 && /^["'“‘(\ud800-\udbff]/.test(following)) return WAIT;
    return unspaced || this.#reallyEnds(text.slice(start, at), marks, following) ? behind : { kind: 'go', after };
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
      if (word.length <= 2 && ORDINAL_LANGUAGES.has(this.#languageOf(before))) return false;
      return !continues;
    }
    return !isAbbreviation(word, continues);
  }

  #languageOf(sentence: string): string {
    if (this.#language !== null) return this.#language;
    this.#guessed = guessLanguage(sentence.slice(0, MAX_SAMPLE_LENGTH)) ?? this.#guessed;
    return this.#guessed ?? '';
  }
}

type Verdict = typeof WAIT | Cut | { readonly kind: 'go'; readonly after: number };
interface Cut {
  readonly kind: 'cut';
  readonly at: number;
}
const WAIT = { kind: 'wait' } as const;

/** Offset of the next stop; the whole length when there is none. */
function nextStop(text: string, from: number): number {
  STOP.lastIndex = from;
  return STOP.exec(text)?.index ?? text.length;
}

/** The spaces after a piece belong to it. While more of them may come, it waits. */
function cutBehindSpaces(text: string, from: number, ended: boolean): typeof WAIT | Cut {
  const end = runEnd(text, from, SPACE);
  return end === text.length && end - from < MAX_RUN && !ended ? WAIT : { kind: 'cut', at: end };
}

function runEnd(text: string, from: number, member: RegExp): number {
  const most = Math.min(text.length, from + MAX_RUN);
  let at = from;
  while (at < most && member.test(text[at] ?? '')) at += 1;
  return at;
}

function longPieceCut(text: string, start: number, end: number): number {
  const window = text.slice(start + LONG_PIECE_MIN, end);
  for (const pattern of [/[,;:，、；：،؛–—]\s*(?!.*[,;:，、；：،؛–—])/su, /\s+(?!.*\s)/su]) {
    const found = pattern.exec(window);
    if (found !== null) return start + LONG_PIECE_MIN + found.index + found[0].length;
  }
  // No good place: cut between characters, but never inside a surrogate pair.
  return /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end - 1 : end;
}
