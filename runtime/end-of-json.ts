/** @returns the place after the bracket that closes the one at `from`; -1 when none does. */
export function endOfJson(text: string, from: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at += 1) {
    const letter = text[at];
    if (quoted) {
      if (letter === '\\') at += 1;
      else if (letter === '"') quoted = false;
    } else if (letter === '"') quoted = true;
    else if (letter === '{' || letter === '[') depth += 1;
    else if (letter === '}' || letter === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}
