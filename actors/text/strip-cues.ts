import { isDirectorTag, type DirectorTag } from '../director-cues/director-tags.ts';
import { isBracketedDirection } from './stage-directions.ts';

/**
 * Takes inline director cues (`[happy] Hello!`) and stage directions (`[laughs softly]`) out of the text. Known cues
 * come back as points in the text; other bracketed words that nobody would say aloud are dropped; what looks like
 * ordinary text in brackets stays ("press [enter] to go on"). Works on a stream: an open bracket is held until it is
 * clear what it is.
 */

export type CuePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'cue'; readonly tag: DirectorTag };

/** Bytes of a cue tag at most (data channel contract); a longer bracket is ordinary text. */
const MAX_TAG_LENGTH = 64;
/** One to three words before a sentence: a direction to an actor, not something to read out. */
const FEW_WORDS = /^[\p{Ll}\p{Lo}'_-]+(?: [\p{Ll}\p{Lo}'_-]+){0,2}$/u;
/** What the bracket stands behind, if it stands before a sentence or after one. */
const BETWEEN_SENTENCES = /[.!?…。！？\n]/u;
/** `[1]`, `[2, 3]`: references. They count from 1: `[0, 1]` is an interval. */
const REFERENCE = /^\^?[1-9]\d{0,2}(?:\s?[,–-]\s?[1-9]\d{0,2}){0,5}$/;

export class CueStripper {
  #held = '';
  /** The last character given out, to join the words around a removed bracket with one space. */
  #last = '';
  /** The last one that is no space: what a bracket stands behind. */
  #lastMark = '';
  #removed = false;

  push(chunk: string): CuePart[] {
    this.#held += chunk;
    return this.#drain(false);
  }

  end(): CuePart[] {
    return this.#drain(true);
  }

  #drain(ended: boolean): CuePart[] {
    const parts: CuePart[] = [];
    while (this.#held !== '') {
      const at = this.#held.indexOf('[');
      if (at !== 0) {
        const until = at === -1 ? this.#held.length : at;
        this.#give(this.#held.slice(0, until), parts);
        this.#held = this.#held.slice(until);
        continue;
      }
      const close = this.#held.slice(0, MAX_TAG_LENGTH + 2).indexOf(']');
      if (close === -1) {
        if (!ended && this.#held.length <= MAX_TAG_LENGTH + 1 && !this.#held.slice(1).includes('[')) break;
        this.#give('[', parts);
        this.#held = this.#held.slice(1);
        continue;
      }
      // `[text](address)` is a link and stays: one more character tells.
      if (!ended && close === this.#held.length - 1) break;
      this.#takeBracket(close, parts);
    }
    return joined(parts);
  }

  #takeBracket(close: number, parts: CuePart[]): void {
    const inside = this.#held.slice(1, close);
    const tag = inside.trim().toLowerCase();
    const isLink = this.#held[close + 1] === '(';
    if (inside.length > MAX_TAG_LENGTH || inside.includes('[') || isLink || !this.#isRemovable(tag)) {
      this.#give('[', parts);
      this.#held = this.#held.slice(1);
      return;
    }
    if (isDirectorTag(tag)) parts.push({ kind: 'cue', tag });
    this.#removed = true;
    this.#held = this.#held.slice(close + 1);
  }

  #isRemovable(tag: string): boolean {
    if (isDirectorTag(tag) || REFERENCE.test(tag) || isBracketedDirection(tag)) return true;
    // The box of a list of tasks.
    if (tag === 'x') return /[-*+]/.test(this.#lastMark);
    return FEW_WORDS.test(tag) && (this.#lastMark === '' || BETWEEN_SENTENCES.test(this.#lastMark));
  }

  #give(text: string, parts: CuePart[]): void {
    let rest = text;
    if (this.#removed) {
      if (this.#last === '' || /\s/.test(this.#last)) rest = rest.replace(/^ /, '');
      if (rest === '' && text !== '') {
        this.#removed = false;
        return;
      }
      this.#removed = false;
    }
    if (rest === '') return;
    this.#last = rest.at(-1) ?? '';
    this.#lastMark = /[^ \t](?=[ \t]*$)/.exec(rest)?.[0] ?? this.#lastMark;
    parts.push({ kind: 'text', text: rest });
  }
}

function joined(parts: readonly CuePart[]): CuePart[] {
  const result: CuePart[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (part.kind === 'text' && last?.kind === 'text')
      result[result.length - 1] = { kind: 'text', text: last.text + part.text };
    else result.push(part);
  }
  return result;
}
