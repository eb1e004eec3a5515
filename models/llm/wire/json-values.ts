import { endOfJson } from '../../../runtime/end-of-json.ts';

/** JSON inside of other text. */

export interface JsonValue {
  // oxlint-disable-next-line typescript/no-explicit-any -- read field by field
  readonly value: any;
}

/** Brackets that nothing closes, after which no JSON is looked for: each costs the length of the text. */
const MAX_UNCLOSED = 16;

/** Whole JSON objects and lists in a text. */
export function jsonValues(text: string): JsonValue[] {
  const values: JsonValue[] = [];
  let unclosed = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] !== '{' && !(text[at] === '[' && /^\[\s*\{/.test(text.slice(at, at + 20)))) continue;
    const end = endOfJson(text, at);
    if (end === -1) {
      unclosed += 1;
      if (unclosed > MAX_UNCLOSED) break;
      continue;
    }
    const value = parsed(text.slice(at, end));
    if (value === null) continue;
    values.push({ value });
    at = end - 1;
  }
  return values;
}

function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
