/**
 * Removes blocks that nobody can listen to from a stream of text: fenced code, and tool calls that a model wrote as
 * text instead of calling (`<tool_call>…</tool_call>`), JSON objects, alone or in a list, and what is done or was answered
 * beside the words (`<action>waves</action>`). Their content is not spoken.
 */

type Place = 'text' | 'fence' | 'call' | 'json';

const CALL_OPEN = /^<(tool_call|function_call|tool_calls|function)(?:[=\s][^<>]{0,128})?>/i;
const CALL_NAMES = ['tool_call', 'function_call', 'tool_calls', 'function'];
/** Short, and closed: of one that is not, the rest of the answer would be lost. */
const ASIDES = ['action', 'gesture', 'emotion', 'stage_direction', 'observation', 'tool_result', 'function_results'];
const ASIDE = new RegExp(`^<(${ASIDES.join('|')})>[^<>]{0,400}</\\1>`, 'i');
const MAYBE_ASIDE = /^<([a-z_]+)>[^<>]{0,400}(?:<(?:\/[a-z_]*)?)?$/i;
/** A longer JSON value is given up and spoken: it was not JSON. */
const MAX_JSON_LENGTH = 8192;
/** Spaces between the brace that opens a JSON object and its first key. */
const MAX_SPACES = 64;
/** An object that begins with a key, or a list of them; "{name}" and "{1, 2}" are text. */
const OBJECT = new RegExp(`^(?:\\[\\s{0,${MAX_SPACES}})?\\{\\s{0,${MAX_SPACES}}"[^"\\n]{1,64}"\\s?:`);
const MAYBE_OBJECT = new RegExp(
  `^(?:\\[\\s{0,${MAX_SPACES}})?(?:\\{\\s{0,${MAX_SPACES}}(?:"[^"\\n]{0,64}(?:"\\s?)?)?)?$`,
);

export class MarkupStripper {
  #held = '';
  #place: Place = 'text';
  #callName = '';
  /** Inside of a JSON object. */
  #object = new ObjectScan();

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
    const at = this.#held.search(/[`<{[]/);
    if (at !== 0) return this.#give(at === -1 ? this.#held.length : at);
    if (this.#held.startsWith('```')) return this.#enter('fence', 3);
    if (!ended && '```'.startsWith(this.#held)) return null;
    const call = CALL_OPEN.exec(this.#held);
    if (call !== null) {
      this.#callName = (call[1] ?? '').toLowerCase();
      return this.#enter('call', call[0].length);
    }
    const aside = ASIDE.exec(this.#held);
    if (aside !== null) return this.#drop(aside[0].length);
    if (!ended && (mayOpenCall(this.#held) || mayBeAside(this.#held))) return null;
    if (OBJECT.test(this.#held)) {
      this.#place = 'json';
      this.#object = new ObjectScan();
      return '';
    }
    if (!ended && MAYBE_OBJECT.test(this.#held)) return null;
    return this.#give(1);
  }

  #json(ended: boolean): string | null {
    const end = this.#object.endIn(this.#held.slice(0, MAX_JSON_LENGTH));
    if (end === null && !ended && this.#held.length < MAX_JSON_LENGTH) return null;
    this.#place = 'text';
    if (end !== null) return this.#drop(end);
    return ended && this.#held.length < MAX_JSON_LENGTH ? this.#drop(this.#held.length) : this.#give(MAX_JSON_LENGTH);
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

function mayBeAside(held: string): boolean {
  const name = (/^<([a-z_]*)$/i.exec(held) ?? MAYBE_ASIDE.exec(held))?.[1]?.toLowerCase();
  if (name === undefined) return false;
  return held.includes('>') ? ASIDES.includes(name) : ASIDES.some((known) => known.startsWith(name));
}

/** Looks for the end of a JSON object that comes piece by piece; each character is read once. */
class ObjectScan {
  #at = 0;
  #depth = 0;
  #quoted = false;

  /** @param text the object so far. @returns its length, or null while it is not closed. */
  endIn(text: string): number | null {
    for (; this.#at < text.length; this.#at += 1) {
      const char = text[this.#at];
      if (this.#quoted) {
        if (char === '\\') this.#at += 1;
        else if (char === '"') this.#quoted = false;
      } else if (char === '"') this.#quoted = true;
      else if (char === '{' || char === '[') this.#depth += 1;
      else if (char === '}' || char === ']') {
        this.#depth -= 1;
        if (this.#depth === 0) return this.#at + 1;
      }
    }
    return null;
  }
}
