/** Objects that are tried at most: an answer full of braces must not keep a process busy. */
const MAX_TRIED = 50;

/**
 * The JSON object in an answer of an LLM. Models put it into a fence, say something before or after it, and leave
 * a comma behind the last value.
 * @param text as of `wholeAnswer`.
 * @param isWanted tells it from another object, for example from a piece of the conversation that is quoted before it.
 * @returns null: there is none.
 */
export function findJson(
  text: string,
  isWanted: (object: Readonly<Record<string, unknown>>) => boolean,
): Readonly<Record<string, unknown>> | null {
  let tried = 0;
  for (let start = text.indexOf('{'); start >= 0 && tried < MAX_TRIED; start = text.indexOf('{', start + 1)) {
    tried += 1;
    const end = endOf(text, start);
    if (end === null) continue;
    const object = parsed(text.slice(start, end));
    if (object !== null && isWanted(object)) return object;
  }
  return null;
}

/** @returns where the object that begins at `start` is over; null: it is cut off. */
function endOf(text: string, start: number): number | null {
  let depth = 0;
  let isQuoted = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (isQuoted) {
      if (character === '\\') at += 1;
      else if (character === '"') isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === '{') depth += 1;
    else if (character === '}' && --depth === 0) return at + 1;
  }
  return null;
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  for (const form of [text, withoutLastCommas(text)]) {
    try {
      const value: unknown = JSON.parse(form);
      return value !== null && typeof value === 'object' && !Array.isArray(value)
        ? (value as Record<string, unknown>)
        : null;
    } catch {
      // The other form may be JSON.
    }
  }
  return null;
}

/** Commas in quoted texts stay. */
function withoutLastCommas(text: string): string {
  return text.replaceAll(
    /("(?:\\.|[^"\\])*")|,(\s*[}\]])/g,
    (_, quoted: string | undefined, end: string) => quoted ?? end,
  );
}
