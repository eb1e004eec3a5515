/**
 * Removes blocks that nobody can listen to from a stream of text: fenced code, and tool calls that a model wrote as text
 * instead of calling (`<tool_call>…</tool_call>`, a line that is a JSON object). What is inside is not spoken at all.
 */

type Place = 'text' | 'fence' | 'call' | 'json';

const CALL_OPEN = /^<(tool_call|function_call|tool_calls|function)(?:[=\s][^<>]{0,128})?>/i;
const CALL_NAMES = ['tool_call', 'function_call', 'tool_calls', 'function'];
/** A JSON value longer than this is given up on and spoken: it was not one. */
const LONGEST_JSON = 8192;

export class MarkupStripper {
  #held = '';
  #place: Place = 'text';
  #callName = '';
  #lineStart = true;

  push(chunk: string): string {
    this.#held += chunk;
    return this.#drain(false);
  }

  end(): string {
    return this.#drain(true);
  }

  #drain(ended: boolean): string {
    let out = '';
    while (this.#held !== '') {
      const step =
        this.#place === 'text'
          ? this.#text(ended)
          : this.#place === 'fence'
            ? this.#until('```')
            : this.#place === 'call'
              ? this.#until(`</${this.#callName}>`)
              : this.#json(ended);
      if (step === null) break;
      out += step;
    }
    return out;
  }

  /** Inside a block: drops up to and with its end. An end that may be arriving is kept. */
  #until(end: string): string | null {
    const at = this.#held.toLowerCase().indexOf(end);
    if (at === -1) {
      this.#held = this.#held.slice(-Math.min(this.#held.length, end.length - 1));
      return null;
    }
    this.#held = this.#held.slice(at + end.length);
    this.#place = 'text';
    return '';
  }

  #text(ended: boolean): string | null {
    const at = this.#held.search(/[`<{]/);
    if (at !== 0) return this.#give(at === -1 ? this.#held.length : at);
    if (this.#held.startsWith('```')) return this.#enter('fence', 3);
    if (!ended && '```'.startsWith(this.#held)) return null;
    const call = CALL_OPEN.exec(this.#held);
    if (call !== null) {
      this.#callName = (call[1] ?? '').toLowerCase();
      return this.#enter('call', call[0].length);
    }
    if (!ended && mayOpenCall(this.#held)) return null;
    if (this.#held.startsWith('{') && this.#lineStart) {
      // An object that begins with a key; "{name}" alone stays text.
      if (/^\{\s*"/.test(this.#held)) {
        this.#place = 'json';
        return '';
      }
      if (!ended && /^\{\s*$/.test(this.#held)) return null;
    }
    return this.#give(1);
  }

  #json(ended: boolean): string | null {
    const length = objectLength(this.#held);
    if (length === null && !ended && this.#held.length <= LONGEST_JSON) return null;
    this.#place = 'text';
    if (length === null) return ended ? this.#drop(this.#held.length) : this.#give(1);
    return this.#drop(length);
  }

  #enter(place: Place, length: number): string {
    this.#place = place;
    return this.#drop(length);
  }

  #drop(length: number): string {
    this.#held = this.#held.slice(length);
    return '';
  }

  #give(length: number): string {
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    const line = text.slice(text.lastIndexOf('\n') + 1);
    this.#lineStart = text.includes('\n') ? line.trim() === '' : this.#lineStart && line.trim() === '';
    return text;
  }
}

function mayOpenCall(held: string): boolean {
  if (!held.startsWith('<') || held.length > 160 || held.includes('>')) return false;
  const name = /^<([a-z_]*)/i.exec(held)?.[1]?.toLowerCase() ?? '';
  return held.length === name.length + 1
    ? CALL_NAMES.some((known) => known.startsWith(name))
    : CALL_NAMES.includes(name);
}

/** Length of the JSON object that the text begins with, or null while it is not closed. */
function objectLength(text: string): number | null {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (quoted) {
      if (char === '\\') at += 1;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}
